"""Conditions on how a metric changed, and rankings by it: on the columns that a comparison adds."""

from __future__ import annotations

from decimal import Decimal

from catalog.calculations import Derived, derived_name, split_derived
from catalog.query import Default, Direction, IntentKind
from catalog.types import CatalogSnapshot, MetricFormat, Operator, Scalar
from dataagent.intent.numbers import tidy, times
from dataagent.intent.parts import (
    Number,
    Sense,
)
from dataagent.intent.resultparts import (
    Measure,
    Moved,
    MovedRank,
)
from dataagent.intent.typefilter.pieces import Focus, MetricCondition, Order, Piece, Slot, Write, dead, piece
from dataagent.intent.typefilter.ranks import OPEN_SENSE, count_of, direction_of, over_things
from dataagent.intent.view import metric_of

_POINTS_OR_PERCENT = (
    "A percentage can change by points or by percent of itself. Say “percentage points”, or ask without a number."
)
_NEITHER_WAY = "The catalog does not say whether more or less of this is better. Say whether it rose or fell."
_FITS = {
    "": frozenset(MetricFormat) - {MetricFormat.PERCENT},
    "currency": frozenset({MetricFormat.CURRENCY}),
    "hours": frozenset({MetricFormat.HOURS}),
    "days": frozenset({MetricFormat.DAYS}),
    "points": frozenset({MetricFormat.PERCENT}),
}
_NO_BASE = Default(
    key="percent_of_nothing",
    value="left_out",
    text="What was nothing in the earlier period has no change in percent and is left out.",
)


def column_of(metric: str, measure: Measure, snapshot: CatalogSnapshot) -> str | None:
    """The column with the change of a metric; None for a percentage in percent, which is shown in points."""
    found = metric_of(snapshot, metric)
    percentage = found is not None and found.format is MetricFormat.PERCENT
    if measure is Measure.PERCENT:
        return None if percentage else derived_name(metric, Derived.PERCENT_CHANGE)
    return derived_name(metric, Derived.POINTS if percentage else Derived.DIFFERENCE)


def is_open_change(column: str) -> bool:
    """Whether the column is the change of a metric that is still to be chosen."""
    return split_derived(column) != (column, None) and split_derived(column)[0] == OPEN_SENSE


def settled_change(column: str, metric: str, snapshot: CatalogSnapshot) -> str | None:
    """The column as it is, or with the chosen metric in the open one's place; None where it has no such change."""
    if not is_open_change(column):
        return column
    percent = split_derived(column)[1] is Derived.PERCENT_CHANGE
    return column_of(metric, Measure.PERCENT if percent else Measure.AMOUNT, snapshot)


def rises(sense: Sense, focus: Focus) -> bool | None:
    """Whether the words speak of a rise; None where that depends on a polarity that nobody declared."""
    if sense in (Sense.HIGH, Sense.LOW):
        return sense is Sense.HIGH
    direction = direction_of(sense, focus.metrics[0], focus.setting.snapshot) if focus.metrics else None
    return None if direction is None else direction is Direction.DESC


# -- conditions ----------------------------------------------------------------------------

Limit = tuple[Operator, tuple[Decimal, ...]]
_UPWARDS = {
    Operator.LT: Operator.GT,
    Operator.GT: Operator.LT,
    Operator.LE: Operator.GE,
    Operator.GE: Operator.LE,
}
_TURNED = {
    Operator.LT: Operator.GE,
    Operator.GE: Operator.LT,
    Operator.GT: Operator.LE,
    Operator.LE: Operator.GT,
}


def moved_piece(edge: int, part: Moved, focus: Focus) -> Piece:
    """Conditions on the change, of which the earlier figure is another phrase's or the default's."""
    if len(focus.metrics) > 1:
        return dead(edge, "unsupported", "the change")
    up = rises(part.sense, focus)
    metric = focus.metrics[0] if focus.metrics else OPEN_SENSE
    if up is None:
        return dead(edge, "unsupported", "", _NEITHER_WAY)
    unit = part.numbers[-1].unit if part.numbers else ""
    measure = Measure.PERCENT if unit == "percent" else Measure.AMOUNT
    column = column_of(metric, measure, focus.setting.snapshot)
    if column is None or not _fits(part.numbers, metric, focus.setting.snapshot):
        return dead(edge, "unsupported", "", _POINTS_OR_PERCENT)
    limits = _limits(part, up=up)
    if not limits:
        return dead(edge, "unsupported", "the size of the change")
    writes = (
        Write(field="having", value=MetricCondition(metric=column, op=o, values=_scaled(v, unit))) for o, v in limits
    )
    return piece(edge, *writes, defaults=_told(part, measure))


def _fits(numbers: tuple[Number, ...], metric: str, snapshot: CatalogSnapshot) -> bool:
    found = metric_of(snapshot, metric)
    units = {n.unit for n in numbers} - {"percent"}
    return found is None or all(found.format in _FITS.get(unit, frozenset()) for unit in units)


def _limits(part: Moved, *, up: bool) -> tuple[Limit, ...]:
    """The conditions on the signed change, all of which have to hold; none where there is no such condition."""
    nothing = (Decimal(0),)
    if not part.numbers:
        base = Operator.GT if up else Operator.LT
        return ((_TURNED[base] if part.denied else base, nothing),)
    sizes = tuple(Decimal(str(n.value)) for n in part.numbers)
    if any(size <= 0 for size in sizes):
        return ()
    signed = sizes if up else tuple(-size for size in reversed(sizes))
    if part.denied:
        wanted = part.op if up or part.op is None else _UPWARDS.get(part.op)
        return ((_TURNED[wanted], signed),) if wanted in (Operator.GT, Operator.LT) and part.op is Operator.GT else ()
    if part.op in (Operator.LT, Operator.LE):
        ends = part.op if up else _UPWARDS[part.op]
        return ((Operator.GT if up else Operator.LT, nothing), (ends, signed))
    op = part.op or Operator.GE
    return ((op if up else _UPWARDS.get(op, op), signed),)


def _scaled(values: tuple[Decimal, ...], unit: str) -> tuple[Scalar, ...]:
    return tuple(tidy(times(v, Decimal("0.01")) if unit == "percent" else v) for v in values)


def _told(part: Moved, measure: Measure) -> tuple[Default, ...]:
    found = (_NO_BASE,) if measure is Measure.PERCENT else ()
    if not part.numbers or part.op is not None:
        return found
    number = f"{part.numbers[0].value}{'%' if part.numbers[0].unit == 'percent' else ''}"
    text = f"“By {number}” is read as by {number} or more."
    return (Default(key="threshold", value="at_least", text=text), *found)


# -- rankings ------------------------------------------------------------------------------


def moved_rank_piece(edge: int, part: MovedRank, focus: Focus) -> Piece:
    """An order by the change, with only those that moved the way the words say."""
    if len(focus.metrics) > 1:
        return dead(edge, "unsupported", "the change")
    up = rises(part.sense, focus)
    if up is None:
        return dead(edge, "unsupported", "", _NEITHER_WAY)
    metric = focus.metrics[0] if focus.metrics else OPEN_SENSE
    measures = (Measure.AMOUNT, Measure.PERCENT) if part.measure is Measure.EITHER else (part.measure,)
    columns = [c for m in measures if (c := column_of(metric, m, focus.setting.snapshot)) is not None]
    if not columns:
        return dead(edge, "unsupported", "", _POINTS_OR_PERCENT)
    ways = tuple(_by(column, part, up=up) for column in columns)
    limited, defaults = _first_few(part, focus)
    defaults = (*defaults, *_measure_told(part, columns))
    if part.things is None:
        made = [(*way, *limited) for way in ways]
        return Piece(edge=edge, alternatives=tuple(made), slot=Slot.RANKING, word="the change", defaults=defaults)
    over = [over_things(edge, part.things, focus, (*way, *limited), defaults) for way in ways]
    if any(p.dead is not None for p in over):
        return over[0]
    alternatives = tuple(way for p in over for way in p.alternatives)
    slot = Slot.RANKING if len(ways) > 1 else over[0].slot
    word = "growth" if len(ways) > 1 else over[0].word
    return Piece(
        edge=edge, alternatives=alternatives, slot=slot, word=word, defaults=over[0].defaults, open=over[0].open
    )


def _by(column: str, part: MovedRank, *, up: bool) -> tuple[Write, ...]:
    order = Write(field="order", value=Order(by=column, direction=Direction.DESC if up else Direction.ASC))
    if part.both_ways:
        return (order,)
    condition = MetricCondition(metric=column, op=Operator.GT if up else Operator.LT, values=(0,))
    return (order, Write(field="having", value=condition))


def _first_few(part: MovedRank, focus: Focus) -> tuple[tuple[Write, ...], tuple[Default, ...]]:
    if part.things is None and not part.single:
        return (), ()
    count, disclosed = count_of(part.number, focus, single=part.single)
    limit = Write(field="limit", value=count)
    return ((limit, Write(field="kind", value=IntentKind.EXTREME)) if part.single else (limit,)), disclosed


def _measure_told(part: MovedRank, columns: list[str]) -> tuple[Default, ...]:
    """What is said of a ranking whose measure nobody named."""
    percent = columns[0].endswith(Derived.PERCENT_CHANGE)
    found = (_NO_BASE,) if percent and len(columns) == 1 else ()
    if part.stated or len(columns) > 1 or columns[0].endswith(Derived.POINTS):
        return found
    text = (
        "Ranked by the change in percent." if percent else "Ranked by the amount of the change, not by its percentage."
    )
    value = "percent" if percent else "difference"
    return (Default(key="change_measure", value=value, text=text), *found)
