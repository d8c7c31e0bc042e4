"""What comes back in time and the company's own periods: as groups of a question, named, ordered and told."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import duckdb
import pytest

from catalog.calculations import Direction
from catalog.compiler import compile_query
from catalog.issues import Issue, IssueCode
from catalog.labels import part_text
from catalog.query import CompiledQuery, MetricIntent, Order, QuerySpec, TimeRange
from catalog.resolve import resolve
from catalog.restate import restate
from catalog.timeparts import part_reference, period_reference, time_words, timed_group
from catalog.types import Calendar, CatalogSnapshot, DatePart
from tests.catalog.calculations.sales import TABLES, plain
from tests.catalog.flow.shop import shop as flow_shop
from tests.catalog.flow.shop import warehouse
from tests.catalog.shop import everything, shop

WEEKDAY = part_reference(DatePart.DAY_OF_WEEK)


def found(snapshot: CatalogSnapshot, intent: MetricIntent) -> CompiledQuery | tuple[Issue, ...]:
    spec = resolve(intent, snapshot, everything(snapshot))
    return compile_query(spec, snapshot) if isinstance(spec, QuerySpec) else spec


def rows(week_start: str, **intent: object) -> list[tuple[object, ...]]:
    snapshot = replace(shop(), calendar=Calendar(week_start=week_start))
    query = found(snapshot, MetricIntent(**intent))  # type: ignore[arg-type]
    assert isinstance(query, CompiledQuery), query
    made = duckdb.connect()
    made.execute(TABLES)
    return [plain(r) for r in made.execute(query.sql, {p.name: p.value for p in query.parameters}).fetchall()]


@pytest.mark.parametrize(
    ("week_start", "order"),
    [("monday", [1, 2, 3, 4, 5, 7]), ("sunday", [7, 1, 2, 3, 4, 5]), ("saturday", [7, 1, 2, 3, 4, 5])],
)
def test_weekdays_begin_with_the_workspace_s_week(week_start: str, order: list[int]) -> None:
    window = TimeRange(start=date(2024, 1, 1), end=date(2025, 7, 1), expr="")
    asked = rows(week_start, metrics=("orders",), dimensions=(WEEKDAY,), time_range=window)
    assert [row[0] for row in asked] == order
    assert sum(int(str(row[1])) for row in asked) == 13


def test_weekdays_are_ranked_and_rows_without_a_date_are_in_no_ranking() -> None:
    order = (Order(by="orders", direction=Direction.DESC),)
    asked = rows("monday", metrics=("orders",), dimensions=(WEEKDAY,), order=order, limit=1)
    assert asked[0] == (2, 3)
    assert [place for place, _ in asked] == [2, 3, 1, 4, 7, 5], "beyond the first they are read to see what ties"


def test_a_period_of_the_company_s_own_is_a_group_on_its_spine() -> None:
    query = found(flow_shop(), MetricIntent(metrics=("revenue",), dimensions=(period_reference("sprint"),)))
    assert isinstance(query, CompiledQuery)
    assert [c.label for c in query.columns] == ["Sprint", "Revenue"]
    assert warehouse().execute(query.sql).fetchall() == [(0, 30), (1, 35), (2, 40)]


def test_an_unknown_period_is_no_dimension() -> None:
    unknown = found(flow_shop(), MetricIntent(metrics=("revenue",), dimensions=(period_reference("season"),)))
    assert isinstance(unknown, tuple)
    assert unknown[0].code is IssueCode.UNKNOWN_DIMENSION
    assert isinstance(
        found(shop(), MetricIntent(metrics=("revenue",), dimensions=(period_reference("sprint"),))), tuple
    )


def test_a_level_has_no_day_of_the_week() -> None:
    refused = found(shop(), MetricIntent(metrics=("seats",), dimensions=(WEEKDAY,)))
    assert isinstance(refused, tuple)
    assert "level" in refused[0].message


def test_names_read_as_words_and_as_what_they_are() -> None:
    assert time_words("signed_up_on__extract_month") == "month of the year of signed up on"
    assert timed_group("customer__country_name") is None
    assert timed_group("metric_time__extract_nothing") is not None
    asked = MetricIntent(metrics=("revenue",), dimensions=(WEEKDAY,))
    assert restate(asked, shop()) == "Revenue by day of the week"
    query = found(shop(), asked)
    assert isinstance(query, CompiledQuery)
    assert "Each day of the week stands for all of them in the period, however many there are." in query.notes


@pytest.mark.parametrize(
    ("value", "part", "text"),
    [
        (1, DatePart.DAY_OF_WEEK, "Monday"),
        (7, DatePart.DAY_OF_WEEK, "Sunday"),
        (12, DatePart.MONTH, "December"),
        (3, DatePart.QUARTER, "Q3"),
        (9, DatePart.HOUR, "09:00"),
        (31, DatePart.DAY, "31"),
        (13, DatePart.MONTH, "13"),
        (5, None, "5"),
    ],
)
def test_a_part_is_shown_by_its_name(value: int, part: DatePart | None, text: str) -> None:
    assert part_text(value, part) == text
