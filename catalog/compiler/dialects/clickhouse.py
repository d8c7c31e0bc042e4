"""ClickHouse: the settings that make it follow the standard travel in the text; percentiles by exact functions."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

from sqlglot import exp

from catalog.compiler.dialects.percentiles import share_of
from catalog.compiler.dialects.times import Times
from catalog.compiler.dialects.trees import call, cast, number, plus, text, times

SETTINGS = (
    ("join_use_nulls", number(1)),
    ("aggregate_functions_null_for_empty", number(1)),
    ("count_distinct_implementation", text("uniqExact")),
    ("enable_extended_results_for_datetime_functions", number(1)),
    ("prefer_column_name_to_alias", number(1)),
    ("session_timezone", text("UTC")),
)
"""Without them an outer join gives defaults for NULL, a sum of nothing is 0, and times end at 1970."""

_STARTS = {"DAY": "toStartOfDay", "WEEK": "toMonday", "MONTH": "toStartOfMonth"}
_STARTS |= {"QUARTER": "toStartOfQuarter", "YEAR": "toStartOfYear"}
_PARTS = {"isodow": "toDayOfWeek", "doy": "toDayOfYear", "day": "toDayOfMonth"}
_PARTS |= {"month": "toMonth", "quarter": "toQuarter", "year": "toYear"}


def standard_settings(tree: exp.Expr) -> exp.Expr:
    """The statement with the settings behind it."""
    held = [exp.EQ(this=exp.var(name), expression=value.copy()) for name, value in SETTINGS]
    tree.set("settings", held)
    return tree


def exact_percentiles(tree: exp.Expr) -> exp.Expr:
    """Interpolated ones by quantileExactInclusive; discrete ones are picked from the sorted values."""
    for within in list(tree.find_all(exp.WithinGroup)):
        value = within.expression.expressions[0].this.copy()
        if isinstance(within.this, exp.PercentileCont):
            made = exp.CombinedParameterizedAgg(this="quantileExactInclusive", expressions=[within.this.this.copy()])
            made.set("params", [cast(value, exp.DataType.build("DOUBLE"))])
            within.replace(made)
        elif isinstance(within.this, exp.PercentileDisc):
            within.replace(_discrete(within.this, value))
    return tree


def _discrete(kind: exp.Expr, value: exp.Expr) -> exp.Expr:
    above, below = share_of(kind)
    place = call("intDiv", plus(times(exp.Count(this=value.copy()), number(above)), number(below - 1)), number(below))
    held = call("arraySort", call("groupArray", value))
    return call("arrayElementOrNull", held, call("greatest", place, number(1)))


def type_of(value: object) -> exp.DataType:
    """The type of a bound value, which stands in the text."""
    if isinstance(value, bool):
        return exp.DataType.build("Bool", dialect="clickhouse")
    if isinstance(value, Decimal):
        exponent = value.as_tuple().exponent
        scale = max(0, -exponent) if isinstance(exponent, int) else 0
        return exp.DataType.build(f"Decimal(76, {scale})", dialect="clickhouse")
    kinds: tuple[tuple[type, str], ...] = ((int, "Int64"), (datetime, "DateTime64(6)"), (date, "Date32"))
    found = next((name for kind, name in kinds if isinstance(value, kind)), "String")
    return exp.DataType.build(found, dialect="clickhouse")


def _start_of(moment: exp.Expr, unit: str) -> exp.Expr:
    if unit in _STARTS:
        return exp.Cast(this=call(_STARTS[unit], moment), to=TIMES.moment.copy())
    return call(f"toStartOf{unit.capitalize()}", moment)


def _moved(moment: exp.Expr, count: exp.Expr, unit: str) -> exp.Expr:
    return call(f"add{unit.capitalize()}s", moment, count)


def _part(moment: exp.Expr, part: str) -> exp.Expr:
    return call(_PARTS[part], moment)


TIMES = Times(
    label="ClickHouse",
    moment=exp.DataType.build("Nullable(DateTime64(6))", dialect="clickhouse"),
    day=exp.DataType.build("Nullable(Date32)", dialect="clickhouse"),
    start_of=_start_of,
    moved=_moved,
    part=_part,
)
