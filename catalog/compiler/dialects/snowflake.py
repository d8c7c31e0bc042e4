"""Snowflake: weeks that do not depend on WEEK_START, timestamps that do not depend on TIMESTAMP_TYPE_MAPPING."""

from __future__ import annotations

from sqlglot import exp

from catalog.compiler.dialects.times import Times
from catalog.compiler.dialects.trees import call, minus, number, text

_PARTS = {"isodow": "DAYOFWEEKISO", "doy": "DAYOFYEAR"}


def _start_of(moment: exp.Expr, unit: str) -> exp.Expr:
    if unit != "WEEK":
        return call("DATE_TRUNC", text(unit), moment)
    back = minus(number(1), call("DAYOFWEEKISO", moment.copy()))
    return call("DATEADD", exp.var("DAY"), back, call("DATE_TRUNC", text("DAY"), moment))


def _moved(moment: exp.Expr, count: exp.Expr, unit: str) -> exp.Expr:
    return call("DATEADD", exp.var(unit), count, moment)


def _part(moment: exp.Expr, part: str) -> exp.Expr:
    return call(_PARTS.get(part, part.upper()), moment)


TIMES = Times(
    label="Snowflake",
    moment=exp.DataType.build("TIMESTAMPNTZ"),
    day=exp.DataType.build("DATE"),
    start_of=_start_of,
    moved=_moved,
    part=_part,
)
