"""In which order a list or a table stands: by one of its own columns, and which come first by it."""

from __future__ import annotations

from collections.abc import Iterable

from catalog.query import Default, Direction
from catalog.types import DimensionType
from dataagent.intent.parts import Grain, Part, RankBy, Ranked, Sense, Sorted, Things, Trend
from dataagent.intent.typefilter.members import dimension_choices
from dataagent.intent.typefilter.pieces import Focus, Order, Piece, Slot, Write, dead, piece
from dataagent.intent.types import BoundTo
from dataagent.intent.view import entity_of_dimension, is_personal, label_of_entity, type_of

_WAYS = {Sense.LOW: Direction.ASC, Sense.HIGH: Direction.DESC}
_TWO_ORDERS = "There are two orders in the question, and a result stands in one. Name one of them."
_UNORDERED = "An order needs a column that is shown. Group by it, or ask for a list of things."


def sorted_piece(edge: int, part: Sorted, focus: Focus, parts: Iterable[Part]) -> Piece:
    """The order by a column of a list, or by what a table shows; a superlative of things goes by a number."""
    others = tuple(p for p in parts if p is not part)
    word = part.ref.surface if part.ref else "alphabetically"
    if any(isinstance(p, Sorted | Ranked | RankBy) for p in others):
        return dead(edge, "unsupported", word, _TWO_ORDERS)
    listed = not focus.metrics and any(isinstance(p, Things) and p.asked == "list" for p in others)
    if part.ref is not None and part.ref.kind is BoundTo.METRIC:
        split = bool(focus.grouped) or any(isinstance(p, Grain | Trend) for p in others)
        return _by_figure(edge, part, focus) if split else dead(edge, "unsupported", word, _UNORDERED)
    found = _columns(part, focus) if focus.metrics or listed else ()
    direction = _WAYS.get(part.sense or Sense.LOW)
    if not found or direction is None:
        return dead(edge, "unsupported", word, _UNORDERED)
    snapshot = focus.setting.snapshot
    if any(is_personal(snapshot, d) for d in found):
        return dead(edge, "pii", word)
    if part.ranks and any(type_of(snapshot, d) is not DimensionType.NUMBER for d in found):
        return dead(edge, "unsupported", word, f"“{word}” is no number, so nothing comes first by it.")
    limit = (Write(field="limit", value=part.number),) if part.number is not None else ()
    shown = listed and part.ref is not None
    ways = tuple(
        (
            *((Write(field="dimensions", value=d),) if shown else ()),
            Write(field="order", value=Order(by=d, direction=direction)),
            *limit,
        )
        for d in found
    )
    return Piece(edge=edge, alternatives=ways, slot=Slot.DIMENSION, word=word)


def _by_figure(edge: int, part: Sorted, focus: Focus) -> Piece:
    """ "sorted by net revenue" of a table that shows it: where no direction is named the highest comes first."""
    named = part.ref.targets if part.ref else ()
    found = [m for m in focus.metrics if m in named]
    direction = _WAYS.get(part.sense or Sense.HIGH)
    if len(found) != 1 or direction is None:
        return dead(edge, "unsupported", part.ref.surface if part.ref else "", _UNORDERED)
    told = Default(key="order", value="highest first", text="No direction was named: the highest comes first.")
    order = Write(field="order", value=Order(by=found[0], direction=direction))
    return piece(edge, order, defaults=() if part.sense else (told,))


def _columns(part: Sorted, focus: Focus) -> tuple[str, ...]:
    """The columns that the words can mean: of a table one that it is grouped by, of a list the things' own first."""
    snapshot = focus.setting.snapshot
    if focus.metrics:
        grouped = tuple(sorted(focus.grouped))
        meant = grouped if part.ref is None else tuple(d for d in dimension_choices(part.ref, focus) if d in grouped)
        return meant if len(meant) == 1 else ()
    if part.ref is None:
        label = label_of_entity(snapshot, focus.entity)
        return (label,) if label is not None and label in focus.reach else ()
    found = dimension_choices(part.ref, focus)
    own = tuple(d for d in found if entity_of_dimension(snapshot, d) == focus.entity)
    return own or found
