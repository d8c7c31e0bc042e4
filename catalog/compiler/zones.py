"""Times that are kept in another zone than the workspace's: cut in its days, compared in their own terms.

Grouping converts the column; conditions convert their bounds instead, so that an index
or a partition on the raw column still serves.  Each bound is found once, in Python, from
the zone's own rules: the first moment of a day, also where clocks change at midnight.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sqlglot import exp

from catalog.compiler.bindings import Binder
from catalog.compiler.stop import stop
from catalog.issues import IssueCode
from catalog.types import Calendar, Dimension, Scalar, TimeGranularity

INSTANT, _UTC, _MOVED = "instant", "UTC", "moved_between_zones"
ENGINES = frozenset({"duckdb", "postgres"})
"""Dialects on which a conversion between zones is proved."""
_SIZES = tuple(TimeGranularity)


def local(
    column: exp.Expr, dimension: Dimension, calendar: Calendar, *, grain: TimeGranularity = TimeGranularity.DAY
) -> exp.Expr:
    """The column as the workspace's wall clock shows it, to be cut by `grain`."""
    if not _differs(dimension, calendar):
        return column
    if _SIZES.index(grain) < _SIZES.index(TimeGranularity.DAY) and _changes_clocks(calendar.timezone):
        message = f"Clocks go back in {calendar.timezone}, where one {grain} then happens twice; ask by day."
        raise stop(IssueCode.UNSUPPORTED, message, subject=dimension.name)
    held = column if isinstance(column, exp.Column | exp.Func) else exp.Paren(this=column)
    instant = held if dimension.timezone == INSTANT else _at(held, _UTC)
    return _at(instant, calendar.timezone)


def bound(value: Scalar, dimension: Dimension, calendar: Calendar, bindings: Binder) -> exp.Expr:
    """A day or a time of the workspace's zone as the column would hold it; a day is its first moment."""
    if not isinstance(value, date):
        return bindings.bind(value)
    if not _differs(dimension, calendar):
        return bindings.bind(_wall_clock(value, calendar))
    given = value if isinstance(value, datetime) else datetime.combine(value, time())
    moment = given if given.tzinfo else given.replace(tzinfo=_zone(calendar.timezone))
    held = bindings.bind(moment.astimezone(UTC).replace(tzinfo=None))
    if dimension.timezone != INSTANT:
        return held
    return _at(exp.Cast(this=held, to=exp.DataType.build("TIMESTAMP")), _UTC)


def _wall_clock(value: date, calendar: Calendar) -> date:
    """A time that names its offset, as the workspace's clock shows it."""
    if not isinstance(value, datetime) or value.tzinfo is None:
        return value
    return value.astimezone(_zone(calendar.timezone)).replace(tzinfo=None)


def _differs(dimension: Dimension, calendar: Calendar) -> bool:
    kept = dimension.timezone
    if not kept or kept == calendar.timezone:
        return False
    if kept not in {INSTANT, _UTC}:
        message = f"{dimension.name} is kept in {kept}; only UTC, instants and the workspace's own zone can be read."
        raise stop(IssueCode.UNSUPPORTED, message, subject=dimension.name)
    _zone(calendar.timezone)
    return True


def check_engine(tree: exp.Query, dialect: str, label: str) -> None:
    """A stop where the statement moves times between zones on an engine on which that is not proved."""
    if dialect in ENGINES:
        return
    if any(node.meta.get(_MOVED) for node in tree.find_all(exp.AtTimeZone)):
        message = f"Times that are kept in another zone than the workspace's cannot be cut into days on {label} yet."
        raise stop(IssueCode.UNSUPPORTED, message, subject="timezone")


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as bad:
        message = f"The workspace's time zone {name} is not known."
        raise stop(IssueCode.INVALID_CATALOG, message, subject="timezone") from bad


@lru_cache(maxsize=64)
def _changes_clocks(name: str) -> bool:
    middays = (
        datetime(year, month, 15, 12, tzinfo=_zone(name)) for year in range(1970, 2038) for month in (1, 4, 7, 10)
    )
    return len({m.utcoffset() for m in middays}) > 1


def _at(value: exp.Expr, zone: str) -> exp.Expr:
    made = exp.AtTimeZone(this=value.copy(), zone=exp.Literal.string(zone))
    made.meta[_MOVED] = True
    return made
