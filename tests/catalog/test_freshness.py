"""A day is complete, open, expected or late; a window is as good as its weakest day."""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from catalog.freshness import DayState, day_state, freshness_s, window_state
from catalog.lineage import edges, fed_by, tables_behind
from catalog.query import TimeRange
from catalog.types import FreshnessContract
from tests.catalog.shop import shop

CONTRACT = FreshnessContract(table="shop.orders", expected_within_hours=6)
NOW = datetime(2025, 6, 18, 12, 0, tzinfo=UTC)


def at(day: int, hour: int) -> datetime:
    return datetime(2025, 6, day, hour, tzinfo=UTC)


@pytest.mark.parametrize(
    ("day", "loaded_at", "now", "state"),
    [
        (17, at(18, 4), NOW, DayState.COMPLETE),
        (17, at(17, 23), at(18, 5), DayState.EXPECTED),
        (17, at(17, 23), at(18, 7), DayState.LATE),
        (18, at(18, 4), NOW, DayState.OPEN),
        (17, None, NOW, DayState.LATE),
        (17, at(18, 0), NOW, DayState.COMPLETE),
    ],
)
def test_the_state_of_a_day(day: int, loaded_at: datetime | None, now: datetime, state: DayState) -> None:
    assert day_state(date(2025, 6, day), CONTRACT, loaded_at=loaded_at, now=now) is state


def test_a_loaded_day_without_rows_is_suspect() -> None:
    day = date(2025, 6, 17)
    newest = date(2025, 6, 15)
    assert day_state(day, CONTRACT, loaded_at=at(18, 4), now=NOW, newest_row_day=newest) is DayState.NO_ROWS
    assert day_state(day, CONTRACT, loaded_at=at(18, 4), now=NOW, newest_row_day=day) is DayState.COMPLETE


def test_a_day_ends_in_the_workspaces_zone() -> None:
    zone = ZoneInfo("America/New_York")
    day = date(2025, 6, 17)
    assert day_state(day, CONTRACT, loaded_at=at(18, 3), now=NOW, zone=zone) is not DayState.COMPLETE
    assert day_state(day, CONTRACT, loaded_at=at(18, 4), now=NOW, zone=zone) is DayState.COMPLETE


def test_a_window_is_as_good_as_its_weakest_day() -> None:
    june = TimeRange(start=date(2025, 6, 1), end=date(2025, 6, 18), expr="")
    good = window_state(june, CONTRACT, loaded_at=at(18, 4), now=NOW)
    assert (good.state, good.first_incomplete) == (DayState.COMPLETE, None)
    late = window_state(june, CONTRACT, loaded_at=at(16, 4), now=NOW)
    assert (late.state, late.complete_through, late.first_incomplete) == (
        DayState.LATE,
        date(2025, 6, 15),
        date(2025, 6, 16),
    )


def test_a_window_up_to_now_is_open_today_and_late_before() -> None:
    month = TimeRange(start=date(2025, 6, 1), end=date(2025, 7, 1), expr="")
    assert window_state(month, CONTRACT, loaded_at=at(18, 4), now=NOW).state is DayState.OPEN
    assert window_state(month, CONTRACT, loaded_at=at(16, 4), now=NOW).state is DayState.LATE
    assert window_state(month, CONTRACT, loaded_at=None, now=NOW).complete_through is None


def test_seconds_since_the_last_load_are_never_negative() -> None:
    assert freshness_s(at(18, 4), NOW) == 8 * 3600
    assert freshness_s(NOW, at(18, 4)) == 0


def test_lineage_walks_metrics_then_tables_and_back() -> None:
    assert tables_behind(shop(), "net_revenue") == ("shop.orders", "shop.refunds", "raw.orders")
    assert "net_revenue" in fed_by(shop(), "raw.orders")
    assert "customers" not in fed_by(shop(), "raw.orders")
    assert [(e.source, e.target) for e in edges(shop(), "refunded")] == [("shop.refunds", "refunded")]
