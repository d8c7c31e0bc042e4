"""A comparison reaches as far as its data do."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from catalog.query import Comparison, MetricIntent, TimeRange
from catalog.types import TimeGranularity
from dataagent.answering.loaded import cut_where_loaded
from dataagent.answering.types import DataState
from dataagent.intent.typefilter.elapsed import LOADED_UNTIL

MAY = TimeRange(start=date(2025, 5, 1), end=date(2025, 6, 1), expr="may")
MARCH = TimeRange(start=date(2025, 3, 1), end=date(2025, 4, 1), expr="march")
COMPARED = MetricIntent(metrics=("orders",), time_range=MAY, comparison=Comparison(type="custom", range=MARCH))


def loaded(*until: str) -> tuple[DataState, ...]:
    return tuple(
        DataState(table=d, complete_until=datetime.fromisoformat(d).replace(tzinfo=UTC), loaded_at=None) for d in until
    )


def test_both_periods_are_cut_at_the_day_up_to_which_every_table_is_loaded() -> None:
    found = cut_where_loaded(COMPARED, loaded("2025-05-20", "2025-05-11"))
    assert found.time_range is not None
    assert found.comparison is not None
    assert found.comparison.range is not None
    assert (found.time_range.end, found.time_range.whole_end) == (date(2025, 5, 11), MAY.end)
    assert (found.comparison.range.end, found.comparison.range.whole_end) == (date(2025, 3, 11), MARCH.end)
    told = next(d.text for d in found.defaults_used if d.key == LOADED_UNTIL)
    assert told == "Both periods are cut after 10 May 2025, the last day that is loaded."
    assert cut_where_loaded(found, loaded("2025-05-11")) == found


def test_a_period_against_all_of_another_is_cut_alone() -> None:
    asked = TimeRange(start=MAY.start, end=date(2025, 5, 20), expr="may", whole_end=MAY.end)
    against = MetricIntent(metrics=("orders",), time_range=asked, comparison=COMPARED.comparison)
    found = cut_where_loaded(against, loaded("2025-05-11"))
    assert found.comparison == against.comparison
    assert found.defaults_used[0].text.startswith("The asked period is cut after 10 May 2025")


@pytest.mark.parametrize("until", ["2025-05-01", "2025-04-20", "2025-06-01", "2025-07-01"])
def test_what_is_loaded_whole_or_not_at_all_is_left_as_it_is(until: str) -> None:
    assert cut_where_loaded(COMPARED, loaded(until)) == COMPARED
    assert cut_where_loaded(COMPARED, ()) == COMPARED


def test_figures_that_are_not_compared_are_not_cut() -> None:
    plain = MetricIntent(metrics=("orders",), time_range=MAY)
    assert cut_where_loaded(plain, loaded("2025-05-11")) == plain


def test_a_compared_series_without_an_end_ends_where_the_data_do() -> None:
    always = TimeRange(start=None, end=None, expr="all_time")
    series = replace(
        COMPARED, time_range=always, grain=TimeGranularity.MONTH, comparison=Comparison(type="previous_period")
    )
    found = cut_where_loaded(series, loaded("2025-05-11"))
    assert found.time_range == replace(always, end=date(2025, 5, 11))
    plain = replace(series, comparison=None)
    assert cut_where_loaded(plain, loaded("2025-05-11")) == plain
