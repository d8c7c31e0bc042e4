"""A filter → a condition over one dimension, its literals bound as parameters."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Decimal, InvalidOperation

from sqlglot import exp

from catalog.compiler.bindings import Binder
from catalog.compiler.stop import stop
from catalog.compiler.zones import bound
from catalog.issues import IssueCode
from catalog.types import Calendar, Dimension, DimensionType, Filter, Operator, Scalar

NEGATIONS = frozenset({Operator.NE, Operator.NOT_IN, Operator.IS_NULL})
_NULL_TESTS = {Operator.IS_NULL, Operator.IS_NOT_NULL}
_SETS = {Operator.EQ: False, Operator.IN: False, Operator.NE: True, Operator.NOT_IN: True}
_ORDERED = {Operator.GT: exp.GT, Operator.GE: exp.GTE, Operator.LT: exp.LT, Operator.LE: exp.LTE}
_WORDS = {DimensionType.CATEGORICAL, DimensionType.TEXT, DimensionType.GEO, DimensionType.BOOLEAN, DimensionType.ID}


Bind = Callable[[Scalar], exp.Expr]
"""Makes a value a parameter."""


def condition(
    condition_of: Filter,
    column: exp.Expr,
    dimension: Dimension,
    bindings: Binder,
    *,
    calendar: Calendar | None = None,
) -> exp.Expr:
    """What rows must meet.  `!=` and `not in` keep rows without a value: they are not what is left out.

    With the workspace's `calendar` the column is as it is stored; without, it is a column of a result.
    """
    _check_count(condition_of)

    def bind(value: Scalar) -> exp.Expr:
        return bound(value, dimension, calendar, bindings) if calendar else bindings.bind(value)

    if condition_of.op in _NULL_TESTS:
        return _is_null(column, negated=condition_of.op is Operator.IS_NOT_NULL)
    values = tuple(_fitting(v, dimension, condition_of) for v in condition_of.values)
    if dimension.type is DimensionType.TIME and all(type(v) is date for v in values):
        return _days(condition_of.op, column, values, bind)
    if condition_of.op in _SETS:
        return _members(column, values, bind, negated=_SETS[condition_of.op])
    if dimension.type is DimensionType.ORDINAL:
        return _members(column, _ranked(condition_of.op, values, dimension), bind, negated=False)
    if dimension.type in _WORDS or None in values:
        raise _wrong(condition_of, f"{dimension.name} has no order; it can only be equal to a value or not")
    return compare(condition_of.op, column, values, bind)


def compare(op: Operator, column: exp.Expr, values: tuple[Scalar, ...], bind: Bind) -> exp.Expr:
    """A comparison of any column with bound values."""
    if op is Operator.BETWEEN:
        low, high = (bind(v) for v in values)
        return exp.Between(this=column.copy(), low=low, high=high)
    if op in _ORDERED:
        return _ORDERED[op](this=column.copy(), expression=bind(values[0]))
    if op in _NULL_TESTS:
        return _is_null(column, negated=op is Operator.IS_NOT_NULL)
    return _members(column, values, bind, negated=_SETS[op])


def _check_count(given: Filter) -> None:
    count = len(given.values)
    fits = {Operator.BETWEEN: count == 2, Operator.IN: count >= 1, Operator.NOT_IN: count >= 1}
    if given.op not in _NULL_TESTS and not fits.get(given.op, count == 1):
        raise _wrong(given, f'"{given.op.value}" does not take {count} value{"" if count == 1 else "s"}')


def _members(column: exp.Expr, values: tuple[Scalar, ...], bind: Bind, *, negated: bool) -> exp.Expr:
    """Equal to one of the values; NULL among them means a missing value, which `IN` alone never matches."""
    present = [v for v in values if v is not None]
    tests: list[exp.Expr] = []
    if len(present) == 1:
        kind = exp.NEQ if negated else exp.EQ
        tests.append(kind(this=column.copy(), expression=bind(present[0])))
    elif present:
        inside = exp.In(this=column.copy(), expressions=[bind(v) for v in present])
        tests.append(exp.Not(this=inside) if negated else inside)
    if len(present) < len(values):
        tests.append(_is_null(column, negated=negated))
    if not tests:
        return exp.false()
    if negated and len(present) == len(values):
        return exp.or_(*tests, _is_null(column, negated=False))
    return exp.and_(*tests) if negated else exp.or_(*tests)


def _is_null(column: exp.Expr, *, negated: bool) -> exp.Expr:
    test = exp.Is(this=column.copy(), expression=exp.null())
    return exp.Not(this=test) if negated else test


def _days(op: Operator, column: exp.Expr, values: tuple[Scalar, ...], bind: Bind) -> exp.Expr:
    """Whole days on a column that may hold times: a day is from its start until before the next."""
    days = [v for v in values if isinstance(v, date)]
    first, last = days[0], days[-1]
    after = last + timedelta(days=1)

    def from_(day: date) -> exp.Expr:
        return exp.GTE(this=column.copy(), expression=bind(day))

    def before(day: date) -> exp.Expr:
        return exp.LT(this=column.copy(), expression=bind(day))

    single: dict[Operator, Callable[[], exp.Expr]] = {
        Operator.GT: lambda: from_(after),
        Operator.GE: lambda: from_(first),
        Operator.LT: lambda: before(first),
        Operator.LE: lambda: before(after),
        Operator.BETWEEN: lambda: exp.and_(from_(first), before(after)),
    }
    if op in single:
        return single[op]()
    each = [exp.and_(from_(d), before(d + timedelta(days=1))) for d in days]
    inside = exp.or_(*each)
    if not _SETS[op]:
        return inside
    return exp.or_(exp.Not(this=exp.Paren(this=inside)), _is_null(column, negated=False))


def _ranked(op: Operator, values: tuple[Scalar, ...], dimension: Dimension) -> tuple[Scalar, ...]:
    order = dimension.values
    if not order or any(v not in order for v in values):
        raise stop(
            IssueCode.WRONG_TYPE,
            f"The catalog does not say how the values of {dimension.name} are ordered.",
            subject=dimension.name,
        )
    place = [order.index(str(v)) for v in values]
    kept = {
        Operator.GT: order[place[0] + 1 :],
        Operator.GE: order[place[0] :],
        Operator.LT: order[: place[0]],
        Operator.LE: order[: place[0] + 1],
        Operator.BETWEEN: order[place[0] : place[-1] + 1],
    }
    return kept[op]


def _fitting(value: Scalar, dimension: Dimension, given: Filter) -> Scalar:
    if value is None:
        return None
    fit = _FITS.get(dimension.type)
    try:
        return fit(value) if fit else value
    except (ValueError, KeyError, InvalidOperation, TypeError) as bad:
        raise _wrong(given, f"{dimension.name} is a {dimension.type.value}; {value} is not") from bad


def _as_time(value: Scalar) -> Scalar:
    if isinstance(value, date):
        return value
    if not isinstance(value, str):
        raise TypeError(value)
    return date.fromisoformat(value) if len(value) == 10 else datetime.fromisoformat(value)


def _as_number(value: Scalar) -> Scalar:
    if isinstance(value, bool) or not isinstance(value, int | Decimal | str):
        raise TypeError(value)
    number = Decimal(value) if isinstance(value, str) else value
    if isinstance(number, Decimal) and not number.is_finite():
        raise ValueError(value)
    return number


def _as_boolean(value: Scalar) -> Scalar:
    known: dict[object, bool] = {"true": True, "false": False}
    return value if isinstance(value, bool) else known[str(value).lower()]


_FITS: dict[DimensionType, Callable[[Scalar], Scalar]] = {
    DimensionType.TIME: _as_time,
    DimensionType.NUMBER: _as_number,
    DimensionType.BOOLEAN: _as_boolean,
}


def _wrong(given: Filter, message: str) -> Exception:
    return stop(IssueCode.WRONG_TYPE, f"{message[0].upper()}{message[1:]}.", subject=given.field)
