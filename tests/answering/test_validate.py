"""A result that is not fit gives no number."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from catalog.calculations import Derived, PeriodComparison
from catalog.query import (
    ColumnRole,
    Direction,
    MetricCondition,
    MetricIntent,
    Order,
    Parameter,
    QuerySpec,
    ResultColumn,
    TimeRange,
    Transform,
)
from catalog.types import Calendar, Filter, Operator, TimeGranularity
from dataagent.answering.types import CheckOutcome, DataState
from dataagent.answering.validate import Result, validate

TIER = ResultColumn(name="tier", label="Tier", role=ColumnRole.DIMENSION)
REVENUE = ResultColumn(name="revenue", label="Revenue", role=ColumnRole.METRIC, additive=True)
MAY = TimeRange(start=date(2025, 5, 1), end=date(2025, 6, 1), expr="last_month")
PARAMETERS = (
    Parameter(name="p1", value=date(2025, 5, 1)),
    Parameter(name="p2", value=date(2025, 6, 1)),
    Parameter(name="p3", value="EMEA"),
)
GOOD = Result(
    calendar=Calendar(),
    intent=MetricIntent(metrics=("revenue",), dimensions=("tier",), time_range=MAY),
    columns=(TIER, REVENUE),
    rows=(("gold", Decimal("10.00")), ("silver", Decimal("5.00"))),
    total_row=(None, Decimal("15.00")),
    truncated=False,
    parameters=PARAMETERS,
    data_states=(
        DataState(
            table="t",
            complete_until=datetime(2025, 6, 18, tzinfo=UTC),
            loaded_at=datetime(2025, 6, 18, 4, tzinfo=UTC),
        ),
    ),
    today=date(2025, 6, 18),
)


def outcomes(result: Result) -> dict[str, CheckOutcome]:
    return {c.name: c.outcome for c in validate(result)}


def test_a_sound_result_passes_every_check() -> None:
    assert set(outcomes(GOOD).values()) == {CheckOutcome.PASSED}


def test_no_rows_fails() -> None:
    assert outcomes(replace(GOOD, rows=()))["rows"] is CheckOutcome.FAILED


def test_a_list_without_numbers_has_rows_all_the_same() -> None:
    listed = replace(GOOD, columns=(TIER,), rows=(("gold",), (None,)), total_row=())
    assert outcomes(listed)["rows"] is CheckOutcome.PASSED
    assert outcomes(replace(listed, rows=()))["rows"] is CheckOutcome.FAILED


def test_a_single_null_is_no_number() -> None:
    alone = replace(GOOD, columns=(REVENUE,), rows=((None,),), total_row=())
    assert outcomes(alone)["rows"] is CheckOutcome.FAILED
    told = next(c for c in validate(alone) if c.name == "rows").detail
    assert told == "No data match that have a value, so there is no number to show."


def test_a_ranking_leaves_rows_without_a_name_out_and_is_not_held_against_the_whole() -> None:
    ranked = replace(
        GOOD.intent, transforms=(Transform(type="rank"),), order=(Order(by="revenue", direction=Direction.DESC),)
    )
    short = replace(GOOD, total_row=(None, Decimal("17.00")))
    assert "parts:revenue" not in outcomes(replace(short, intent=ranked))
    assert outcomes(short)["parts:revenue"] is CheckOutcome.FAILED


def test_parts_that_do_not_add_up_fail() -> None:
    wrong = replace(GOOD, total_row=(None, Decimal("14.00")))
    assert outcomes(wrong)["parts:revenue"] is CheckOutcome.FAILED


def test_parts_of_an_average_are_not_added() -> None:
    average = replace(REVENUE, additive=False)
    result = replace(GOOD, columns=(TIER, average), total_row=(None, Decimal("7.50")))
    assert "parts:revenue" not in outcomes(result)


def test_a_truncated_result_warns() -> None:
    assert outcomes(replace(GOOD, truncated=True))["row_cap"] is CheckOutcome.WARNED


def test_a_running_period_warns() -> None:
    year = TimeRange(start=date(2025, 1, 1), end=date(2026, 1, 1), expr="this_year")
    running = replace(
        GOOD,
        intent=replace(GOOD.intent, time_range=year),
        parameters=(Parameter(name="a", value=year.start), Parameter(name="b", value=year.end)),
    )
    assert outcomes(running)["period_complete"] is CheckOutcome.WARNED


def test_a_late_day_inside_the_window_warns_and_one_outside_does_not() -> None:
    inside = replace(GOOD, data_states=(replace(GOOD.data_states[0], late_days=(date(2025, 5, 7),)),))
    outside = replace(GOOD, data_states=(replace(GOOD.data_states[0], late_days=(date(2025, 3, 15),)),))
    assert outcomes(inside)["late_data"] is CheckOutcome.WARNED
    assert "late_data" not in outcomes(outside)


def test_a_stated_filter_that_did_not_run_fails() -> None:
    region = Filter(field="region", op=Operator.EQ, values=("EMEA",))
    stated = replace(GOOD, intent=replace(GOOD.intent, filters=(region,)))
    assert outcomes(stated)["stated_conditions"] is CheckOutcome.PASSED
    dropped = replace(stated, parameters=PARAMETERS[:2])
    assert outcomes(dropped)["stated_conditions"] is CheckOutcome.FAILED


def test_a_running_figure_states_only_the_last_day_of_each_window() -> None:
    earlier = TimeRange(start=date(2025, 4, 1), end=date(2025, 5, 1), expr="2025-04")
    spec = QuerySpec(metrics=("units",), comparison=PeriodComparison(window=earlier))
    ends = tuple(Parameter(name=str(end), value=end) for end in (MAY.end, earlier.end))
    compared = replace(GOOD, intent=replace(GOOD.intent, time_range=MAY), parameters=ends, spec=spec)
    assert outcomes(replace(compared, open_start=True))["stated_conditions"] is CheckOutcome.PASSED
    assert outcomes(compared)["stated_conditions"] is CheckOutcome.FAILED
    lost = replace(compared, open_start=True, parameters=ends[:1])
    assert outcomes(lost)["stated_conditions"] is CheckOutcome.FAILED


WEEK = ResultColumn(name="metric_time__week", label="Week", role=ColumnRole.TIME, granularity=TimeGranularity.WEEK)
MONTH = replace(WEEK, name="metric_time__month", label="Month", granularity=TimeGranularity.MONTH)


def test_a_week_that_the_period_cuts_warns_and_a_whole_month_does_not() -> None:
    rows = ((date(2025, 5, 5), Decimal("10.00")), (date(2025, 5, 12), Decimal("5.00")))
    weekly = replace(GOOD, columns=(WEEK, REVENUE), rows=rows)
    monthly = replace(GOOD, columns=(MONTH, REVENUE), rows=rows)
    assert outcomes(weekly)["edge_buckets"] is CheckOutcome.WARNED
    assert "edge_buckets" not in outcomes(monthly)


@pytest.mark.parametrize(("week_start", "cut"), [("monday", True), ("sunday", False), (None, True)])
def test_weeks_begin_on_the_workspaces_day(week_start: str | None, cut: bool) -> None:
    sundays = TimeRange(start=date(2025, 5, 4), end=date(2025, 5, 18), expr="")
    rows = ((date(2025, 5, 4), Decimal("10.00")), (date(2025, 5, 11), Decimal("5.00")))
    weekly = replace(GOOD, columns=(WEEK, REVENUE), rows=rows, calendar=Calendar(week_start=week_start))
    weekly = replace(weekly, intent=replace(weekly.intent, time_range=sundays))
    assert ("edge_buckets" in outcomes(weekly)) is cut


@pytest.mark.parametrize(("end", "warned"), [(date(2025, 6, 15), False), (date(2025, 7, 1), True)])
def test_a_running_month_stands_against_a_whole_one_only_where_it_is_not_cut(end: date, warned: bool) -> None:
    window = TimeRange(start=date(2025, 5, 1), end=end, expr="")
    rows = ((date(2025, 5, 1), Decimal("10.00")), (date(2025, 6, 1), Decimal("5.00")))
    spec = QuerySpec(metrics=("revenue",), time_range=window, comparison=PeriodComparison())
    monthly = replace(GOOD, columns=(MONTH, REVENUE), rows=rows, spec=spec)
    assert ("running_bucket" in outcomes(monthly)) is warned


@pytest.mark.parametrize(("earlier_end", "outcome"), [("2025-06-18", "warned"), ("2025-06-20", "failed")])
def test_a_period_of_which_nothing_is_loaded(earlier_end: str, outcome: str) -> None:
    july = TimeRange(start=date(2025, 7, 1), end=date(2025, 7, 16), expr="")
    other = TimeRange(start=date(2025, 6, 1), end=date.fromisoformat(earlier_end), expr="")
    spec = QuerySpec(metrics=("revenue",), time_range=july, comparison=PeriodComparison(window=other))
    assert outcomes(replace(GOOD, intent=replace(GOOD.intent, time_range=july), spec=spec))["uneven_days"] == outcome


def test_fewer_than_looks_only_at_groups_with_rows_and_says_so() -> None:
    few = MetricCondition(metric="revenue", op=Operator.LT, values=(Decimal(20),))
    asked = replace(
        GOOD,
        intent=replace(GOOD.intent, having=(few,)),
        parameters=(*PARAMETERS, Parameter(name="p4", value=Decimal(20))),
    )
    assert outcomes(asked)["groups_without_rows"] is CheckOutcome.WARNED
    assert outcomes(replace(asked, rows=()))["groups_without_rows"] is CheckOutcome.FAILED
    assert "groups_without_rows" not in outcomes(GOOD)


def test_a_period_after_today_is_not_over_even_where_no_load_is_recorded() -> None:
    running = replace(GOOD, data_states=(), today=date(2025, 5, 20))
    assert outcomes(running)["period_complete"] is CheckOutcome.WARNED
    assert "period_complete" not in outcomes(replace(GOOD, data_states=()))


LATER = TimeRange(start=date(2025, 6, 18), end=date(2025, 6, 19), expr="today")
NOTHING_YET = replace(
    GOOD,
    intent=MetricIntent(metrics=("revenue",), time_range=LATER),
    columns=(REVENUE,),
    rows=((0,),),
    total_row=(),
    parameters=(Parameter(name="p1", value=LATER.start), Parameter(name="p2", value=LATER.end)),
)


def test_a_zero_over_days_of_which_nothing_is_loaded_is_no_answer() -> None:
    told = {c.name: c for c in validate(NOTHING_YET)}["not_loaded"]
    assert told.outcome is CheckOutcome.FAILED
    assert told.detail == "Nothing of this period has been loaded yet: data reach to 18 Jun 2025 00:00 UTC."


def test_a_comparison_with_days_of_which_nothing_is_loaded_is_none_either() -> None:
    earlier = replace(REVENUE, name="revenue__previous", of="revenue", derived=Derived.PREVIOUS)
    compared = replace(NOTHING_YET, columns=(REVENUE, earlier), rows=((0, 12),))
    assert outcomes(compared)["not_loaded"] is CheckOutcome.FAILED


def test_what_has_arrived_early_and_a_zero_over_loaded_days_are_answers() -> None:
    assert "not_loaded" not in outcomes(replace(NOTHING_YET, rows=((3,),)))
    begun = replace(LATER, start=date(2025, 6, 17))
    assert "not_loaded" not in outcomes(replace(NOTHING_YET, intent=replace(NOTHING_YET.intent, time_range=begun)))
    assert "not_loaded" not in outcomes(replace(NOTHING_YET, data_states=()))


def test_where_nothing_is_left_no_missing_values_are_counted() -> None:
    alone = replace(GOOD, columns=(REVENUE,), rows=((None,),), total_row=())
    assert not [name for name in outcomes(alone) if name.startswith("nulls")]
