"""Redshift: days of the week that count from Sunday = 0, shifts by DATEADD."""

from __future__ import annotations

from sqlglot import exp

from catalog.compiler.dialects.times import Times
from catalog.compiler.dialects.trees import call, cast, number, plus, text


def _start_of(moment: exp.Expr, unit: str) -> exp.Expr:
    return call("DATE_TRUNC", text(unit.lower()), moment)


def _moved(moment: exp.Expr, count: exp.Expr, unit: str) -> exp.Expr:
    plain = count.this if isinstance(count, exp.Neg) else count
    whole = count if isinstance(plain, exp.Literal) else cast(count, exp.DataType.build("INT"))
    return call("DATEADD", exp.var(unit), whole, moment)


def _part(moment: exp.Expr, part: str) -> exp.Expr:
    found = exp.Extract(this=exp.var("DOW" if part == "isodow" else part.upper()), expression=moment)
    return plus(call("MOD", plus(found, number(6)), number(7)), number(1)) if part == "isodow" else found


TIMES = Times(
    label="Redshift",
    moment=exp.DataType.build("TIMESTAMP"),
    day=exp.DataType.build("DATE"),
    start_of=_start_of,
    moved=_moved,
    part=_part,
)
