"""Days, weeks and months are those of the workspace's zone, whatever zone a time is kept in."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo

import duckdb
import pytest
from django.db import connection
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.compiler import compile_query
from catalog.compiler.dialects import DIALECTS
from catalog.issues import Issue, IssueCode
from catalog.query import CompiledQuery, GroupBy, QuerySpec, TimeRange
from catalog.types import (
    METRIC_TIME,
    Aggregation,
    Calendar,
    CatalogSnapshot,
    Dimension,
    DimensionType,
    Filter,
    Measure,
    Metric,
    MetricInput,
    MetricType,
    Operator,
    Scalar,
    SemanticModel,
    TimeGranularity,
)

ZONES = (
    "Europe/London",
    "America/New_York",
    "Asia/Kolkata",
    "Pacific/Auckland",
    "America/Sao_Paulo",
    "Atlantic/Azores",
)
KEPT = {"UTC": "TIMESTAMP", "instant": "TIMESTAMPTZ"}
CHANGES = [
    (2026, 3, 29),
    (2026, 10, 25),
    (2026, 3, 8),
    (2026, 11, 1),
    (2018, 11, 4),
    (2018, 2, 18),
    (2024, 2, 29),
    (2025, 12, 31),
]
Moments = tuple[datetime, ...]

near_changes = st.builds(
    lambda day, minutes: datetime(*day, tzinfo=UTC) + timedelta(minutes=minutes),
    st.sampled_from(CHANGES),
    st.integers(-30 * 60, 54 * 60),
)


@cache
def catalog(kept: str, zone: str, grain: TimeGranularity = TimeGranularity.DAY) -> CatalogSnapshot:
    at = Dimension(name="at", type=DimensionType.TIME, expr="happened", granularity=grain, timezone=kept)
    count = Measure(name="lines", agg=Aggregation.COUNT, expr="1", agg_time_dimension="at")
    before = MetricInput(metric="events", alias="before", offset_count=1, offset_granularity=TimeGranularity.DAY)
    return CatalogSnapshot(
        name="zones",
        digest="",
        dialect="duckdb",
        calendar=Calendar(timezone=zone),
        models=(SemanticModel(name="events", table="zones.events", dimensions=(at,), measures=(count,)),),
        metrics=(
            Metric(name="events", type=MetricType.SIMPLE, measure="lines"),
            Metric(name="running", type=MetricType.CUMULATIVE, measure="lines"),
            Metric(
                name="rise",
                type=MetricType.DERIVED,
                expr="events - before",
                inputs=(MetricInput(metric="events"), before),
            ),
        ),
    )


def spec(*metrics: str, grain: TimeGranularity | None = None, window: tuple[date, date] | None = None) -> QuerySpec:
    return QuerySpec(
        metrics=metrics or ("events",),
        group_by=(GroupBy(dimension=METRIC_TIME, granularity=grain),) if grain else (),
        time_range=TimeRange(start=window[0], end=window[1], expr="") if window else None,
    )


def compiled(question: QuerySpec, snapshot: CatalogSnapshot, dialect: str = "duckdb") -> CompiledQuery:
    found = compile_query(question, snapshot, dialect=dialect)
    assert isinstance(found, CompiledQuery), found
    return found


def run(question: QuerySpec, moments: Moments, kept: str, zone: str) -> list[tuple[object, ...]]:
    made = duckdb.connect()
    made.execute("SET TimeZone = 'Asia/Tokyo'")
    made.execute(f"CREATE SCHEMA zones; CREATE TABLE zones.events(happened {KEPT[kept]})")
    for moment in moments:
        made.execute(
            "INSERT INTO zones.events VALUES (?)", [moment if kept == "instant" else moment.replace(tzinfo=None)]
        )
    query = compiled(question, catalog(kept, zone))
    rows = made.execute(query.sql, {p.name: p.value for p in query.parameters}).fetchall()
    made.close()
    return rows


@pytest.mark.parametrize("kept", KEPT)
@pytest.mark.parametrize("zone", ZONES)
@settings(max_examples=6, deadline=None, derandomize=True)
@given(moments=st.lists(near_changes, min_size=1, max_size=8).map(tuple))
def test_each_moment_falls_on_the_day_that_the_workspaces_clock_shows(kept: str, zone: str, moments: Moments) -> None:
    days = Counter(m.astimezone(ZoneInfo(zone)).date() for m in moments)
    assert dict(run(spec(grain=TimeGranularity.DAY), moments, kept, zone)) == days
    months = Counter(m.astimezone(ZoneInfo(zone)).date().replace(day=1) for m in moments)
    assert dict(run(spec(grain=TimeGranularity.MONTH), moments, kept, zone)) == months
    day = min(days)
    window = (day, day + timedelta(days=1))
    assert run(spec(window=window), moments, kept, zone) == [(days[day],)]
    by_day = dict(run(spec("running", grain=TimeGranularity.DAY), moments, kept, zone))
    assert by_day == {d: sum(n for other, n in days.items() if other <= d) for d in days}


@pytest.mark.parametrize("kept", KEPT)
@pytest.mark.parametrize(
    ("zone", "day", "hours"), [("Europe/London", date(2026, 3, 29), 23), ("America/New_York", date(2026, 11, 1), 25)]
)
def test_a_day_on_which_clocks_change_has_all_its_hours_and_no_other(
    kept: str, zone: str, day: date, hours: int
) -> None:
    start = datetime.combine(day, time(), ZoneInfo(zone)).astimezone(UTC)
    hourly = tuple(start + timedelta(hours=n) for n in range(-3, 30))
    window = (day, day + timedelta(days=1))
    assert run(spec(window=window), hourly, kept, zone) == [(hours,)]
    assert dict(run(spec(grain=TimeGranularity.DAY), hourly, kept, zone))[day] == hours
    assert run(spec("rise", window=window), hourly, kept, zone) == [(hours - 3,)]


@pytest.mark.parametrize("kept", KEPT)
@pytest.mark.parametrize(
    ("op", "values", "count"),
    [
        (Operator.EQ, (date(2026, 3, 29),), 23),
        (Operator.GE, (date(2026, 3, 29),), 28),
        (Operator.LT, ("2026-03-29",), 5),
        (Operator.BETWEEN, (date(2026, 3, 28), date(2026, 3, 29)), 28),
        (Operator.NE, (date(2026, 3, 29),), 10),
        (Operator.GE, ("2026-03-29T02:00:00",), 27),
        (Operator.GE, ("2026-03-29T02:00:00+00:00",), 26),
    ],
)
def test_conditions_on_days_and_times_are_in_the_workspaces_zone(
    kept: str, op: Operator, values: tuple[Scalar, ...], count: int
) -> None:
    start = datetime(2026, 3, 29, tzinfo=UTC)
    hourly = tuple(start + timedelta(hours=n) for n in range(-5, 28))
    asked = replace(spec(), where=(Filter(field="at", op=op, values=values),))
    assert run(asked, hourly, kept, "Europe/London") == [(count,)]


def test_conditions_leave_the_column_as_it_is_so_that_an_index_serves() -> None:
    for kept in KEPT:
        query = compiled(spec(window=(date(2026, 3, 29), date(2026, 3, 30))), catalog(kept, "Europe/London"))
        assert '"events"."happened" >= ' in query.sql
        bounds = [p.value for p in query.parameters]
        assert bounds == [datetime(2026, 3, 29), datetime(2026, 3, 29, 23)], "a day of 23 hours"  # noqa: DTZ001


@pytest.mark.parametrize("zone", ["Europe/London", "America/New_York"])
def test_hours_are_refused_where_one_happens_twice_and_given_where_none_does(zone: str) -> None:
    hours = spec(grain=TimeGranularity.HOUR)
    refused = compile_query(hours, catalog("instant", zone, TimeGranularity.HOUR))
    assert isinstance(refused, tuple)
    assert isinstance(refused[0], Issue)
    assert (refused[0].code, refused[0].subject) == (IssueCode.UNSUPPORTED, "at")
    for fixed in ("UTC", "Asia/Dubai"):
        compiled(hours, catalog("instant", fixed, TimeGranularity.HOUR))


def test_a_zone_that_nobody_knows_or_that_cannot_be_read_is_told() -> None:
    unknown = compile_query(spec(grain=TimeGranularity.DAY), catalog("UTC", "Mars/Base"))
    foreign = compile_query(spec(grain=TimeGranularity.DAY), catalog("Europe/Paris", "Europe/London"))
    assert isinstance(unknown, tuple)
    assert isinstance(foreign, tuple)
    assert unknown[0].code is IssueCode.INVALID_CATALOG
    assert foreign[0].code is IssueCode.UNSUPPORTED


def test_an_engine_on_which_zones_are_not_proved_is_told() -> None:
    moved, plain = catalog("UTC", "Europe/London"), catalog("UTC", "UTC")
    for dialect in set(DIALECTS) - {"duckdb", "postgres"}:
        for question in (spec(grain=TimeGranularity.DAY), spec("running", grain=TimeGranularity.MONTH)):
            refused = compile_query(question, moved, dialect=dialect)
            assert isinstance(refused, tuple), dialect
            assert refused[0].subject == "timezone"
            compiled(question, plain, dialect)


def test_a_time_of_the_workspaces_own_zone_is_not_touched() -> None:
    for kept in ("", "Europe/London"):
        query = compiled(spec(grain=TimeGranularity.DAY), catalog(kept, "Europe/London"))
        assert "TIME ZONE" not in query.sql


@pytest.mark.django_db
@pytest.mark.parametrize("kept", KEPT)
@pytest.mark.parametrize("zone", ZONES)
def test_postgresql_cuts_the_same_days(kept: str, zone: str) -> None:
    moments = tuple(datetime(*day, tzinfo=UTC) + timedelta(minutes=n * 37) for day in CHANGES for n in range(-40, 60))
    days = Counter(m.astimezone(ZoneInfo(zone)).date() for m in moments)
    question = spec(grain=TimeGranularity.DAY, window=(date(2026, 1, 1), date(2027, 1, 1)))
    query = compiled(question, catalog(kept, zone), "postgres")
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL TIME ZONE 'Asia/Tokyo'")
        cursor.execute(f"CREATE SCHEMA zones; CREATE TABLE zones.events(happened {KEPT[kept]})")
        given = [(m if kept == "instant" else m.replace(tzinfo=None),) for m in moments]
        cursor.executemany("INSERT INTO zones.events VALUES (%s)", given)
        cursor.execute(query.sql, {p.name: p.value for p in query.parameters})
        assert dict(cursor.fetchall()) == {d: n for d, n in days.items() if d.year == 2026}
