"""The ranges of a distribution: round, without gaps or overlaps, and holding every figure."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from catalog.query import ColumnRole, ResultColumn
from catalog.types import MetricFormat
from dataagent.answering.binning import MOST_VALUES, Summary, ranges_of, summary_of

FIGURE = ResultColumn(name="largest", label="Largest", role=ColumnRole.METRIC)
RATE = ResultColumn(name="largest", label="Largest", role=ColumnRole.METRIC, format=MetricFormat.PERCENT)


def summary(smallest: str, high: str, largest: str, *, broken: int = 0) -> Summary:
    return Summary(counted=9, broken=broken, smallest=Decimal(smallest), high=Decimal(high), largest=Decimal(largest))


def test_few_whole_numbers_are_each_a_range() -> None:
    found = ranges_of(summary("1", "4", "4"), FIGURE)
    assert found.words == ("1", "2", "3", "4")
    assert found.upto == (2, 3, 4)


def test_what_lies_beyond_the_most_is_counted_together() -> None:
    assert ranges_of(summary("0", "2", "90"), FIGURE).words == ("0", "1", "2", "3 or more")


def test_whole_numbers_in_wide_ranges_say_their_last_one() -> None:
    found = ranges_of(summary("1", "40", "40"), FIGURE)
    assert found.words[0] == "1 to 5"
    assert found.words[-1] == "36 to 40"


def test_amounts_are_laid_out_in_round_ranges() -> None:
    found = ranges_of(summary("3.5", "87.25", "1200", broken=4), FIGURE)
    assert found.words[0] == "0 to under 10"
    assert found.words[-1] == "90 or more"


def test_rates_are_said_in_percent() -> None:
    assert ranges_of(summary("0.01", "0.2", "0.2", broken=4), RATE).words[0] == "0\u202f% to under 2\u202f%"


def test_one_value_is_one_range() -> None:
    assert ranges_of(summary("7", "7", "7"), FIGURE).words == ("7",)
    assert len(ranges_of(summary("7.5", "7.5", "7.5", broken=9), FIGURE).words) == 1


def test_no_figures_have_no_summary() -> None:
    columns = tuple(ResultColumn(name=n, label=n, role=ColumnRole.METRIC) for n in ("counted", "smallest"))
    assert summary_of(columns, ((0, None),)) is None


amounts = st.decimals(min_value=-100_000, max_value=100_000, places=2)


@given(st.tuples(amounts, amounts, amounts), st.booleans())
def test_every_figure_lies_in_exactly_one_range(three: tuple[Decimal, Decimal, Decimal], whole: bool) -> None:
    smallest, high, largest = sorted(v.to_integral_value() if whole else v for v in three)
    found = ranges_of(summary(str(smallest), str(high), str(largest), broken=0 if whole else 1), FIGURE)
    assert len(found.words) == len(found.upto) + 1 == len(set(found.words))
    assert list(found.upto) == sorted(set(found.upto))
    assert not found.upto or smallest < found.upto[0]
    assert not found.upto or largest >= found.upto[-1], "the last range is not empty by its limits"
    assert len(found.words) <= MOST_VALUES + 2
