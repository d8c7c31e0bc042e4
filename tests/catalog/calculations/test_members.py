"""Members beside a baseline member."""

from __future__ import annotations

import pytest

from catalog.calculations import Change, MemberComparison
from catalog.issues import IssueCode
from catalog.query import QuerySpec
from catalog.types import Filter, Operator, TimeGranularity
from tests.catalog.calculations.sales import Asker, ask, by, issue, month, window

__all__ = ["ask"]

MONTH = TimeGranularity.MONTH
EARLY = window("2024-01-01", "2024-07-01")
AMER = MemberComparison(field="region", baseline="AMER")


def test_each_member_stands_beside_the_baseline(ask: Asker) -> None:
    spec = QuerySpec(metrics=("revenue",), group_by=by("region"), time_range=EARLY, comparison=AMER)
    assert ask.rows(spec) == [
        ("AMER", 40, 40, 0, 0),
        ("APAC", 80, 40, 40, 1),
        ("EMEA", 130, 40, 90, 2.25),
        (None, 50, 40, 10, 0.25),
    ]
    assert [c.label for c in ask.compiled(spec).columns][2] == "Revenue, AMER"


def test_the_baseline_is_there_also_where_a_filter_leaves_it_out(ask: Asker) -> None:
    spec = QuerySpec(
        metrics=("revenue", "aov"),
        group_by=by("region"),
        time_range=EARLY,
        where=(Filter(field="region", op=Operator.EQ, values=("EMEA",)),),
        comparison=MemberComparison(field="region", baseline="AMER", changes=(Change.RATIO,)),
    )
    assert ask.rows(spec) == [("EMEA", 130, 40, 3.25, 65, 40, 1.625)]


def test_the_baseline_is_that_of_the_same_month(ask: Asker) -> None:
    spec = QuerySpec(
        metrics=("orders", "average_order"),
        group_by=by("region", grain=MONTH),
        time_range=window("2025-01-01", "2025-03-01"),
        comparison=MemberComparison(field="region", baseline="AMER", changes=()),
    )
    assert ask.rows(spec) == [
        (month("2025-01"), "AMER", 1, 1, 0, 0),
        (month("2025-01"), "EMEA", 2, 1, 75, 0),
        (month("2025-02"), None, 1, 0, 25, None),
    ]


def test_a_missing_member_may_be_the_baseline(ask: Asker) -> None:
    spec = QuerySpec(
        metrics=("buyers",),
        group_by=by("region"),
        time_range=EARLY,
        comparison=MemberComparison(field="region", baseline=None, changes=(Change.DIFFERENCE,)),
    )
    assert ask.table(spec, "buyers__difference")[("EMEA",)] == (1,)


def test_a_baseline_that_is_not_there_is_named() -> None:
    unknown = MemberComparison(field="region", baseline="MARS")
    spec = QuerySpec(metrics=("revenue",), group_by=by("region"), comparison=unknown)
    assert issue(spec).code is IssueCode.UNKNOWN_VALUE
    assert issue(QuerySpec(metrics=("revenue",), comparison=AMER)).code is IssueCode.UNSUPPORTED


@pytest.mark.parametrize("field", ["metric_time", "signed_up_on"])
def test_times_are_no_members(field: str) -> None:
    grouped = by(grain=MONTH) if field == "metric_time" else by("signed_up_on")
    spec = QuerySpec(
        metrics=("revenue",), group_by=grouped, comparison=MemberComparison(field=field, baseline="2024-01-01")
    )
    assert issue(spec).code is IssueCode.WRONG_TYPE
