"""Averages, medians and spreads over each thing, and statistics of a column of its rows."""

from __future__ import annotations

from catalog.calculations import AVERAGE_PER, HISTOGRAM
from catalog.labels import with_capital
from catalog.lookup import lookup
from catalog.query import Default, IntentKind
from catalog.reach import is_countable
from catalog.types import Aggregation, CatalogSnapshot, DimensionType, Scalar
from dataagent.intent.candidate import Slot
from dataagent.intent.parts import Calculated, Ref
from dataagent.intent.resultparts import Averaged
from dataagent.intent.typefilter.pieces import Focus, Piece, Transform, Write, dead, piece
from dataagent.intent.types import BoundTo
from dataagent.intent.view import (
    entity_of_dimension,
    info_of,
    is_rate,
    key_of_entity,
    label_of_entity,
    metric_of,
    type_of,
)


def over_piece(edge: int, part: Calculated, focus: Focus) -> Piece:
    """What is taken over the figures of each thing; the thing has to be one that the metric's rows belong to."""
    spreads = part.type == HISTOGRAM
    if spreads and part.ref is not None and part.ref.kind is BoundTo.DIMENSION:
        return statistic_piece(edge, part, focus, IntentKind.DISTRIBUTION)
    if part.ref is None:
        return _spread(edge, part.arguments)
    ways = tuple(_arguments(part.ref, target, focus) for target in part.ref.targets)
    found = tuple(w for w in ways if w)
    if not found:
        return dead(edge, "incompatible", part.ref.surface)
    if not all(is_countable(focus.setting.snapshot, m) for m in focus.metrics):
        return dead(edge, "unsupported", "", _OF_RATES if part.type == AVERAGE_PER else _NOT_COUNTED)
    kind = (Write(field="kind", value=IntentKind.DISTRIBUTION),) if spreads else ()
    taken = tuple((*kind, Write(field="transforms", value=Transform(type=part.type, arguments=w))) for w in found)
    return Piece(edge=edge, alternatives=taken, slot=Slot.DIMENSION, word=part.ref.surface)


def averaged_piece(edge: int, part: Averaged, focus: Focus) -> Piece:
    """Nothing to write where the figure is an average itself, and that told; else it is open over what one is taken."""
    snapshot = focus.setting.snapshot
    if not focus.metrics or not all(_is_average(snapshot, m) for m in focus.metrics):
        return dead(edge, "unsupported", "", _OVER_WHAT.format(figure=part.ref.surface))
    text = f"{with_capital(part.ref.surface)} is an average already: it is taken over all rows of the period."
    return piece(edge, defaults=(Default(key="average", value=focus.metrics[0], text=text),))


def _is_average(snapshot: CatalogSnapshot, name: str) -> bool:
    metric = metric_of(snapshot, name)
    held = lookup(snapshot).measure(metric.measure) if metric is not None and metric.measure else None
    return is_rate(snapshot, name) or (held is not None and held[1].agg is Aggregation.AVERAGE)


_OVER_WHAT = (
    "An average of {figure} is taken over something. Say over what: for example per customer, per store or per month."
)


def _arguments(ref: Ref, target: str, focus: Focus) -> tuple[tuple[str, Scalar], ...]:
    """What each figure is of: a thing of the entity, or a member of the dimension; () where the metric has none."""
    if ref.kind is BoundTo.DIMENSION:
        entity = entity_of_dimension(focus.setting.snapshot, target)
        if target not in focus.reach:
            return ()
        own = target in (key_of_entity(focus.setting.snapshot, entity), label_of_entity(focus.setting.snapshot, entity))
        return (("entity", entity),) if own else (("dimension", target),)
    return (("entity", target),) if _reaches(target, focus) else ()


def _reaches(entity: str, focus: Focus) -> bool:
    """Whether the metric's rows belong to things of the entity: by its key, or by what is known of it."""
    snapshot = focus.setting.snapshot
    return key_of_entity(snapshot, entity) in focus.reach or any(
        entity_of_dimension(snapshot, d) == entity for d in focus.reach
    )


_OF_RATES = (
    "An average of rates is not the rate of all of them. Ask for the figure as a whole, or for the figures by each."
)
_NOT_COUNTED = "This is told of sums and counts only. Ask for the figures by each of them."


def _spread(edge: int, arguments: tuple[tuple[str, Scalar], ...]) -> Piece:
    transform = Transform(type=HISTOGRAM, arguments=arguments)
    return piece(edge, Write(field="kind", value=IntentKind.DISTRIBUTION), Write(field="transforms", value=transform))


def statistic_piece(edge: int, part: Calculated, focus: Focus, kind: IntentKind) -> Piece:
    """A statistic over the rows of the one entity that carries the numeric dimension."""
    snapshot = focus.setting.snapshot
    fields = part.ref.targets if part.ref else ()
    if len(fields) != 1 or type_of(snapshot, fields[0]) is not DimensionType.NUMBER:
        return dead(edge, "unsupported", part.ref.surface if part.ref else part.type)
    arguments = (("field", fields[0]), *part.arguments)
    writes = [
        Write(field="kind", value=kind),
        Write(field="transforms", value=Transform(type=part.type, arguments=arguments)),
    ]
    info = info_of(snapshot, entity_of_dimension(snapshot, fields[0]))
    if info is not None and info.time_dimension:
        writes.append(Write(field="time_dimension", value=info.time_dimension))
    return piece(edge, *writes)
