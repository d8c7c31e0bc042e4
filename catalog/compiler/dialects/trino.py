"""Trino: timestamps to the microsecond, shifts by date_add, which knows milliseconds and longer."""

from __future__ import annotations

from sqlglot import exp

from catalog.compiler.dialects.times import UNITS, Times
from catalog.compiler.dialects.trees import call, text

_PARTS = {"isodow": "DAY_OF_WEEK", "doy": "DAY_OF_YEAR"}


def _start_of(moment: exp.Expr, unit: str) -> exp.Expr:
    return call("DATE_TRUNC", text(unit.lower()), moment)


def _moved(moment: exp.Expr, count: exp.Expr, unit: str) -> exp.Expr:
    return call("DATE_ADD", text(unit.lower()), count, moment)


def _part(moment: exp.Expr, part: str) -> exp.Expr:
    return call(_PARTS.get(part, part.upper()), moment)


TIMES = Times(
    label="Trino",
    moment=exp.DataType.build("TIMESTAMP(6)", dialect="trino"),
    day=exp.DataType.build("DATE"),
    start_of=_start_of,
    moved=_moved,
    part=_part,
    units=tuple(u for u in UNITS if u != "MICROSECOND"),
)
