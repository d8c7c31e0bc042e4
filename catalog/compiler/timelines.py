"""Which groups and filters of a question are about the time that its window bounds, and how far its data reach."""

from __future__ import annotations

from sqlglot import exp

from catalog.compiler.joins import Tables
from catalog.compiler.plan import Leaf
from catalog.compiler.question import Question
from catalog.compiler.sql import named
from catalog.lookup import Held, lookup

FIRST_MOMENT, LAST_MOMENT = "first_moment", "last_moment"


def timelines(question: Question, leaves: tuple[Leaf, ...]) -> tuple[str, ...]:
    """The aliases of the groups by that time."""
    return tuple(g.alias for g in question.groups if g.grain is not None and _is_timely(question, leaves, g.held))


def timely_filters(question: Question, leaves: tuple[Leaf, ...]) -> tuple[str, ...]:
    """The fields of the filters on that time."""
    return tuple(f.field for f, held in question.where if _is_timely(question, leaves, held))


def _is_timely(question: Question, leaves: tuple[Leaf, ...], held: Held | None) -> bool:
    if question.range_on is not None:
        return held == question.range_on
    return held is None or any(_is_own(leaf, held) for leaf in leaves)


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
