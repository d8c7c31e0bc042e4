"""Which groups and filters of a question are about the time that its window bounds, and how far its data reach."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sqlglot import exp

from catalog.compiler.joins import Tables
from catalog.compiler.plan import Leaf
from catalog.compiler.question import Question
from catalog.compiler.sql import named
from catalog.lookup import Held, lookup

FIRST_MOMENT, LAST_MOMENT = "first_moment", "last_moment"


def timelines(question: Question, leaves: tuple[Leaf, ...]) -> tuple[str, ...]:
    """The aliases of the groups by that time."""
    timed = (g for g in question.groups if g.grain is not None)
    return tuple(g.alias for g in timed if _is_timely(question, leaves, g.held, of=all))


def timely_parts(question: Question, leaves: tuple[Leaf, ...]) -> tuple[str, ...]:
    """What else is bound to that time: the fields of filters on it, and groups by it that only some metrics have."""
    filters = (f.field for f, held in question.where if _is_timely(question, leaves, held, of=any))
    known = timelines(question, leaves)
    timed = (g for g in question.groups if g.grain is not None and g.alias not in known)
    return (*filters, *(g.reference for g in timed if _is_timely(question, leaves, g.held, of=any)))


def _is_timely(
    question: Question, leaves: tuple[Leaf, ...], held: Held | None, *, of: Callable[[Iterable[bool]], bool]
) -> bool:
    if question.range_on is not None:
        return held == question.range_on
    return held is None or of(_is_own(leaf, held) for leaf in leaves)


def _is_own(leaf: Leaf, held: Held) -> bool:
    return held.model.name == leaf.model and held.dimension.name == leaf.time_dimension


def spans(question: Question, leaves: tuple[Leaf, ...]) -> tuple[exp.Select, ...]:
    """From the first to the last moment of each table behind the metrics; none where one has its time elsewhere."""
    if question.range_on is not None:
        return ()
    found = []
    for model, time in dict.fromkeys((leaf.model, leaf.time_dimension) for leaf in leaves):
        held = lookup(question.snapshot).models[model]
        dimension = next((d for d in held.dimensions if d.name == time), None)
        if dimension is None:
            return ()
        tables = Tables(question.snapshot, held)
        moment = tables.own(dimension.expr)
        ends = (named(exp.Min(this=moment), FIRST_MOMENT), named(exp.Max(this=moment.copy()), LAST_MOMENT))
        found.append(tables.select().select(*ends, copy=False))
    return tuple(found)
