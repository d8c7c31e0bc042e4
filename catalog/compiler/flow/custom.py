"""A look back by custom periods: the n-th day of a period is seen from the n-th day of a later one."""

from __future__ import annotations

from sqlglot import exp

from catalog.compiler.flow.periods import SOURCE, Flow, custom_spine
from catalog.compiler.plan import Shift
from catalog.compiler.sql import as_timestamp, column, join, named, select_from, subquery, table
from catalog.compiler.stop import stop
from catalog.issues import IssueCode
from catalog.types import TimeGranularity

_DAYS, _ENDS = "days", "ends"


def custom_periods(flow: Flow, shift: Shift, base: TimeGranularity) -> exp.Select:
    """Each spine row as `looked_up`, with the row from which it is seen as `period`.

    A period that is longer than the later one ends with the later one's last row.
    """
    spine, custom = custom_spine(flow.snapshot, shift.custom)
    if spine.granularity is not base:
        message = f"A look back by {shift.custom} fits times kept by {spine.granularity} only, not by {base}."
        raise stop(IssueCode.UNSUPPORTED, message, subject=shift.custom)
    flow.read.add(spine.table)
    days = _days(spine.table, spine.column, custom)
    same = exp.EQ(this=column(_DAYS, "custom"), expression=column(_ENDS, "custom"))
    made = select_from(subquery(days, _DAYS), [join(subquery(_ends(days, shift.count), _ENDS), [same], side="INNER")])
    one = exp.Interval(this=exp.Literal.string("1"), unit=exp.var(base.value.upper()))
    place = exp.paren(exp.Sub(this=column(_DAYS, "place"), expression=exp.Literal.number(1)), copy=False)
    moved = exp.Add(this=column(_ENDS, "first_after"), expression=exp.Mul(this=place, expression=one))
    seen_from = exp.Least(this=moved, expressions=[column(_ENDS, "last_after")])
    return made.select(named(column(_DAYS, "day"), "looked_up"), named(seen_from, "period"), copy=False)


def _days(spine: str, time: str, custom: str) -> exp.Select:
    day, period = as_timestamp(column(SOURCE, time)), column(SOURCE, custom)
    order = exp.Order(expressions=[exp.Ordered(this=day.copy(), nulls_first=False)])
    columns = {
        "day": day,
        "custom": period,
        "first_day": exp.Window(this=exp.Min(this=day.copy()), partition_by=[period.copy()]),
        "last_day": exp.Window(this=exp.Max(this=day.copy()), partition_by=[period.copy()]),
        "place": exp.Window(this=exp.RowNumber(), partition_by=[period.copy()], order=order),
    }
    return select_from(table(spine, SOURCE)).select(*(named(v, n) for n, v in columns.items()), copy=False)


def _ends(days: exp.Select, count: int) -> exp.Select:
    held = ("custom", "first_day", "last_day")
    once = select_from(subquery(days.copy(), _DAYS)).select(*(named(column(_DAYS, n), n) for n in held), copy=False)
    made = select_from(subquery(once.distinct(copy=False), _ENDS))
    return made.select(
        named(column(_ENDS, "custom"), "custom"),
        named(_lead("first_day", count), "first_after"),
        named(_lead("last_day", count), "last_after"),
        copy=False,
    )


def _lead(name: str, count: int) -> exp.Window:
    order = exp.Order(expressions=[exp.Ordered(this=column(_ENDS, "custom"), nulls_first=False)])
    return exp.Window(this=exp.Lead(this=column(_ENDS, name), offset=exp.Literal.number(count)), order=order)
