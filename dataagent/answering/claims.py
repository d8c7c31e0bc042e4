"""Prose is bound to cells: every number of an answer is recomputed from the result before it is shown."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from catalog.calculations import Derived, PeriodComparison
from catalog.query import IntentKind, MetricIntent, Parameter, QuerySpec, ResultColumn, TimeRange
from catalog.types import Filter, MetricFormat, Operator, Scalar
from dataagent.answering.numerals import cell_text, is_slight, number_text, rounded_text
from dataagent.answering.types import CellRef, Check, CheckOutcome, Claim

Rows = tuple[tuple[Scalar, ...], ...]
Cell = tuple[Scalar, ResultColumn]
EACH, CHANGE, HOLDS, ALL_HOLD, TOGETHER, ROWS = "each", "change", "holds", "all_hold", "together", "rows"
CORRELATED = "correlated"
"""Calculations of sentences: each cell as it is; a value, an earlier one and the change; a figure that a condition
is held against; how many changes go one way ("all_hold_up", "all_hold_down"); the sum of all cells; how
many rows there are, a cell of each.  CORRELATED is Pearson's r of pairs of cells, row by row."""
_CHANGE_TOLERANCE = Decimal("0.000001")


def bound(claims: tuple[Claim, ...], columns: tuple[ResultColumn, ...], rows: Rows, total: Rows) -> tuple[Claim, ...]:
    """The claims whose value follows from their cells, in order.  Others are dropped, never shown."""
    return tuple(c for c in claims if _follows(c, columns, {"result": rows, "total": total}))


def _follows(claim: Claim, columns: tuple[ResultColumn, ...], tables: dict[str, Rows]) -> bool:
    try:
        values = [_cell(ref, columns, tables) for ref in claim.cells]
    except (IndexError, KeyError):
        return False
    return calculated(claim.calculation, values) == claim.value and all(t in claim.text for t in _stated(claim, values))


def _stated(claim: Claim, cells: list[Cell]) -> list[str]:
    """Every text that the claim has to state, as it follows from the cells."""
    if claim.calculation == EACH:
        return [cell_text(*c) for c in cells]
    if claim.calculation == CHANGE:
        return [cell_text(*cells[0]), cell_text(*cells[1]), words_of_change(*cells[2])]
    return [claim.value]


def words_of_change(value: Scalar, column: ResultColumn) -> str:
    """A change as it stands before "in February": "8.3 % more than", "the same as"; "" where it is unknown.

    A change that would be shown as 0 is "about the same as", never "0.0 more than".
    """
    if not isinstance(value, int | Decimal):
        return ""
    if column.derived is Derived.RATIO:
        return f"{number_text(value)} times that"
    if value == 0:
        return "the same as"
    if is_slight(value, column):
        return "about the same as"
    amount = number_text(Decimal(value).copy_abs(), column.format, column.unit)
    return f"{amount} {'more' if value > 0 else 'less'} than"


def _cell(ref: CellRef, columns: tuple[ResultColumn, ...], tables: dict[str, Rows]) -> Cell:
    names = [c.name for c in columns]
    if ref.column not in names:
        raise KeyError(ref.column)
    position = names.index(ref.column)
    return tables[ref.table][ref.row][position], columns[position]


def calculated(calculation: str, cells: list[tuple[Scalar, ResultColumn]]) -> str:
    """The text of a stated calculation over cells: "" (the cell itself), difference, percent_change or share.

    percent_change is (last − first) / |first|; share is first / second.  "" where it cannot be computed.
    Sentences with several numbers (EACH, CHANGE) have the first cell as their value.
    """
    if len(cells) == _CELLS.get(calculation, 0):
        return "" if calculation == CHANGE and not _change_fits(cells) else cell_text(*cells[0])
    if calculation == ROWS:
        return number_text(len(cells))
    if calculation == CORRELATED:
        return correlation_of([v for v, _ in cells])
    if calculation.startswith(ALL_HOLD):
        return _held(cells, upwards=calculation.endswith("up"))
    numbers = [Decimal(v) for v, _ in cells if isinstance(v, int | Decimal) and not isinstance(v, bool)]
    if calculation == TOGETHER and numbers and len(numbers) == len(cells):
        return cell_text(sum(numbers, Decimal(0)), cells[0][1])
    if len(numbers) != 2 or len(cells) != 2:
        return ""
    first, last = numbers
    if calculation == "difference":
        return number_text(last - first, cells[0][1].format, cells[0][1].unit)
    if calculation == "percent_change" and first != 0:
        return number_text((last - first) / abs(first), MetricFormat.PERCENT)
    if calculation == "share" and last != 0:
        return number_text(first / last, MetricFormat.PERCENT)
    return ""


def correlation_of(cells: list[Scalar]) -> str:
    """Pearson's r of the pairs (first, second, first, second …) to two decimals.

    "" of fewer than 3 pairs, and where one of the two never changes.

    Source: r = Σ(x − x̄)(y − ȳ) / √(Σ(x − x̄)² · Σ(y − ȳ)²).
    """
    numbers = [Decimal(v) for v in cells if isinstance(v, int | Decimal) and not isinstance(v, bool)]
    firsts, seconds = numbers[::2], numbers[1::2]
    if len(numbers) != len(cells) or len(firsts) != len(seconds) or len(firsts) < _FEWEST_PAIRS:
        return ""
    means = (sum(firsts, Decimal(0)) / len(firsts), sum(seconds, Decimal(0)) / len(seconds))
    apart = [(x - means[0], y - means[1]) for x, y in zip(firsts, seconds, strict=True)]
    spread = sum((x * x for x, _ in apart), Decimal(0)) * sum((y * y for _, y in apart), Decimal(0))
    if not spread:
        return ""
    return rounded_text(sum((x * y for x, y in apart), Decimal(0)) / spread.sqrt(), 2)


_FEWEST_PAIRS = 3
_CELLS = {"": 1, HOLDS: 1, EACH: 2, CHANGE: 3}
"""How many cells a sentence has whose value is the first of them."""


def _held(cells: list[Cell], *, upwards: bool) -> str:
    """How many of the changes go that way: "9 of 12"."""
    moved = [Decimal(v) for v, _ in cells if isinstance(v, int | Decimal)]
    return f"{sum(1 for m in moved if (m > 0 if upwards else m < 0))} of {len(cells)}"


def _change_fits(cells: list[Cell]) -> bool:
    """Whether the change that came back is the change between the two values beside it."""
    now, before, change = (Decimal(v) if isinstance(v, int | Decimal) else None for v, _ in cells)
    if now is None or before is None or change is None:
        return False
    derived = cells[2][1].derived
    if derived in (Derived.PERCENT_CHANGE, Derived.RATIO) and before == 0:
        return False
    wanted = {
        Derived.PERCENT_CHANGE: lambda: (now - before) / abs(before),
        Derived.RATIO: lambda: now / before,
        Derived.POINTS: lambda: (now - before) * 100,
    }.get(derived or Derived.DIFFERENCE, lambda: now - before)()
    return abs(wanted - change) <= _CHANGE_TOLERANCE * max(abs(wanted), Decimal(1))


def stated_conditions(
    intent: MetricIntent, parameters: tuple[Parameter, ...], *, open_start: bool = False, spec: QuerySpec | None = None
) -> tuple[Check, ...]:
    """Checks that each filter and the windows that the answer states are really bound in the SQL that ran.

    `open_start`: a running figure as of the window's end, so only the end is stated, of an earlier window too.
    The condition of a yes or no is not among them: the answer holds it against the figure.
    """
    bound_values = {_comparable(p.value) for p in parameters}
    wanted: list[tuple[str, Scalar]] = [(f.field, v) for f in intent.filters for v in bound_as(f)]
    if intent.kind not in (IntentKind.BOOLEAN, IntentKind.EXISTS):
        wanted += [(h.metric, v) for h in (*intent.having, *intent.entity_condition) for v in h.values]
    wanted += [("the period compared with", end) for end in _other_window(spec, open_start=open_start)]
    wanted += [(f.field, v) for s in intent.sets for f in s.filters for v in bound_as(f)]
    wanted += [("time range", end) for s in intent.sets if s.time_range for end in _ends(s.time_range)]
    if intent.time_range is not None:
        ends = (None if open_start else intent.time_range.start, intent.time_range.end)
        wanted += [("time range", end) for end in ends if end is not None]
    missing = sorted({name for name, value in wanted if _comparable(value) not in bound_values and value is not None})
    if not missing:
        return (Check(name="stated_conditions", outcome=CheckOutcome.PASSED, detail="Each stated filter ran."),)
    detail = f"These stated conditions are not in the SQL that ran: {', '.join(missing)}."
    return (Check(name="stated_conditions", outcome=CheckOutcome.FAILED, detail=detail),)


def bound_as(given: Filter) -> tuple[Scalar, ...]:
    """The values of a filter as they are bound: a last day is the moment before the day after it begins."""
    days = [v for v in given.values if type(v) is date]
    if len(days) != len(given.values) or given.op not in _ENDS_WITH_DAY:
        return given.values
    return (*days[:-1], days[-1] + timedelta(days=1))


_ENDS_WITH_DAY = frozenset({Operator.BETWEEN, Operator.LE, Operator.GT})


def _ends(window: TimeRange) -> tuple[date, ...]:
    return tuple(end for end in (window.start, window.end) if end is not None)


def _other_window(spec: QuerySpec | None, *, open_start: bool) -> tuple[date, ...]:
    comparison = spec.comparison if spec else None
    if not isinstance(comparison, PeriodComparison) or comparison.window is None:
        return ()
    ends = (None if open_start else comparison.window.start, comparison.window.end)
    return tuple(end for end in ends if end is not None)


def _comparable(value: Scalar) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | Decimal):
        return f"{Decimal(value).normalize():f}"
    return value.isoformat()[:10] if isinstance(value, date) else str(value)
