"""Words as pages: what questions left open, a form to teach a word, a proposal with its effect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from catalog.types import CatalogSnapshot
from catalog.wordchanges import ProposalState, TargetKind, WordChange, WordProposal, said, target_text
from dataagent.intent.types import Decision
from dataagent.runs.openwords import Effect, Openness, OpenWordView
from frontend.values import clock

KIND_WORDS = {
    TargetKind.METRIC: "metric",
    TargetKind.DIMENSION: "dimension",
    TargetKind.ENTITY: "thing",
    TargetKind.MEMBER: "member",
}
DECISION_WORDS = {
    Decision.ANSWER: "answered",
    Decision.DEFINE: "answered",
    Decision.CLARIFY: "asked back",
    Decision.ABSTAIN: "stopped",
    Decision.DENY: "refused",
}
DECISION_TONES = {Decision.ANSWER: "ok", Decision.DEFINE: "ok", Decision.CLARIFY: "warn"}
STATE_TONES = {ProposalState.PUBLISHED: "ok", ProposalState.OPEN: "warn"}
STATE_WORDS = {
    ProposalState.OPEN: "open",
    ProposalState.PUBLISHED: "in force",
    ProposalState.REJECTED: "rejected",
    ProposalState.WITHDRAWN: "withdrawn",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeForm:
    """A change that one button proposes: what it says, and the hidden fields."""

    label: str
    kind: str
    hint: str
    fields: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WordRow:
    """An open word in the log."""

    word: str
    questions: int
    people: int
    when: str
    meanings: tuple[ChangeForm, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalRow:
    """A proposal in a list."""

    id: int
    sentence: str
    author: str
    when: str
    unfit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsPage:
    """The log of open words, what waits for a review, and what is in force."""

    unbound: tuple[WordRow, ...]
    asked: tuple[WordRow, ...]
    proposals: tuple[ProposalRow, ...]
    in_force: tuple[ProposalRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TeachPage:
    """A form: a word, what it shall mean in words, and what that can be."""

    word: str
    means: str
    choices: tuple[ChangeForm, ...]
    error: str
    searched: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectRow:
    """A question before and after."""

    question: str
    before: str
    before_tone: str
    after: str
    after_tone: str
    reading: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WordProposalPage:
    """A proposal with what it would do."""

    id: int
    sentence: str
    state: str
    tone: str
    author: str
    when: str
    reviewer: str
    reviewed: str
    reason: str
    unfit: str
    is_open: bool
    is_in_force: bool
    effects: tuple[EffectRow, ...]


def words_page(
    log: Sequence[OpenWordView],
    waiting: Sequence[WordProposal],
    in_force: Sequence[WordProposal],
    unfit: Mapping[WordChange, str],
    snapshot: CatalogSnapshot,
) -> WordsPage:
    """The log in the given order, apart by what was wrong with the words."""
    return WordsPage(
        unbound=tuple(_word(v) for v in log if v.openness is Openness.UNBOUND),
        asked=tuple(_word(v) for v in log if v.openness is Openness.ASKED),
        proposals=tuple(_row(p, "", snapshot) for p in waiting),
        in_force=tuple(_row(p, unfit.get(p.change, ""), snapshot) for p in in_force),
    )


def teach_page(
    word: str, means: str, found: Sequence[WordChange], snapshot: CatalogSnapshot, *, error: str = ""
) -> TeachPage:
    """The form, with a button for each thing that `means` can be."""
    choices = tuple(
        ChangeForm(label=target_text(c, snapshot), kind=KIND_WORDS[c.target_kind], hint="", fields=_fields(c))
        for c in found
    )
    return TeachPage(word=word, means=means, choices=choices, error=error, searched=bool(word and means))


def word_proposal_page(
    found: WordProposal, effects: Sequence[Effect], unfit: str, snapshot: CatalogSnapshot
) -> WordProposalPage:
    """A proposal; the questions whose decision changes come first."""
    ordered = sorted(effects, key=lambda e: e.before is e.after)
    return WordProposalPage(
        id=found.id,
        sentence=said(found.change, snapshot),
        state=STATE_WORDS[found.state],
        tone=STATE_TONES.get(found.state, ""),
        author=found.author,
        when=clock(found.created_at),
        reviewer=found.reviewer,
        reviewed=clock(found.reviewed_at) if found.reviewed_at else "",
        reason=found.reason,
        unfit=unfit,
        is_open=found.state is ProposalState.OPEN,
        is_in_force=found.state is ProposalState.PUBLISHED,
        effects=tuple(map(_effect, ordered)),
    )


def _word(view: OpenWordView) -> WordRow:
    meanings = (
        ChangeForm(
            label=m.name,
            kind=KIND_WORDS[m.change.target_kind],
            hint=f"taken {m.taken} times" if m.taken > 1 else "taken once" if m.taken else "",
            fields=_fields(m.change),
        )
        for m in view.meanings
    )
    return WordRow(
        word=view.word,
        questions=view.logged.runs,
        people=view.logged.people,
        when=clock(view.logged.last_at),
        meanings=tuple(meanings),
    )


def _row(found: WordProposal, unfit: str, snapshot: CatalogSnapshot) -> ProposalRow:
    when = found.reviewed_at or found.created_at
    return ProposalRow(
        id=found.id, sentence=said(found.change, snapshot), author=found.author, when=clock(when), unfit=unfit
    )


def _fields(change: WordChange) -> tuple[tuple[str, str], ...]:
    return tuple((name, str(value)) for name, value in asdict(change).items())


def _effect(effect: Effect) -> EffectRow:
    return EffectRow(
        question=effect.question,
        before=DECISION_WORDS[effect.before],
        before_tone=DECISION_TONES.get(effect.before, ""),
        after=DECISION_WORDS[effect.after],
        after_tone=DECISION_TONES.get(effect.after, ""),
        reading=effect.restatement,
    )
