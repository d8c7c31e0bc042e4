"""Parts of a date: what comes back every week, month or year, and the names of fiscal periods."""

from __future__ import annotations

from sqlglot import exp

from catalog.compiler.sql import as_timestamp, cast, extracted
from catalog.compiler.stop import stop
from catalog.issues import IssueCode
from catalog.timeparts import PART_WORDS
from catalog.types import Calendar, DatePart

LABELS = {**PART_WORDS, DatePart.DAY_OF_WEEK: "day of the week, 1 is Monday"}
"""What stands above a column of each part."""

_FISCAL = {DatePart.FISCAL_YEAR, DatePart.FISCAL_QUARTER, DatePart.FISCAL_MONTH}


def part_of(value: exp.Expr, part: DatePart, calendar: Calendar) -> exp.Expr:
    """A part of a time: a number, or the name of a fiscal period."""
    if part not in _FISCAL:
        return extracted(value, part.value)
    named = exp.DPipe(this=exp.Literal.string("FY"), expression=_text(_fiscal_year(value, calendar)), safe=False)
    if part is DatePart.FISCAL_YEAR:
        return named
    month = _months_in(value, calendar)
    if part is DatePart.FISCAL_QUARTER:
        return _then(named, " Q", exp.Case(ifs=[_case(month, 4, "1"), _case(month, 7, "2"), _case(month, 10, "3")],
                                           default=exp.Literal.string("4")))  # fmt: skip
    below_ten = exp.If(this=exp.LT(this=month, expression=exp.Literal.number(10)), true=exp.Literal.string(" M0"))
    lead = exp.Case(ifs=[below_ten], default=exp.Literal.string(" M"))
    whole = exp.DPipe(this=named, expression=lead, safe=False)
    return exp.DPipe(this=whole, expression=_text(month.copy()), safe=False)


def named_part(value: exp.Expr, name: str, calendar: Calendar) -> exp.Expr:
    """The part that is called `name`, or a typed stop."""
    if name not in set(DatePart):
        choices = tuple(str(p) for p in DatePart)
        raise stop(IssueCode.UNSUPPORTED, f"A date has no part {name}.", subject=name, choices=choices)
    return part_of(value, DatePart(name), calendar)


def _then(named: exp.Expr, lead: str, value: exp.Expr) -> exp.Expr:
    led = exp.DPipe(this=named, expression=exp.Literal.string(lead), safe=False)
    return exp.DPipe(this=led, expression=value, safe=False)


def _case(month: exp.Expr, before: int, name: str) -> exp.If:
    return exp.If(this=exp.LT(this=month.copy(), expression=exp.Literal.number(before)), true=exp.Literal.string(name))


def _months_in(value: exp.Expr, calendar: Calendar) -> exp.Expr:
    """The number of the month in its fiscal year, from 1."""
    return extracted(_moved(value, 1 - calendar.fiscal.start_month), "month")


def _fiscal_year(value: exp.Expr, calendar: Calendar) -> exp.Expr:
    """The year after which a fiscal year is called: that of its end, or of its start."""
    first = calendar.fiscal.start_month
    months = 1 - first if calendar.fiscal.label_by == "start_year" else (13 - first) % 12
    return extracted(_moved(value, months), "year")


def _moved(value: exp.Expr, months: int) -> exp.Expr:
    month = exp.TimestampTrunc(this=as_timestamp(value.copy()), unit=exp.var("MONTH"))
    if not months:
        return month
    amount = exp.Interval(this=exp.Literal.string(str(abs(months))), unit=exp.var("MONTH"))
    return exp.Add(this=month, expression=amount) if months > 0 else exp.Sub(this=month, expression=amount)


def _text(value: exp.Expr) -> exp.Expr:
    return cast(value, exp.DType.TEXT)
