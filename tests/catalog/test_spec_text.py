"""Queries written by hand: every operator, quotes, and a sentence for what cannot be read."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from catalog.query import GroupBy
from catalog.spec_text import BadText, filter_of, group_of, spec_of
from catalog.types import DatePart, Filter, Operator, Scalar, TimeGranularity


@pytest.mark.parametrize(
    ("text", "op", "values"),
    [
        ("x = EMEA", Operator.EQ, ("EMEA",)),
        ("x=North America", Operator.EQ, ("North America",)),
        ("x != 'true'", Operator.NE, ("true",)),
        ("x <> 3", Operator.NE, (Decimal(3),)),
        ("x >= 2025-01-31", Operator.GE, (date(2025, 1, 31),)),
        ("x > -1.5", Operator.GT, (Decimal("-1.5"),)),
        ("x < '12'", Operator.LT, ("12",)),
        ("x = true", Operator.EQ, (True,)),
        ("x = NaN", Operator.EQ, ("NaN",)),
        ("x in (a, 'b, c', \"it's\")", Operator.IN, ("a", "b, c", "it's")),
        ("x NOT IN (1, 2)", Operator.NOT_IN, (Decimal(1), Decimal(2))),
        ("x between 10 and 20", Operator.BETWEEN, (Decimal(10), Decimal(20))),
        ("x between 'a and b' and c", Operator.BETWEEN, ("a and b", "c")),
        ("x is null", Operator.IS_NULL, ()),
        ("x IS  NOT NULL", Operator.IS_NOT_NULL, ()),
        ("x = 'it''s'", Operator.EQ, ("it's",)),
        ("x = is null", Operator.EQ, ("is null",)),
        ("x = in (a)", Operator.EQ, ("in (a)",)),
    ],
)
def test_a_condition_is_read_with_its_values(text: str, op: Operator, values: tuple[Scalar, ...]) -> None:
    assert filter_of(text) == Filter(field="x", op=op, values=values)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "x in",
        "x in ()",
        "x in a",
        "x in (a",
        "x =",
        "x between 1",
        "x is null 3",
        "= 3",
        "x = a'b",
        "x in (a''b)",
    ],
)
def test_what_is_no_condition_is_told_with_how_to_write_one(text: str) -> None:
    with pytest.raises(BadText):
        filter_of(text)


def test_a_grouping_may_have_a_size_of_time() -> None:
    assert group_of("metric_time:month") == GroupBy(dimension="metric_time", granularity=TimeGranularity.MONTH)
    assert group_of("region") == GroupBy(dimension="region")
    assert group_of("metric_time:day_of_week") == GroupBy(dimension="metric_time", part=DatePart.DAY_OF_WEEK)
    assert group_of("metric_time:sprint") == GroupBy(dimension="metric_time", custom="sprint")
    with pytest.raises(BadText, match="two decades"):
        group_of("metric_time:two decades")


def test_a_window_of_days_holds_both_its_ends() -> None:
    window = spec_of(("revenue",), start="2025-06-01", end="2025-06-30").time_range
    assert window is not None
    assert (window.start, window.end) == (date(2025, 6, 1), date(2025, 7, 1))
    with pytest.raises(BadText):
        spec_of(("revenue",), start="June")
    with pytest.raises(BadText, match="previous"):
        spec_of(("revenue",), compare="tomorrow")
