"""A question → a decision with its certificate: answer, define, ask, or stop."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from catalog.access import AccessScope
from catalog.query import IntentKind, MetricIntent
from catalog.restate import restate
from catalog.terms import TermIndex
from catalog.types import CatalogSnapshot
from dataagent.intent import gate
from dataagent.intent.assemble import readings
from dataagent.intent.candidate import Candidate, Dead
from dataagent.intent.certificate import certificate_of, partial_certificate
from dataagent.intent.chart import Edge, parse
from dataagent.intent.clarify import ask_between, ask_open, only_period
from dataagent.intent.decide import Verdict, canonical, decide
from dataagent.intent.denied import asks_for_access, denied_mention
from dataagent.intent.doubt import beyond_doubt
from dataagent.intent.earlier import UNCLEAR, contrasts, counting_back, joining_of
from dataagent.intent.followup import alone, bare_and_broken, base_of, edit_readings
from dataagent.intent.funnelsteps import step_spans
from dataagent.intent.grammar.language import EDIT_GRAMMAR, GRAMMAR
from dataagent.intent.lattice import lexical_edges
from dataagent.intent.normalise import Token, tokens_of, visible
from dataagent.intent.partial import completed
from dataagent.intent.paths import EDIT, best_partial, complete_paths
from dataagent.intent.reply import chosen_option
from dataagent.intent.seen import SeenIndex
from dataagent.intent.typefilter.elapsed import as_asked
from dataagent.intent.typefilter.pieces import Setting
from dataagent.intent.types import Binding, BoundTo, Decision, Limitation, Turn, Understanding
from dataagent.intent.typos import corrections
from dataagent.intent.unbound import limitation_for_dead, limitation_for_unbound

MAX_TOKENS = 40


def understand(
    question: str,
    *,
    snapshot: CatalogSnapshot,
    scope: AccessScope,
    index: TermIndex,
    today: date,
    turns: tuple[Turn, ...] = (),
    denied_metrics: frozenset[str] = frozenset(),
) -> Understanding:
    """The outcome for one question, seen by one scope on one day.

    `turns` are the session's earlier turns, oldest first.  `denied_metrics` exist
    but are not permitted; they only serve to say so when the question names one.
    """
    tokens = tokens_of(question)
    refusal = gate.refused(visible(question))
    if refusal is not None:
        return _stop(Decision.DENY, Limitation(code=refusal.code, message=refusal.message), tokens, question)
    if len(tokens) > MAX_TOKENS:
        message = f"The question has more than {MAX_TOKENS} words. Ask it in fewer words, or in parts."
        return _stop(Decision.ABSTAIN, Limitation(code="too_long", message=message), tokens, question)
    seen = SeenIndex(index, snapshot)
    setting = Setting(snapshot=snapshot, scope=scope, index=seen, today=today, denied=denied_metrics, turns=turns)
    return _parsed(question, tokens, setting)


def _stop(
    decision: Decision,
    limitation: Limitation,
    tokens: tuple[Token, ...],
    question: str,
    edges: tuple[Edge, ...] = (),
) -> Understanding:
    path, left = best_partial(edges, len(tokens))
    certificate = partial_certificate(tokens, path, left, question)
    return Understanding(decision=decision, certificate=certificate, limitation=limitation)


def _parsed(question: str, tokens: tuple[Token, ...], setting: Setting) -> Understanding:
    denial = denied_mention(tokens, setting)
    if denial is not None and asks_for_access(tokens):
        return _access(denial, question)
    if denial is not None:
        return _stop(Decision.DENY, denial, tokens, question)
    halt = gate.stopped(visible(question))
    if halt is not None:
        return _stop(Decision.ABSTAIN, Limitation(code=halt.code, message=halt.message), tokens, question)
    if setting.turns:
        replied = _reply(question, tokens, setting)
        if replied is not None:
            return replied
    reading = _read(tokens, setting)
    if not reading.found:
        reading = _mended(tokens, setting) or reading
    return _outcome(question, reading, setting)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """All readings of the tokens, and whether none had to be left out."""

    tokens: tuple[Token, ...]
    edges: tuple[Edge, ...]
    found: tuple[Candidate, ...]
    whole: bool
    fixes: dict[int, str]


def _mended(tokens: tuple[Token, ...], setting: Setting) -> _Reading | None:
    """The reading with typos mended, when exactly one way to mend them can be read."""
    readable: list[_Reading] = []
    for mended, fixes in corrections(tokens, setting):
        reading = _read(mended, setting)
        if any(c.dead is None for c in reading.found):
            readable.append(replace(reading, fixes=fixes))
    plans = {canonical(c.intent) for r in readable for c in r.found if c.dead is None and not c.openings}
    return readable[0] if len(readable) == 1 or (readable and len(plans) == 1) else None


def _outcome(question: str, reading: _Reading, setting: Setting) -> Understanding:
    tokens, edges = reading.tokens, reading.edges
    if not reading.found:
        return _unbound(question, tokens, edges, setting)
    if not reading.whole:
        message = "The question can be read in too many ways. Ask it in simpler words."
        return _stop(Decision.ABSTAIN, Limitation(code="unsupported", message=message), tokens, question, edges)
    return _decided(question, tokens, decide(reading.found), setting, edges=edges, fixes=reading.fixes)


def _read(tokens: tuple[Token, ...], setting: Setting, base: MetricIntent | None = None) -> _Reading:
    """The readings as a question of its own and, after earlier turns, as an edit of their plan."""
    earlier = base or base_of(setting.turns)
    base = as_asked(earlier, setting) if earlier is not None else None
    steps = tuple(step_spans(tokens, setting.snapshot, setting.scope))
    lexical = lexical_edges(tokens, snapshot=setting.snapshot, index=setting.index, today=setting.today, steps=steps)
    edges, complete = parse(lexical, EDIT_GRAMMAR if base else GRAMMAR)
    paths, all_paths = complete_paths(edges, len(tokens))
    found = tuple(c for path in paths for c in readings(path, setting))
    words = tuple(t.norm for t in tokens)
    if base is not None:
        setting = replace(setting, contrasts=contrasts(words))
        changed, all_edits = complete_paths(edges, len(tokens), EDIT)
        joining = joining_of(words)
        edited = tuple(c for path in changed for c in edit_readings(path, setting, base, joining=joining))
        unclear = tuple(c for c in edited if c.dead in UNCLEAR)
        edited = unclear or edited
        found = tuple(counting_back(c, base, setting.snapshot.calendar) for c in found)
        own = tuple(c for c in found if c.intent.metrics or not edited or (c.dead is not None and not unclear))
        if bare_and_broken(edited):
            own = tuple(alone(c) for c in own)
        found, all_paths = (*own, *edited), all_paths and all_edits
    found = tuple(beyond_doubt(c, words, setting.snapshot) for c in found)
    return _Reading(tokens=tokens, edges=edges, found=found, whole=complete and all_paths, fixes={})


def _reply(question: str, tokens: tuple[Token, ...], setting: Setting) -> Understanding | None:
    """The outcome when the question answers what the last turn asked."""
    last = setting.turns[-1]
    if last.intent is not None:
        return None
    before = replace(setting, turns=setting.turns[:-1])
    pending = _parsed(last.question, tokens_of(last.question), before)
    if pending.decision is not Decision.CLARIFY:
        return None
    choice = chosen_option(tokens, pending.options, setting)
    if choice is None:
        return None
    plan, used = choice
    end = tokens[used - 1].end
    binding = Binding(
        start=tokens[0].start,
        end=end,
        text=question[tokens[0].start : end],
        kind=BoundTo.OPERATOR,
        paths=("metrics",),
        note="answers the question before",
    )
    if used == len(tokens):
        said = restate(plan, setting.snapshot)
        return Understanding(decision=Decision.ANSWER, intent=plan, certificate=(binding,), restatement=said)
    rest = tokens[used:]
    refined = _outcome(question, _read(rest, setting, plan), setting)
    return replace(refined, certificate=(binding, *refined.certificate))


def _access(denial: Limitation, question: str) -> Understanding:
    """Who may see a metric: a question that also those may ask who may not."""
    intent = MetricIntent(kind=IntentKind.DEFINE, subject=denial.suggestions[0], aspect="access")
    binding = Binding(start=0, end=len(question), text=question, kind=BoundTo.OPERATOR, paths=("subject", "aspect"))
    return Understanding(decision=Decision.DEFINE, intent=intent, certificate=(binding,), restatement=denial.message)


def _unbound(question: str, tokens: tuple[Token, ...], edges: tuple[Edge, ...], setting: Setting) -> Understanding:
    path, left = best_partial(edges, len(tokens))
    certificate = partial_certificate(tokens, path, left, question)
    options = completed(tokens, left, setting, lambda text: _plan_of(text, setting))
    if options:
        prompt = f"“{options[0].detail}” is not a name that the catalog knows. Do you mean one of these?"
        return Understanding(
            decision=Decision.CLARIFY,
            certificate=certificate,
            prompt=prompt,
            options=options,
            about=options[0].detail,
        )
    limitation = limitation_for_unbound(question, tokens, left, edges, setting)
    return Understanding(decision=Decision.ABSTAIN, certificate=certificate, limitation=limitation)


def _decided(
    question: str,
    tokens: tuple[Token, ...],
    verdict: Verdict,
    setting: Setting,
    *,
    edges: tuple[Edge, ...],
    fixes: dict[int, str],
) -> Understanding:
    if verdict.chosen is not None:
        return _answer(question, tokens, verdict.chosen, setting, fixes)
    asked = _asked(verdict, setting)
    only = only_period(*asked) if asked is not None else None
    if only is not None:
        return _answer(question, tokens, only, setting, fixes)
    if asked is not None:
        return replace(asked[1], certificate=certificate_of(tokens, asked[0], question, fixes))
    reason = verdict.dead or Dead(code="unsupported", message=_NOTHING_TO_OFFER)
    decision = Decision.DENY if reason.code == "pii" else Decision.ABSTAIN
    return _stop(decision, limitation_for_dead(reason), tokens, question, edges)


_NOTHING_TO_OFFER = (
    "The words are known, but no metric goes with all of them. Name what is to be measured, and leave parts out."
)


def _asked(verdict: Verdict, setting: Setting) -> tuple[Candidate, Understanding] | None:
    """The reading that is asked about, with the question back, where complete plans can be offered."""

    def reads(text: str) -> MetricIntent | None:
        return _plan_of(text, setting)

    if verdict.rivals:
        asked = ask_between(verdict.rivals, setting, reads)
        return (verdict.rivals[0], asked) if asked is not None else None
    return ask_open(verdict.open, setting, reads)


def _plan_of(text: str, setting: Setting) -> MetricIntent | None:
    """The plan of a rewording as a question of its own, or None when it is not decided."""
    reading = _read(tokens_of(text), replace(setting, turns=()))
    verdict = decide(reading.found) if reading.found and reading.whole else Verdict()
    return verdict.chosen.intent if verdict.chosen else None


def _answer(
    question: str, tokens: tuple[Token, ...], chosen: Candidate, setting: Setting, fixes: dict[int, str]
) -> Understanding:
    decision = Decision.DEFINE if chosen.intent.kind.value == "define" else Decision.ANSWER
    return Understanding(
        decision=decision,
        intent=chosen.intent,
        certificate=certificate_of(tokens, chosen, question, fixes),
        restatement=restate(chosen.intent, setting.snapshot),
    )
