"""Another meaning for one word of a question, and the question without a part that came from an earlier turn.

Each is a whole question that is understood before it is offered, as the asker sees the catalog: choosing
one asks it again, so that nothing is pinned by its name and nothing hidden can be reached.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date

from catalog.access import AccessScope
from catalog.labels import metric_label
from catalog.query import IntentKind, MetricIntent, TimeRange
from catalog.reach import reachable_dimensions
from catalog.restate import filter_text, range_text
from catalog.surfaces import normalise_surface
from catalog.terms import TermIndex, TermKind
from catalog.types import CatalogSnapshot, DimensionType, Filter
from catalog.visible import metric_visible, visible_dimensions
from dataagent.answering.next_questions import same_plan
from dataagent.answering.types import Inherited, WordChoice
from dataagent.intent.decide import canonical
from dataagent.intent.types import Binding, BoundTo, Decision, Turn, Understanding
from dataagent.intent.view import shown

MAX_CHOICES = 3
"""Other meanings of one word."""
_TRIED = 6
Words = Callable[[MetricIntent], str]
Understands = Callable[[str], Understanding]
_GROUPABLE = frozenset({DimensionType.CATEGORICAL, DimensionType.ORDINAL, DimensionType.BOOLEAN, DimensionType.GEO})


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One understood question in the world of its asker.

    `words` says a plan as a question of its own, `understands` reads one without earlier turns.
    """

    question: str
    intent: MetricIntent
    certificate: tuple[Binding, ...]
    turns: tuple[Turn, ...]
    snapshot: CatalogSnapshot
    scope: AccessScope
    index: TermIndex
    words: Words
    understands: Understands
    in_context: Understands


def word_choices(asked: Asked) -> tuple[WordChoice, ...]:
    """Other meanings of the question's words, at most three of each, from left to right."""
    if asked.intent.kind not in {IntentKind.QUERY, IntentKind.EXTREME}:
        return ()
    return tuple(choice for b in asked.certificate for choice in _of_word(asked, b))


def _of_word(asked: Asked, binding: Binding) -> Iterator[WordChoice]:
    found, tried = 0, 0
    for name in _others(asked, binding):
        if found == MAX_CHOICES or tried == _TRIED:
            return
        tried += 1
        read = _replaced(asked, binding, name)
        if read is None:
            continue
        found += 1
        label = range_text(read[1].time_range) if binding.kind is BoundTo.TIME and read[1].time_range else name
        yield WordChoice(start=binding.start, end=binding.end, label=label, question=read[0])


def _replaced(asked: Asked, binding: Binding, name: str) -> tuple[str, MetricIntent] | None:
    """The question with another word in that place, and its plan; None where it is not answered, or means the same."""
    text = asked.question[: binding.start] + name + asked.question[binding.end :]
    other = asked.in_context(text)
    if other.decision is not Decision.ANSWER or other.intent is None:
        return None
    if canonical(other.intent) == canonical(asked.intent):
        return None
    if not asked.turns:
        return text, other.intent
    alone = asked.words(other.intent)
    return (alone, other.intent) if alone and same_plan(asked.understands(alone), other.intent) else None


def _others(asked: Asked, binding: Binding) -> Iterator[str]:
    """What else could stand in the word's place, in words, the most alike first."""
    if binding.kind is BoundTo.METRIC:
        yield from _metrics(asked, binding.target)
    elif binding.kind is BoundTo.DIMENSION:
        yield from _dimensions(asked, binding.target)
    elif binding.kind is BoundTo.VALUE:
        yield from _fields(asked, binding)
    elif binding.kind is BoundTo.TIME:
        yield from _periods(binding.text, asked.intent)


def _metrics(asked: Asked, target: str) -> Iterator[str]:
    used, own = {target, *asked.intent.metrics}, _stems(target)
    seen = (m for m in asked.snapshot.metrics if metric_visible(asked.snapshot, asked.scope, m.name))
    alike = [(len(own & _stems(m.name)), m) for m in seen if m.name not in used]
    for _, metric in sorted(((n, m) for n, m in alike if n), key=lambda pair: (-pair[0], pair[1].name)):
        yield shown(metric.name)


def _dimensions(asked: Asked, target: str) -> Iterator[str]:
    names = [reachable_dimensions(asked.snapshot, m) for m in asked.intent.metrics]
    shared = frozenset.intersection(*names) if names else frozenset()
    used, own = {target, *asked.intent.dimensions}, _stems(target)
    for name in sorted(shared - used, key=lambda n: (-len(own & _stems(n)), n)):
        held = visible_dimensions(asked.snapshot, asked.scope, name)
        if own & _stems(name) and len(held) == 1 and held[0].dimension.type in _GROUPABLE:
            yield shown(name)


def _fields(asked: Asked, binding: Binding) -> Iterator[str]:
    """The other dimensions that have a member of that name."""
    fields = {f.field for f in asked.intent.filters}
    for term in asked.index.lookup(normalise_surface(binding.text)):
        if term.kind is TermKind.VALUE and term.target not in fields:
            yield f"{shown(term.target)} {binding.text}"


_LAST = re.compile(r"(?:the )?(?P<lead>last|this|previous) (?P<unit>week|month|quarter|year)", re.IGNORECASE)
_ROLLING = {"week": "last 7 days", "month": "last 30 days", "quarter": "last 3 months", "year": "last 12 months"}


def _periods(text: str, intent: MetricIntent) -> Iterator[str]:
    named = _LAST.fullmatch(text.strip())
    if named:
        unit = named["unit"].lower()
        ahead = "last" if named["lead"].lower() == "this" else "this"
        yield from (f"{ahead} {unit}", _ROLLING[unit])
        return
    guessed = any(d.key == "year" for d in intent.defaults_used)
    window = intent.time_range
    if guessed and window is not None and window.start is not None and not re.search(r"\d{4}", text):
        yield f"{text.strip()} {window.start.year - 1}"


def _stems(name: str) -> frozenset[str]:
    words = re.findall(r"[a-z0-9]+", name.lower())
    return frozenset(w.removesuffix("s") for w in words if len(w) > 2)


# -- what came from earlier turns ----------------------------------------------------------


def inherited_parts(asked: Asked) -> tuple[Inherited, ...]:
    """The parts of the plan that an earlier turn said, each with that turn and the question without the part."""
    before = [t for t in asked.turns if t.intent is not None]
    if not before or asked.intent.kind is IntentKind.DEFINE:
        return ()
    return tuple(_parts(asked, before))


def _parts(asked: Asked, before: list[Turn]) -> Iterator[Inherited]:
    for piece in _pieces(asked):
        origin = None
        for turn in reversed(before):
            if turn.intent is None or not piece.holds(turn.intent):
                break
            origin = turn
        if origin is None or any(piece.is_said(b) for b in asked.certificate):
            continue
        without = piece.without
        text = asked.words(without) if without is not None else ""
        offered = text if text and without is not None and same_plan(asked.understands(text), without) else ""
        yield Inherited(label=piece.label, turn=origin.question, run_id=origin.id, question=offered)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    """A part of the plan in words, whether another plan has it too, whether a word of the question says it, and the
    plan without it (None: not possible)."""

    label: str
    holds: Callable[[MetricIntent], bool]
    is_said: Callable[[Binding], bool]
    without: MetricIntent | None


_ALL_TIME = TimeRange(start=None, end=None, expr="all_time")


def _pieces(asked: Asked) -> Iterator[_Piece]:
    plan, snapshot = asked.intent, asked.snapshot
    labels = {m.name: metric_label(m) for m in snapshot.metrics}
    for metric in plan.metrics:
        rest = tuple(m for m in plan.metrics if m != metric)
        without = replace(plan, metrics=rest) if rest else None
        yield _named(labels.get(metric, shown(metric)), "metrics", metric, without)
    for name in plan.dimensions:
        rest = tuple(d for d in plan.dimensions if d != name)
        yield _named(f"by {shown(name)}", "dimensions", name, replace(plan, dimensions=rest))
    for condition in plan.filters:
        left = replace(plan, filters=tuple(f for f in plan.filters if f != condition))
        yield _Piece(
            label=filter_text(condition, snapshot),
            holds=_has("filters", condition),
            is_said=_names(condition),
            without=left,
        )
    if plan.grain is not None:
        label = f"by {plan.grain.value}"
        yield _Piece(
            label=label, holds=_like(plan, "grain"), is_said=_writes("grain"), without=replace(plan, grain=None)
        )
    if plan.time_range is not None and (plan.time_range.start or plan.time_range.end):
        ever = None if plan.comparison or plan.grain else replace(plan, time_range=_ALL_TIME)
        label = range_text(plan.time_range)
        yield _Piece(label=label, holds=lambda p: _ends(p) == _ends(plan), is_said=_writes("time_range"), without=ever)
    if plan.comparison is not None:
        alone, label = replace(plan, comparison=None), "compared with an earlier period"
        yield _Piece(
            label=label, holds=lambda p: _compares_alike(plan, p), is_said=_writes("comparison"), without=alone
        )


def _named(label: str, field: str, name: str, without: MetricIntent | None) -> _Piece:
    return _Piece(label=label, holds=_has(field, name), is_said=lambda b: b.target == name, without=without)


def _names(condition: Filter) -> Callable[[Binding], bool]:
    said = {str(v).lower() for v in condition.values} | {condition.field}
    return lambda b: b.kind is not BoundTo.OPERATOR and bool({b.text.lower(), b.target.lower(), b.target} & said)


def _writes(field: str) -> Callable[[Binding], bool]:
    return lambda b: field in b.paths


def _has(field: str, part: object) -> Callable[[MetricIntent], bool]:
    return lambda other: part in getattr(other, field)


def _like(plan: MetricIntent, field: str) -> Callable[[MetricIntent], bool]:
    return lambda other: getattr(other, field) == getattr(plan, field)


def _ends(plan: MetricIntent) -> tuple[date | None, date | None]:
    return (plan.time_range.start, plan.time_range.end) if plan.time_range else (None, None)


def _compares_alike(plan: MetricIntent, other: MetricIntent) -> bool:
    mine, theirs = plan.comparison, other.comparison
    return mine is not None and theirs is not None and mine.type == theirs.type
