"""BigQuery: times without a zone are DATETIME, weeks start on Sunday unless told, outer joins need equal values."""

from __future__ import annotations

from sqlglot import exp

from catalog.compiler.dialects.times import Times
from catalog.compiler.dialects.trees import call, cast, number, plus

_ORDERED = (exp.GT, exp.GTE, exp.LT, exp.LTE)
_MOMENT = exp.DataType.build("TIMESTAMP")
_PARTS = {"isodow": "DAYOFWEEK", "doy": "DAYOFYEAR"}


def same(one: exp.Expr, other: exp.Expr) -> exp.Expr:
    """Equality of any two values of one type, missing ones included, that an outer join may stand on."""
    return exp.EQ(this=call("TO_JSON_STRING", one), expression=call("TO_JSON_STRING", other))


def moments_compared(tree: exp.Expr) -> exp.Expr:
    """Columns of DATE, DATETIME and TIMESTAMP meet a bound day as DATETIME, which alone fits all three."""
    for node in list(tree.find_all(*_ORDERED)):
        value = node.expression
        if isinstance(value, exp.Placeholder) and value.type is not None and value.type.is_type("DATE", "TIMESTAMP"):
            node.set("this", cast(node.this.copy(), _MOMENT))
            node.set("expression", cast(value.copy(), _MOMENT))
    return tree


def _start_of(moment: exp.Expr, unit: str) -> exp.Expr:
    return call("DATETIME_TRUNC", moment, exp.var("ISOWEEK" if unit == "WEEK" else unit))


def _moved(moment: exp.Expr, count: exp.Expr, unit: str) -> exp.Expr:
    return call("DATETIME_ADD", moment, exp.Interval(this=exp.Paren(this=count), unit=exp.var(unit)))


def _part(moment: exp.Expr, part: str) -> exp.Expr:
    found = exp.Extract(this=exp.var(_PARTS.get(part, part.upper())), expression=moment)
    return plus(call("MOD", plus(found, number(5)), number(7)), number(1)) if part == "isodow" else found


TIMES = Times(
    label="BigQuery",
    moment=_MOMENT,
    day=exp.DataType.build("DATE"),
    start_of=_start_of,
    moved=_moved,
    part=_part,
)
