"""Whether two results hold the same values: rows as a multiset, numbers by value, columns found by search.

The columns of the expected result are assigned to columns of the actual one by
backtracking, and each partial assignment must already agree row by row, so
values that were swapped between rows are told even though every column alone
holds the right values.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time
from decimal import Decimal

from catalog.types import Scalar
from evals.types import ComparisonRule, ResultRows

Cell = Scalar | float
MAX_TRIES = 20_000
_MAX_PAIRED_ROWS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultComparison:
    """Whether the results agree, and if not why; `columns` maps expected to actual positions."""

    equal: bool
    reason: str = ""
    columns: tuple[int, ...] = ()


def compare_results(
    actual: ResultRows,
    expected: ResultRows,
    rule: ComparisonRule,
    *,
    order_keys: tuple[int, ...] | None = None,
) -> ResultComparison:
    """Whether `actual` holds the values of `expected`.

    `order_keys` are the expected columns by which the reference orders; None: the
    order of rows is free.  Duplicate rows count.  Decimals and integers are exact;
    floats agree within the rule's relative tolerance.
    """
    reason = _differing_shape(actual, expected, rule)
    if reason:
        return ResultComparison(equal=False, reason=reason)
    left = [_column(expected, i) for i in range(len(expected.columns))]
    right = [_column(actual, i) for i in range(len(actual.columns))]
    search = _Search(left, right, rule.float_tolerance, order_keys)
    return search.run()


def _differing_shape(actual: ResultRows, expected: ResultRows, rule: ComparisonRule) -> str:
    if actual.truncated or expected.truncated:
        return "the row cap cut a result, so it cannot be compared"
    if len(actual.rows) != len(expected.rows):
        return f"{len(actual.rows)} rows instead of {len(expected.rows)}"
    if len(actual.columns) < len(expected.columns):
        return f"{len(actual.columns)} columns instead of {len(expected.columns)}"
    if len(actual.columns) > len(expected.columns) and not rule.extra_columns:
        return f"{len(actual.columns)} columns where exactly {len(expected.columns)} are wanted"
    return ""


def _column(result: ResultRows, index: int) -> tuple[Cell, ...]:
    return tuple(_value(row[index]) for row in result.rows)


def _value(cell: Cell) -> Cell:
    """The cell by value: integral decimals as integers, midnight as its day."""
    if isinstance(cell, datetime):
        return cell.date() if cell.time() == time(0) and cell.tzinfo is None else cell
    if isinstance(cell, Decimal) and cell.is_finite() and cell == cell.to_integral_value():
        return int(cell)
    return cell


@dataclass(slots=True)
class _Search:
    """Backtracking over column assignments, most constrained column first."""

    expected: Sequence[tuple[Cell, ...]]
    actual: Sequence[tuple[Cell, ...]]
    tolerance: float
    order_keys: tuple[int, ...] | None
    tries: int = 0

    def run(self) -> ResultComparison:
        """The comparison's outcome."""
        candidates = [self._candidates(i) for i in range(len(self.expected))]
        missing = next((i for i, found in enumerate(candidates) if not found), None)
        if missing is not None:
            return ResultComparison(equal=False, reason=f"no column holds the values of column {missing + 1}")
        order = sorted(range(len(candidates)), key=lambda i: len(candidates[i]))
        found = self._extend({}, order, candidates)
        if found is not None:
            return ResultComparison(equal=True, columns=tuple(found[i] for i in range(len(self.expected))))
        if self.tries >= MAX_TRIES:
            return ResultComparison(equal=False, reason="too many alike columns to tell")
        where = "" if self.order_keys is None else " in that order"
        return ResultComparison(equal=False, reason=f"the columns hold the values, but no rows agree{where}")

    def _candidates(self, index: int) -> list[int]:
        return [j for j in range(len(self.actual)) if self._agree({index: j})]

    def _extend(self, chosen: dict[int, int], order: list[int], candidates: list[list[int]]) -> dict[int, int] | None:
        if len(chosen) == len(order):
            return chosen if self._ordered(chosen) else None
        index = order[len(chosen)]
        for j in candidates[index]:
            if j in chosen.values():
                continue
            self.tries += 1
            if self.tries >= MAX_TRIES:
                return None
            longer = {**chosen, index: j}
            found = self._extend(longer, order, candidates) if self._agree(longer) else None
            if found is not None:
                return found
        return None

    def _agree(self, chosen: dict[int, int]) -> bool:
        left = [self.expected[i] for i in chosen]
        right = [self.actual[j] for j in chosen.values()]
        loose = [k for k in range(len(left)) if _approximate(left[k]) or _approximate(right[k])]
        return _same_rows(left, right, loose, self.tolerance)

    def _ordered(self, chosen: dict[int, int]) -> bool:
        if self.order_keys is None:
            return True
        pairs = [(self.expected[i], self.actual[chosen[i]]) for i in self.order_keys]
        return all(_close(a, b, self.tolerance) for left, right in pairs for a, b in zip(left, right, strict=True))


def _approximate(column: Sequence[Cell]) -> bool:
    return any(_is_approximate(cell) for cell in column)


def _is_approximate(cell: Cell) -> bool:
    """A float, or a decimal that shows a float's digits (an engine's double that was kept as text)."""
    if isinstance(cell, float):
        return True
    if not isinstance(cell, Decimal) or not cell.is_finite():
        return False
    exponent = cell.as_tuple().exponent
    return isinstance(exponent, int) and exponent < -6 and len(cell.as_tuple().digits) >= 12


def _same_rows(left: list[tuple[Cell, ...]], right: list[tuple[Cell, ...]], loose: list[int], tolerance: float) -> bool:
    """Whether the rows agree as multisets: exact cells by key, loose ones by pairing within equal keys."""
    mine, yours = _grouped(left, loose), _grouped(right, loose)
    if mine.keys() != yours.keys():
        return False
    return all(_pairs_up(rows, yours[key], tolerance) for key, rows in mine.items())


_Key = tuple[tuple[str, object], ...]
_Loose = tuple[Cell, ...]


def _grouped(columns: list[tuple[Cell, ...]], loose: list[int]) -> dict[_Key, Counter[_Loose]]:
    groups: dict[_Key, Counter[_Loose]] = {}
    for row in zip(*columns, strict=True):
        key = tuple(_exact(cell) for k, cell in enumerate(row) if k not in loose)
        groups.setdefault(key, Counter())[tuple(row[k] for k in loose)] += 1
    return groups


def _exact(cell: Cell) -> tuple[str, object]:
    """A key that tells true from 1, and 1 from "1"."""
    if isinstance(cell, bool):
        return ("bool", cell)
    if isinstance(cell, int | Decimal | float):
        return ("number", cell)
    return (type(cell).__name__, cell)


def _pairs_up(left: Counter[_Loose], right: Counter[_Loose], tolerance: float) -> bool:
    mine, yours = sorted(left.elements(), key=_sort_key), sorted(right.elements(), key=_sort_key)
    if len(mine) != len(yours):
        return False
    if all(_close_rows(a, b, tolerance) for a, b in zip(mine, yours, strict=True)):
        return True
    return len(mine) <= _MAX_PAIRED_ROWS and bool(mine) and len(mine[0]) > 1 and _matched(mine, yours, tolerance)


def _sort_key(row: _Loose) -> tuple[tuple[int, float, str], ...]:
    return tuple((0, _number(c), "") if _is_number(c) else (1, 0.0, repr(c)) for c in row)


def _matched(left: list[_Loose], right: list[_Loose], tolerance: float) -> bool:
    """Whether each row finds a partner of its own (augmenting paths); near-equal floats may sort differently."""
    near = [[j for j, b in enumerate(right) if _close_rows(a, b, tolerance)] for a in left]
    partner: dict[int, int] = {}

    def place(i: int, seen: set[int]) -> bool:
        for j in near[i]:
            if j not in seen:
                seen.add(j)
                if j not in partner or place(partner[j], seen):
                    partner[j] = i
                    return True
        return False

    return all(place(i, set()) for i in range(len(left)))


def _close_rows(left: _Loose, right: _Loose, tolerance: float) -> bool:
    return all(_close(a, b, tolerance) for a, b in zip(left, right, strict=True))


def _close(left: Cell, right: Cell, tolerance: float) -> bool:
    if not (_is_number(left) and _is_number(right)):
        return _exact(left) == _exact(right)
    if not (_is_approximate(left) or _is_approximate(right)):
        return _exact(left) == _exact(right)
    a, b = _number(left), _number(right)
    return (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=tolerance, abs_tol=0.0)


def _is_number(cell: Cell) -> bool:
    return isinstance(cell, int | float | Decimal) and not isinstance(cell, bool)


def _number(cell: Cell) -> float:
    return float(cell) if isinstance(cell, int | float | Decimal) else 0.0
