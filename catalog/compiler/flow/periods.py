"""Windows, shifts and time spines: the periods that a query is about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlglot import exp

from catalog.compiler.bindings import Bindings
from catalog.compiler.dateparts import named_part
from catalog.compiler.flow.query import FlowQuery
from catalog.compiler.plan import Shift
from catalog.compiler.recount import Reach
from catalog.compiler.refs import SIZES, Ref
from catalog.compiler.sql import as_timestamp, before, column, named, select_from, table, truncated
from catalog.compiler.stop import stop
from catalog.compiler.time import within as bounded
from catalog.issues import IssueCode
from catalog.query import TimeRange
from catalog.types import CatalogSnapshot, TimeGranularity, TimeSpine

SOURCE, SPINE = "source", "spine"
_STEPS = {
    TimeGranularity.MILLISECOND: timedelta(milliseconds=1),
    TimeGranularity.SECOND: timedelta(seconds=1),
    TimeGranularity.MINUTE: timedelta(minutes=1),
    TimeGranularity.HOUR: timedelta(hours=1),
    TimeGranularity.DAY: timedelta(days=1),
    TimeGranularity.WEEK: timedelta(days=7),
}
_MONTHS = {TimeGranularity.MONTH: 1, TimeGranularity.QUARTER: 3, TimeGranularity.YEAR: 12}


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """What every step needs: the catalog, the window and how to compile a query inside the query.

    `whole` is the window of a typed question in days; what looks back or adds up needs no
    period then, and `bindings` hold the moments that it looks at.  With `reach` the rows
    of several periods count towards each.
    """

    snapshot: CatalogSnapshot
    query: FlowQuery
    window: tuple[exp.Expr | None, exp.Expr | None]
    inner: Callable[[FlowQuery], exp.Query]
    read: set[str]
    whole: TimeRange | None = None
    bindings: Bindings | None = None
    reach: Reach | None = None


def custom_spine(snapshot: CatalogSnapshot, grain: str) -> tuple[TimeSpine, str]:
    """The time spine that names a custom period, and the period's column."""
    for spine in snapshot.time_spines:
        for name, held in spine.custom:
            if name == grain:
                return spine, held
    raise stop(IssueCode.UNKNOWN_DIMENSION, f"There is no size of time called {grain}.", subject=grain)


def spine_for(snapshot: CatalogSnapshot, grain: TimeGranularity) -> TimeSpine:
    """The time spine closest to `grain` from below."""
    fitting = [s for s in snapshot.time_spines if SIZES.index(s.granularity) <= SIZES.index(grain)]
    if not fitting:
        message = f"The catalog has no time spine by {grain} or smaller; add one."
        raise stop(IssueCode.INVALID_CATALOG, message, subject=str(grain))
    return max(fitting, key=lambda s: SIZES.index(s.granularity))


def within(flow: Flow, time: exp.Expr) -> list[exp.Expr]:
    """The query's window on a time."""
    if flow.whole is not None and flow.bindings is not None:
        return bounded(time, flow.whole, flow.bindings)
    start, end = flow.window
    found: list[exp.Expr] = []
    if start is not None:
        found.append(exp.GTE(this=time.copy(), expression=start.copy()))
    if end is not None:
        found.append(exp.LT(this=time.copy(), expression=end.copy()))
    return found


def shifted(now: exp.Expr, shifts: tuple[Shift, ...], base: TimeGranularity) -> exp.Expr:
    """The earlier period that is seen from `now`, the outermost step first."""
    for shift in shifts:
        if SIZES.index(shift.granularity) < SIZES.index(base):
            message = f"A look back by {shift.granularity} is finer than the time that is kept by {base}."
            raise stop(IssueCode.GRAIN_TOO_FINE, message, subject=str(shift.granularity))
        now = before(now, shift.count, shift.granularity) if shift.count else truncated(now, shift.granularity)
    return now.copy()


def spine_periods(flow: Flow, grain: TimeGranularity) -> exp.Select:
    """Every period of `grain` once, as `period`."""
    spine = spine_for(flow.snapshot, grain)
    flow.read.add(spine.table)
    held = column(SOURCE, spine.column)
    made = select_from(table(spine.table, SOURCE))
    if spine.granularity is grain:
        return made.select(named(as_timestamp(held), "period"), copy=False)
    return made.select(named(truncated(held, grain), "period"), copy=False).distinct(copy=False)


def spine_at(snapshot: CatalogSnapshot, refs: Sequence[Ref]) -> TimeSpine:
    """The spine that has every grain of `refs`."""
    custom = [custom_spine(snapshot, r.grain)[0] for r in refs if r.grain and r.grain not in set(TimeGranularity)]
    plain = [TimeGranularity(r.grain) for r in refs if r.grain in set(TimeGranularity)]
    parts = [TimeGranularity.DAY for r in refs if r.part]
    smallest = min((*plain, *parts, *(s.granularity for s in custom)), key=SIZES.index, default=TimeGranularity.DAY)
    if not custom:
        return spine_for(snapshot, smallest)
    if len(set(custom)) > 1 or smallest is not custom[0].granularity:
        names = ", ".join(r.column for r in refs)
        raise stop(IssueCode.UNSUPPORTED, f"No time spine has all of {names}.", subject=names)
    return custom[0]


def spine_value(snapshot: CatalogSnapshot, spine: TimeSpine, ref: Ref, alias: str) -> exp.Expr:
    """The spine's column for a time at its grain or date part."""
    held = column(alias, spine.column)
    if ref.part:
        return named_part(held, ref.part, snapshot.calendar)
    if ref.grain and ref.grain not in set(TimeGranularity):
        return column(alias, custom_spine(snapshot, ref.grain)[1])
    grain = ref.grain or str(spine.granularity)
    return as_timestamp(held) if grain == spine.granularity else truncated(held, grain)


def floor(moment: datetime, grain: TimeGranularity) -> datetime:
    """The start of the period in which a moment lies."""
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    if grain in _MONTHS:
        return day.replace(month=(moment.month - 1) // _MONTHS[grain] * _MONTHS[grain] + 1, day=1)
    if grain is TimeGranularity.WEEK:
        return day - timedelta(days=moment.weekday())
    return moment - (moment - day) % _step(grain) if grain is not TimeGranularity.DAY else day


def following(start: datetime, grain: TimeGranularity) -> datetime:
    """The start of the period after the one that starts at `start`."""
    if grain not in _MONTHS:
        return start + _step(grain)
    months = start.year * 12 + start.month - 1 + _MONTHS[grain]
    return start.replace(year=months // 12, month=months % 12 + 1)


def _step(grain: TimeGranularity) -> timedelta:
    step = _STEPS.get(grain)
    if step is None:
        raise stop(IssueCode.UNSUPPORTED, f"A window by {grain} cannot be computed.", subject=str(grain))
    return step
