"""What owners see of the words that questions left open, and what a change of words would do to those questions."""

from __future__ import annotations

from catalog.access import AccessScope
from catalog.labels import metric_label, plain
from catalog.lookup import lookup
from catalog.surfaces import normalise_surface
from catalog.terms import TermIndex
from catalog.types import CatalogSnapshot
from catalog.visible import metric_visible, visible_dimensions
from catalog.wordchanges import (
    ChangeKind,
    ProposalState,
    TargetKind,
    UnfitChange,
    WordChange,
    WordProposal,
    changed,
)
from dataagent.intent.types import Decision
from dataagent.intent.understand import understand
from dataagent.intent.view import entity_of_metric
from dataagent.policy.decide import decide
from dataagent.policy.doors import permit
from dataagent.policy.principal import Capability, Principal
from dataagent.runs import store
from dataagent.runs.openwords import Effect, LoggedWord, Meaning, Openness, OpenWordView, WordMeaning
from dataagent.runs.service.sight import sight
from dataagent.runs.service.words import term_index
from dataagent.runs.types import RunFacts

MOST_LOGGED = 300
MOST_READ_AGAIN = 20


def word_log(principal: Principal) -> tuple[OpenWordView, ...]:
    """The words that questions left open and that nothing settles by now, those of most questions first.

    Raises: ShownError(not_permitted, unavailable).
    """
    permit(principal, Capability.CURATE_WORDS)
    snapshot, scope = sight(principal)
    index = term_index(principal.workspace, snapshot, scope)
    views = (_view(w, snapshot, scope, index) for w in store.logged_words(principal.workspace_id, MOST_LOGGED))
    return tuple(v for v in views if v is not None)


def word_effects(principal: Principal, proposal: WordProposal) -> tuple[Effect, ...]:
    """The latest questions that left the word open, each read on its own as the principal sees the catalog, without
    and with the proposed change; none where it was decided or does not fit.

    Raises: ShownError(not_permitted, unavailable).
    """
    permit(principal, Capability.CURATE_WORDS)
    if proposal.state is not ProposalState.OPEN:
        return ()
    snapshot, scope = sight(principal)
    surface = normalise_surface(proposal.change.word)
    runs = store.runs_with_word(principal.workspace_id, surface, MOST_READ_AGAIN)
    try:
        after = changed(snapshot, proposal.change)
    except UnfitChange:
        return ()
    worlds = tuple((s, scope, term_index(principal.workspace, s, scope)) for s in (snapshot, after))
    return tuple(_effect(principal, run, worlds) for run in runs)


_World = tuple[CatalogSnapshot, AccessScope, TermIndex]


def _effect(principal: Principal, run: RunFacts, worlds: tuple[_World, ...]) -> Effect:
    before, after = (
        understand(run.question, snapshot=s, scope=scope, index=index, today=run.today, denied_metrics=scope.announced)
        for s, scope, index in worlds
    )
    readable = run.asker_id == principal.user_id or decide(principal, Capability.READ_ALL_RUNS).allowed()
    return Effect(
        question=run.question if readable else "",
        before=before.decision,
        after=after.decision,
        restatement=after.restatement if readable and after.decision is Decision.ANSWER else "",
    )


def _view(logged: LoggedWord, snapshot: CatalogSnapshot, scope: AccessScope, index: TermIndex) -> OpenWordView | None:
    """The word as the reader may see it; None where it is settled, or where all that it can mean is hidden."""
    kind = ChangeKind.SYNONYM if logged.openness is Openness.UNBOUND else ChangeKind.DEFAULT
    found = (_meaning((logged.surface, kind), m, n, snapshot, scope) for m, n in logged.taken)
    meanings = tuple(sorted((m for m in found if m is not None), key=lambda m: (-m.taken, m.name)))
    if kind is ChangeKind.SYNONYM:
        settled = bool(index.lookup(logged.surface))
    else:
        settled = not meanings or any(_is_default(m.change, snapshot) for m in meanings)
    if settled:
        return None
    return OpenWordView(word=logged.surface, openness=logged.openness, logged=logged, meanings=meanings)


def _is_default(change: WordChange, snapshot: CatalogSnapshot) -> bool:
    return any(
        normalise_surface(d.term) == change.word
        and d.entity == change.entity
        and change.target in (d.metric, d.dimension)
        for d in snapshot.term_defaults
    )


def _meaning(
    taught: tuple[str, ChangeKind], meaning: Meaning, taken: int, snapshot: CatalogSnapshot, scope: AccessScope
) -> WordMeaning | None:
    """The meaning as a change that would settle the word, where the reader may see what it is."""
    word, kind = taught
    if meaning.kind == "metric":
        if not metric_visible(snapshot, scope, meaning.target):
            return None
        change = WordChange(kind=kind, word=word, target_kind=TargetKind.METRIC, target=meaning.target)
        return WordMeaning(change=change, name=metric_label(lookup(snapshot).metrics[meaning.target]), taken=taken)
    known = metric_visible(snapshot, scope, meaning.metric) and visible_dimensions(snapshot, scope, meaning.target)
    entity = entity_of_metric(snapshot, meaning.metric) if known else ""
    if not entity:
        return None
    is_default = kind is ChangeKind.DEFAULT
    change = WordChange(
        kind=kind,
        word=word,
        target_kind=TargetKind.DIMENSION,
        target=meaning.target,
        entity=entity if is_default else "",
    )
    name = plain(meaning.target) + (f", for {plain(entity).lower()} figures" if is_default else "")
    return WordMeaning(change=change, name=name, taken=taken)
