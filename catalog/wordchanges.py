"""What owners teach the catalog about its words: another word for a thing, or which of its meanings a word has.

A change is applied to the catalog as its engineers wrote it, so that it stays when they publish the next one,
and can be taken back.  One that no longer fits is left out and said so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from catalog.checks import check, is_error
from catalog.checks.advice import COMMON
from catalog.content import with_digest
from catalog.labels import metric_label, plain
from catalog.lookup import Held, lookup
from catalog.surfaces import inflections, normalise_surface
from catalog.types import CatalogSnapshot, Dimension, TermDefault

MAX_LETTERS = 60
MAX_WORDS = 5


class ChangeKind(StrEnum):
    """What a word is to be."""

    SYNONYM = "synonym"
    DEFAULT = "default"


class TargetKind(StrEnum):
    """What a word can stand for."""

    METRIC = "metric"
    DIMENSION = "dimension"
    ENTITY = "entity"
    MEMBER = "member"


class ProposalState(StrEnum):
    """The life of a proposed change.  A withdrawn one was in force."""

    OPEN = "open"
    PUBLISHED = "published"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class WordChange:
    """One word and what it shall stand for.

    `target` is a catalog name; for a MEMBER it is the dimension, and `member` the member as it is stored.
    `entity` says for a DEFAULT dimension of which entity's metrics it holds.
    """

    kind: ChangeKind
    word: str
    target_kind: TargetKind
    target: str
    member: str = ""
    entity: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordProposal:
    """A change that somebody proposes, with what became of it."""

    id: int
    change: WordChange
    author: str
    created_at: datetime
    state: ProposalState = ProposalState.OPEN
    reviewer: str = ""
    reviewed_at: datetime | None = None
    reason: str = ""


class UnfitChange(ValueError):
    """A change that the catalog cannot take; its text is one sentence for people."""


def changed(snapshot: CatalogSnapshot, change: WordChange) -> CatalogSnapshot:
    """The catalog with the change in it, under its digest.

    Raises: UnfitChange with one sentence.
    """
    return with_digest(_checked(snapshot, change))


def with_changes(
    snapshot: CatalogSnapshot, changes: Iterable[WordChange]
) -> tuple[CatalogSnapshot, tuple[tuple[WordChange, str], ...]]:
    """The catalog with all changes that fit, in their order, and those that do not, each with its sentence."""
    left: list[tuple[WordChange, str]] = []
    taught = snapshot
    for change in changes:
        try:
            taught = _checked(taught, change)
        except UnfitChange as unfit:
            left.append((change, str(unfit)))
    return (snapshot if taught is snapshot else with_digest(taught)), tuple(left)


def said(change: WordChange, snapshot: CatalogSnapshot) -> str:
    """The change as a sentence."""
    thing = target_text(change, snapshot)
    if change.kind is ChangeKind.SYNONYM:
        return f"“{change.word}” is another word for {thing}."
    about = f" where {plain(change.entity).lower()} figures are asked for" if change.entity else ""
    return f"“{change.word}” means {thing}{about}, and every answer says so."


def target_text(change: WordChange, snapshot: CatalogSnapshot) -> str:
    """What the word shall stand for, in words."""
    parts = lookup(snapshot)
    if change.target_kind is TargetKind.METRIC:
        metric = parts.metrics.get(change.target)
        return metric_label(metric) if metric else plain(change.target)
    held = parts.held_by(change.target) if change.target_kind is not TargetKind.ENTITY else None
    label = (held.dimension.label if held else "") or plain(change.target)
    return f"{change.member} ({label.lower()})" if change.target_kind is TargetKind.MEMBER else label


def word_problem(word: str) -> str:
    """Why the word cannot be taught at all, in one sentence; "" where it can."""
    surface = normalise_surface(word)
    if not re.search(r"[^\W\d_]", surface):
        return "A word needs at least one letter."
    if len(word) > MAX_LETTERS or surface.count(" ") >= MAX_WORDS:
        return f"A word may have at most {MAX_WORDS} parts and {MAX_LETTERS} letters."
    if not re.fullmatch(r"[\w &'+./-]+", surface):
        return "A word holds letters, digits, spaces and - ' & + . / only."
    if all(part in COMMON for part in surface.split()):
        return f"“{word}” is a common word; it would be read into most questions."
    return ""


def _checked(snapshot: CatalogSnapshot, change: WordChange) -> CatalogSnapshot:
    if problem := word_problem(change.word):
        raise UnfitChange(problem)
    made = _synonym(snapshot, change) if change.kind is ChangeKind.SYNONYM else _default(snapshot, change)
    broken = next((i for i in check(made) if is_error(i)), None)
    if broken is not None:
        raise UnfitChange(broken.message)
    return made


# -- another word --------------------------------------------------------------------------


def _synonym(snapshot: CatalogSnapshot, change: WordChange) -> CatalogSnapshot:
    if change.target_kind is TargetKind.METRIC:
        return _metric_word(snapshot, change)
    if change.target_kind is TargetKind.ENTITY:
        return _entity_word(snapshot, change)
    held = _held(snapshot, change)
    if change.target_kind is TargetKind.MEMBER:
        return _with_dimension(snapshot, held, _member_word(held.dimension, change))
    names = (change.target, held.dimension.label, *held.dimension.synonyms)
    synonyms = _added(held.dimension.synonyms, names, change)
    return _with_dimension(snapshot, held, replace(held.dimension, synonyms=synonyms))


def _metric_word(snapshot: CatalogSnapshot, change: WordChange) -> CatalogSnapshot:
    metric = lookup(snapshot).metrics.get(change.target)
    if metric is None:
        raise UnfitChange(f"There is no metric {change.target}.")
    synonyms = _added(metric.synonyms, (metric.name, metric.label, *metric.synonyms), change)
    taught = replace(metric, synonyms=synonyms)
    return replace(snapshot, metrics=tuple(taught if m is metric else m for m in snapshot.metrics))


def _entity_word(snapshot: CatalogSnapshot, change: WordChange) -> CatalogSnapshot:
    entity = next((e for e in snapshot.entities if e.name == change.target), None)
    if entity is None:
        raise UnfitChange(f"The catalog does not speak of {change.target}.")
    taught = replace(entity, synonyms=_added(entity.synonyms, (entity.name, *entity.synonyms), change))
    return replace(snapshot, entities=tuple(taught if e is entity else e for e in snapshot.entities))


def _member_word(dimension: Dimension, change: WordChange) -> Dimension:
    if dimension.pii or not dimension.indexable:
        raise UnfitChange(f"The members of {change.target} are not named in questions, so they take no other words.")
    held = dict(dimension.value_synonyms)
    words = _added(held.get(change.member, ()), (change.member, *held.get(change.member, ())), change)
    surface = normalise_surface(change.word)
    for member, others in held.items():
        if member != change.member and surface in {normalise_surface(w) for w in (member, *others)}:
            raise UnfitChange(f"“{change.word}” is a word for {member} already.")
    return replace(dimension, value_synonyms=tuple({**held, change.member: words}.items()))


def _added(synonyms: tuple[str, ...], names: Iterable[str], change: WordChange) -> tuple[str, ...]:
    known = {normalise_surface(n) for n in names if n}
    forms = known | {f for n in known for f in inflections(n)}
    if normalise_surface(change.word) in forms:
        raise UnfitChange(f"“{change.word}” is a word for it already.")
    return (*synonyms, change.word)


def _held(snapshot: CatalogSnapshot, change: WordChange) -> Held:
    held = lookup(snapshot).held_by(change.target)
    if held is None or all(held.dimension is not d for d in held.model.dimensions):
        raise UnfitChange(f"There is no dimension {change.target}.")
    return held


def _with_dimension(snapshot: CatalogSnapshot, held: Held, taught: Dimension) -> CatalogSnapshot:
    dimensions = tuple(taught if d is held.dimension else d for d in held.model.dimensions)
    model = replace(held.model, dimensions=dimensions)
    return replace(snapshot, models=tuple(model if m is held.model else m for m in snapshot.models))


# -- one of several meanings ---------------------------------------------------------------


def _default(snapshot: CatalogSnapshot, change: WordChange) -> CatalogSnapshot:
    term = normalise_surface(change.word)
    if change.target_kind is TargetKind.METRIC:
        if change.target not in _metrics_called(snapshot, term):
            raise UnfitChange(f"“{change.word}” is not one of several words for {change.target}; make it a synonym.")
        made = TermDefault(term=term, metric=change.target)
    elif change.target_kind is TargetKind.DIMENSION and change.entity:
        _held(snapshot, change)
        made = TermDefault(term=term, entity=change.entity, dimension=change.target)
    else:
        raise UnfitChange("A default is a metric, or a dimension for the metrics of an entity.")
    if made in snapshot.term_defaults:
        raise UnfitChange(f"“{change.word}” means that already.")
    others = tuple(d for d in snapshot.term_defaults if (normalise_surface(d.term), d.entity) != (term, change.entity))
    return replace(snapshot, term_defaults=(*others, made))


def _metrics_called(snapshot: CatalogSnapshot, term: str) -> frozenset[str]:
    """The metrics that a word stands for where it stands for several: declared ambiguous, or a synonym of each."""
    declared = {
        c for a in snapshot.ambiguous_terms if normalise_surface(a.term) == term for c in a.candidates
    } & lookup(snapshot).metrics.keys()
    shared = {m.name for m in snapshot.metrics if term in {normalise_surface(s) for s in m.synonyms}}
    found = declared | shared
    return frozenset(found if len(found) > 1 else ())
