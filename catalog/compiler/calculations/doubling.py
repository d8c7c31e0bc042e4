"""The periods of a timeline, each once, also those without rows."""

from __future__ import annotations

from functools import partial

from sqlglot import exp

from catalog.compiler.calculations.lining import read_from
from catalog.compiler.calculations.setting import Timeline
from catalog.compiler.calculations.span import FIRST_NEEDED, LAST_SHOWN, PERIOD, SPAN
from catalog.compiler.calculations.steps import Step, later_by, one, times
from catalog.compiler.listing import doublings, listed
from catalog.compiler.relation import Queries
from catalog.compiler.sql import column, named
from catalog.query import TimeRange

PERIODS = "periods"
_DIGITS = "digits"


def periods_queries(timeline: Timeline, window: TimeRange | None, before: int) -> Queries:
    """The queries whose last one, `periods`, holds every period that is needed."""
    first, last = column(SPAN, FIRST_NEEDED), column(SPAN, LAST_SHOWN)
    start = read_from(SPAN).select(named(first, PERIOD), named(last, LAST_SHOWN), copy=False)
    start = start.where(exp.LTE(this=first.copy(), expression=last.copy()), copy=False)
    bits = doublings(timeline.grain, window, before)
    return listed(PERIODS, start, partial(_later, one(timeline.grain)), bits, digits=_DIGITS)


def _later(step: Step, period: exp.Expr, count: exp.Expr, width: int) -> exp.Expr:
    return later_by(period, count, times(step, width))
