"""Two sets of things that somebody did something with: each with its own members or period."""

from __future__ import annotations

from dataclasses import replace

from catalog.query import Default, ThingsSet
from catalog.types import Filter, Operator
from dataagent.intent.parts import Condition, Idle, Part, Things
from dataagent.intent.resultparts import Side, TwoSides
from dataagent.intent.typefilter.members import condition_piece
from dataagent.intent.typefilter.pieces import Focus, Piece, Write, dead, piece
from dataagent.intent.view import reach_of_entity

_ONE_BY_ONE = "Each of the two has to name one thing or one period for certain. Say which field and dates are meant."
BESIDE_SETS = "What else is asked beside the two things that were done cannot be kept apart from them. Ask without it."
_OPPOSITE = {Operator.EQ: Operator.NE, Operator.IN: Operator.NOT_IN}
_EVERYTHING = Default(key="time_range", value="all_time", text="No period was named: all time.")


def two_sides_piece(edge: int, part: TwoSides, focus: Focus) -> Piece:
    """Both sets, the second one perhaps as those that must not be in it."""
    if len(focus.metrics) != 1 or not focus.things:
        return dead(edge, "unsupported", part.ref.surface)
    first, told = _side(edge, part.first, focus)
    second, also = _side(edge, part.second, focus)
    if first is None or second is None:
        return dead(edge, "unsupported", "", _ONE_BY_ONE)
    if part.only:
        second = replace(second, filters=tuple(_turned(f) for f in second.filters))
    if first == second or {f.field for f in first.filters} != {f.field for f in second.filters}:
        return dead(edge, "unsupported", "", _ONE_BY_ONE)
    second = replace(second, absent=part.absent)
    timed = () if part.first.reading is not None or part.second.reading is not None else (_EVERYTHING,)
    defaults = tuple(dict.fromkeys((*told, *also, *timed)))
    return piece(edge, Write(field="sets", value=first), Write(field="sets", value=second), defaults=defaults)


def _turned(given: Filter) -> Filter:
    return Filter(field=given.field, op=_OPPOSITE[given.op], values=given.values)


def _side(edge: int, side: Side, focus: Focus) -> tuple[ThingsSet | None, tuple[Default, ...]]:
    found = ThingsSet(metric=focus.metrics[0], op=Operator.GT, values=(0,))
    defaults: tuple[Default, ...] = ()
    if side.condition is not None:
        made = condition_piece(edge, replace(side.condition, versus=True), focus)
        filters = [w.value for way in made.alternatives for w in way]
        if made.dead is not None or made.open or len(filters) != 1 or filters[0].op not in _OPPOSITE:
            return None, ()
        found, defaults = replace(found, filters=tuple(filters)), made.defaults
    reading = side.reading
    if reading is not None:
        if reading.asks or reading.future or reading.relative or reading.why or reading.range.start is None:
            return None, ()
        found, defaults = replace(found, time_range=reading.range), (*defaults, *reading.defaults)
    return found, defaults


def beside_sets(parts: tuple[Part, ...], focus: Focus) -> bool:
    """Whether something stands beside two sets that is not about the things themselves."""
    if not any(isinstance(p, TwoSides) for p in parts):
        return False
    things = next((p for p in parts if isinstance(p, Things)), None)
    if things is None:
        return True
    reach = frozenset[str]().union(*(reach_of_entity(focus.setting.snapshot, e) for e in things.ref.targets))
    others = [p for p in parts if not isinstance(p, TwoSides | Things | Idle)]
    return any(not isinstance(p, Condition) or not {d for d, _ in p.values[0].choices} <= reach for p in others)
