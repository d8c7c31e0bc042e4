"""Numeric conditions: on each row, or on the aggregate."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from catalog.types import CatalogSnapshot, DimensionType, Filter, MetricFormat, Operator, Scalar
from dataagent.intent.numbers import tidy, times
from dataagent.intent.parts import Measured, Number, Ref
from dataagent.intent.typefilter.pieces import Focus, MetricCondition, Piece, Slot, Write, dead, piece
from dataagent.intent.types import BoundTo
from dataagent.intent.view import entity_of_dimension, is_count, metric_of, type_of

MOST_DIGITS = 38
"""What the widest exact number of a warehouse holds."""
_UNIT_FITS = {
    "": frozenset(MetricFormat),
    "currency": frozenset({MetricFormat.CURRENCY}),
    "percent": frozenset({MetricFormat.PERCENT}),
    "hours": frozenset({MetricFormat.HOURS}),
    "days": frozenset({MetricFormat.DAYS}),
}


def measured_piece(edge: int, part: Measured, focus: Focus) -> Piece:
    """A numeric condition as a filter on rows or a condition on the aggregate."""
    if part.op is Operator.BETWEEN and Decimal(str(part.numbers[0].value)) > Decimal(str(part.numbers[1].value)):
        return dead(edge, "contradiction", "", "The first number is the larger one. Name the smaller one first.")
    if any(len(Decimal(str(n.value)).as_tuple().digits) > MOST_DIGITS for n in part.numbers):
        return dead(edge, "unsupported", "", "A number has more digits than can be compared exactly.")
    if part.ref is not None and part.ref.kind is BoundTo.DIMENSION:
        return _on_dimensions(edge, part, part.ref.targets, focus)
    if part.of_row and part.ref is not None:
        return _on_rows(edge, part, part.ref, focus)
    if part.ref is not None:
        return _on_metrics(edge, part, part.ref.targets, focus)
    return _on_head(edge, part, focus)


def _on_head(edge: int, part: Measured, focus: Focus) -> Piece:
    """ "orders over $500": an amount of money cannot be about a count, so it is about each row."""
    if len(focus.metrics) != 1:
        return dead(edge, "unsupported", "the numeric condition")
    unit = part.numbers[-1].unit
    name = focus.metrics[0]
    if unit == "currency" and is_count(focus.setting.snapshot, name):
        return _on_dimensions(edge, part, _money_of(focus.setting.snapshot, focus.entity), focus)
    if focus.things:
        return _on_metrics(edge, part, (name,), focus)
    rows = _on_dimensions(edge, part, _money_of(focus.setting.snapshot, focus.entity), focus)
    if unit or rows.dead is not None:
        return dead(edge, "unsupported", "", f"It is open what has to be {limit_words(part)}. Name what is measured.")
    return replace(rows, slot=Slot.SCOPE, word=limit_words(part), open=True)


def limit_words(part: Measured) -> str:
    """The condition in words."""
    numbers = " and ".join(str(n.value) for n in part.numbers)
    return f"{part.op.value} {numbers}"


def _money_of(snapshot: CatalogSnapshot, entity: str) -> tuple[str, ...]:
    """The entity's own numeric dimensions; only a single one can be meant by an amount."""
    own = [d.name for m in snapshot.models for d in m.dimensions if d.type is DimensionType.NUMBER]
    return tuple(d for d in own if entity_of_dimension(snapshot, d) == entity)


def _on_rows(edge: int, part: Measured, ref: Ref, focus: Focus) -> Piece:
    targets = tuple(d for e in ref.targets for d in _money_of(focus.setting.snapshot, e))
    if part.numbers[-1].unit != "currency":
        return dead(edge, "unsupported", ref.surface)
    return _on_dimensions(edge, part, targets, focus)


def _on_dimensions(edge: int, part: Measured, targets: tuple[str, ...], focus: Focus) -> Piece:
    snapshot = focus.setting.snapshot
    kind = DimensionType.ID if part.of_key else DimensionType.NUMBER
    found = tuple(d for d in targets if d in focus.reach and type_of(snapshot, d) is kind)
    if not found:
        return dead(edge, "incompatible", "the numeric condition")
    values = tuple(n.value for n in part.numbers)
    ways = tuple((Write(field="filters", value=Filter(field=d, op=part.op, values=values)),) for d in found)
    return Piece(edge=edge, alternatives=ways, slot=Slot.DIMENSION, word="the numeric condition")


def _on_metrics(edge: int, part: Measured, targets: tuple[str, ...], focus: Focus) -> Piece:
    ways = []
    for name in targets:
        values = scaled_values(part.numbers, name, focus.setting.snapshot)
        if values is not None:
            ways.append((Write(field="having", value=MetricCondition(metric=name, op=part.op, values=values)),))
    if not ways:
        return dead(edge, "incompatible", "the unit of the numeric condition")
    if len(ways) == 1:
        return piece(edge, *ways[0])
    return Piece(edge=edge, alternatives=tuple(ways), slot=Slot.METRIC, word=part.ref.surface if part.ref else "")


def scaled_values(numbers: tuple[Number, ...], name: str, snapshot: CatalogSnapshot) -> tuple[Scalar, ...] | None:
    """The limits in the metric's own unit (5% is 0.05), or None where the unit does not fit."""
    metric = metric_of(snapshot, name)
    if metric is None or any(metric.format not in _UNIT_FITS.get(n.unit, frozenset()) for n in numbers):
        return None
    bare_percent = metric.format is MetricFormat.PERCENT and any(n.unit == "" for n in numbers)
    if bare_percent and any(Decimal(str(n.value)) > 1 for n in numbers):
        return None
    values: list[Scalar] = []
    for number in numbers:
        value = Decimal(str(number.value))
        values.append(tidy(times(value, Decimal("0.01"))) if number.unit == "percent" else tidy(value))
    return tuple(values)
