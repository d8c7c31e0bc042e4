"""Shares of the right whole, ranks and tops whose ties are told, all before any limit."""

from __future__ import annotations

import pytest

from catalog.calculations import Derived, Direction, PeriodComparison, Rank, RankRule, Share, TieRule, Top
from catalog.compiler.calculations.columns import derived_column
from catalog.issues import IssueCode
from catalog.query import ColumnRole, MetricCondition, Order, QuerySpec, ResultColumn
from catalog.types import Filter, MetricFormat, Operator, Polarity, TimeGranularity
from tests.catalog.calculations.sales import Asker, ask, by, issue, month, window

__all__ = ["ask"]

MONTH = TimeGranularity.MONTH
EARLY = window("2024-01-01", "2024-07-01")
H1 = window("2025-01-01", "2025-07-01")


def test_a_share_is_of_all_rows_whatever_is_shown(ask: Asker) -> None:
    spec = QuerySpec(
        metrics=("revenue",),
        group_by=by("region"),
        time_range=EARLY,
        calculations=(Share(metric="revenue"),),
        having=(MetricCondition(metric="revenue", op=Operator.GT, values=(40,)),),
        order_by=(Order(by="revenue__share", direction=Direction.DESC),),
        limit=2,
    )
    assert ask.rows(spec) == [("EMEA", 130, 0.433333333), ("APAC", 80, 0.266666667)]
    share = ask.compiled(spec).columns[-1]
    assert (share.of, share.format, share.additive) == ("revenue", MetricFormat.PERCENT, False)


def test_a_share_within_groups_starts_anew_with_each(ask: Asker) -> None:
    spec = QuerySpec(
        metrics=("revenue",),
        group_by=by("region", grain=MONTH),
        time_range=window("2024-01-01", "2024-03-01"),
        calculations=(Share(metric="revenue", within=("metric_time",)),),
    )
    assert ask.rows(spec) == [
        (month("2024-01"), "AMER", 40, 0.285714286),
        (month("2024-01"), "EMEA", 100, 0.714285714),
        (month("2024-02"), "EMEA", 30, 1),
    ]


def test_a_whole_of_distinct_things_is_counted_anew(ask: Asker) -> None:
    spec = QuerySpec(
        metrics=("buyers",), group_by=by("region"), time_range=EARLY, calculations=(Share(metric="buyers"),)
    )
    assert ask.rows(spec) == [
        ("AMER", 1, 0.333333333),
        ("APAC", 1, 0.333333333),
        ("EMEA", 2, 0.666666667),
        (None, 1, 0.333333333),
    ]
    assert any("more than 100%" in n for n in ask.compiled(spec).notes)


def test_a_whole_of_distinct_things_within_groups_is_counted_anew(ask: Asker) -> None:
    spec = QuerySpec(
        metrics=("buyers",),
        group_by=by("status", "region"),
        time_range=EARLY,
        calculations=(Share(metric="buyers", within=("status",)),),
    )
    by_hand = """
      SELECT o.status, s.region, COUNT(DISTINCT o.customer_id),
        COUNT(DISTINCT o.customer_id) * 1.0 / MAX(w.buyers)
      FROM shop.orders o LEFT JOIN shop.stores s ON s.store_id = o.store_id
      JOIN (SELECT status, COUNT(DISTINCT customer_id) AS buyers FROM shop.orders
            WHERE ordered_at >= '2024-01-01' AND ordered_at < '2024-07-01' GROUP BY status) w ON w.status = o.status
      WHERE o.ordered_at >= '2024-01-01' AND o.ordered_at < '2024-07-01'
      GROUP BY o.status, s.region ORDER BY 1, 2 NULLS LAST"""
    assert ask.rows(spec) == ask.hand(by_hand)


def test_rows_that_belong_to_several_groups_share_one_whole(ask: Asker) -> None:
    spec = QuerySpec(metrics=("orders",), group_by=by("category"), calculations=(Share(metric="orders"),))
    assert ask.rows(spec) == [("cups", 2, 0.142857143), ("tea", 2, 0.142857143), (None, 11, 0.785714286)]


def test_a_share_of_a_whole_with_a_negative_part_or_of_nothing_is_empty(ask: Asker) -> None:
    spec = QuerySpec(
        metrics=("revenue",),
        group_by=by("store_name", grain=MONTH),
        time_range=window("2025-01-25", "2025-05-01"),
        where=(Filter(field="store_name", op=Operator.IN, values=("Two", "Three")),),
        calculations=(Share(metric="revenue", within=("metric_time__month",)),),
    )
    assert ask.rows(spec) == [(month("2025-01"), "Two", 0, None), (month("2025-04"), "Three", -15, None)]


@pytest.mark.parametrize("metric", ["aov", "average_order", "refund_rate", "largest_order", "median_order"])
def test_what_makes_up_no_whole_has_no_share(metric: str) -> None:
    spec = QuerySpec(metrics=(metric,), group_by=by("region"), calculations=(Share(metric=metric),))
    assert issue(spec).code is IssueCode.WRONG_TYPE


def test_a_balance_has_shares_at_one_time_only(ask: Asker) -> None:
    grouped = by("customer_name", grain=MONTH)
    over_time = QuerySpec(metrics=("seats",), group_by=grouped, calculations=(Share(metric="seats"),))
    assert issue(over_time).code is IssueCode.WRONG_TYPE
    within = (Share(metric="seats", within=("metric_time",)),)
    spec = QuerySpec(metrics=("seats",), group_by=grouped, time_range=H1, calculations=within)
    assert ask.rows(spec) == [
        (month("2025-01"), "A", 7, 0.777777778),
        (month("2025-01"), "C", 2, 0.222222222),
        (month("2025-02"), "A", 4, 1),
    ]


def test_shares_stand_beside_a_comparison(ask: Asker) -> None:
    spec = QuerySpec(
        metrics=("orders",),
        group_by=by("region"),
        time_range=H1,
        comparison=PeriodComparison(window=EARLY, changes=()),
        calculations=(Share(metric="orders"), Rank(by="orders__previous", ties=RankRule.DENSE)),
    )
    assert ask.rows(spec) == [
        ("AMER", 2, 1, 0.285714286, 0.2, 8.571428571, 2),
        ("APAC", 0, 1, 0, 0.2, -20, 2),
        ("EMEA", 3, 2, 0.428571429, 0.4, 2.857142857, 1),
        (None, 2, 1, 0.285714286, 0.2, 8.571428571, 2),
    ]


def test_a_share_of_distinct_things_stands_beside_the_earlier_whole(ask: Asker) -> None:
    spec = QuerySpec(
        metrics=("buyers",),
        group_by=by("region"),
        time_range=H1,
        comparison=PeriodComparison(window=EARLY, changes=()),
        calculations=(Share(metric="buyers"),),
    )
    by_hand = """
      WITH now AS (SELECT s.region, COUNT(DISTINCT o.customer_id) AS n FROM shop.orders o
          LEFT JOIN shop.stores s ON s.store_id = o.store_id
          WHERE o.ordered_at >= '2025-01-01' AND o.ordered_at < '2025-07-01' GROUP BY s.region),
        was AS (SELECT s.region, COUNT(DISTINCT o.customer_id) AS n FROM shop.orders o
          LEFT JOIN shop.stores s ON s.store_id = o.store_id
          WHERE o.ordered_at >= '2024-01-01' AND o.ordered_at < '2024-07-01' GROUP BY s.region),
        both_of AS (SELECT COALESCE(now.region, was.region) AS region, COALESCE(now.n, 0) AS n, COALESCE(was.n, 0) AS m
          FROM now FULL JOIN was ON COALESCE(now.region, '-') = COALESCE(was.region, '-')),
        wholes AS (SELECT
          (SELECT COUNT(DISTINCT customer_id) FROM shop.orders
            WHERE ordered_at >= '2025-01-01' AND ordered_at < '2025-07-01') AS n,
          (SELECT COUNT(DISTINCT customer_id) FROM shop.orders
            WHERE ordered_at >= '2024-01-01' AND ordered_at < '2024-07-01') AS m)
      SELECT b.region, b.n, b.m, b.n * 1.0 / w.n, b.m * 1.0 / w.m, 100.0 * b.n / w.n - 100.0 * b.m / w.m
      FROM both_of b, wholes w ORDER BY 1 NULLS LAST"""
    assert ask.rows(spec) == ask.hand(by_hand)
    names = [(c.name, c.unit) for c in ask.compiled(spec).columns[-2:]]
    assert names == [("buyers__share__previous", ""), ("buyers__share__points", "pp")]


def test_shares_of_distinct_things_by_period_are_not_set_beside_earlier_ones(ask: Asker) -> None:
    spec = QuerySpec(
        metrics=("buyers",),
        group_by=by("region", grain=MONTH),
        time_range=H1,
        comparison=PeriodComparison(back_granularity=MONTH),
        calculations=(Share(metric="buyers", within=("metric_time",)),),
    )
    assert issue(spec).code is IssueCode.UNSUPPORTED


def test_shares_by_period_stand_beside_those_of_the_period_before(ask: Asker) -> None:
    spec = QuerySpec(
        metrics=("revenue",),
        group_by=by("region", grain=MONTH),
        time_range=window("2024-02-01", "2024-03-01"),
        comparison=PeriodComparison(back_granularity=MONTH, changes=()),
        calculations=(Share(metric="revenue", within=("metric_time",)),),
    )
    assert ask.rows(spec) == [
        (month("2024-02"), "AMER", 0, 40, 0, 0.285714286, -28.571428571),
        (month("2024-02"), "EMEA", 30, 100, 1, 0.714285714, 28.571428571),
    ]


def test_a_share_needs_groups_of_the_result() -> None:
    spec = QuerySpec(
        metrics=("revenue",), group_by=by("region"), calculations=(Share(metric="revenue", within=("tier",)),)
    )
    assert issue(spec).code is IssueCode.UNSUPPORTED
    twice = QuerySpec(
        metrics=("revenue",), group_by=by("region"), calculations=(Share(metric="revenue"), Share(metric="revenue"))
    )
    assert issue(twice).code is IssueCode.UNSUPPORTED


@pytest.mark.parametrize(
    ("ties", "places"),
    [(RankRule.SHARED, [2, 2, 1, 2]), (RankRule.DENSE, [2, 2, 1, 2]), (RankRule.UNIQUE, [2, 3, 1, 4])],
)
def test_ranks_tell_ties(ask: Asker, ties: RankRule, places: list[int]) -> None:
    spec = QuerySpec(
        metrics=("orders",), group_by=by("region"), time_range=EARLY, calculations=(Rank(by="orders", ties=ties),)
    )
    assert [row[-1] for row in ask.rows(spec)] == places
    assert any("tie" in n for n in ask.compiled(spec).notes)


def test_a_rank_within_groups_from_below_leaves_out_places_after_a_tie(ask: Asker) -> None:
    spec = QuerySpec(
        metrics=("orders",),
        group_by=by("region", grain=TimeGranularity.YEAR),
        time_range=window("2024-01-01", "2026-01-01"),
        calculations=(Rank(by="orders", direction=Direction.ASC, within=("metric_time",)),),
    )
    assert [(row[1], row[2], row[3]) for row in ask.rows(spec)] == [
        ("AMER", 2, 3),
        ("APAC", 1, 1),
        ("EMEA", 2, 3),
        (None, 1, 1),
        ("AMER", 2, 1),
        ("EMEA", 3, 3),
        (None, 2, 1),
    ]


def test_a_missing_value_has_no_rank_and_no_place_in_a_top(ask: Asker) -> None:
    ranked = QuerySpec(
        metrics=("refunded",),
        group_by=by("region"),
        calculations=(Rank(by="refunded"),),
        having=(MetricCondition(metric="orders", op=Operator.GT, values=(0,)),),
    )
    assert ask.rows(ranked) == [("AMER", None, None), ("APAC", None, None), ("EMEA", 30, 2), (None, 50, 1)]
    top = QuerySpec(metrics=("refunded", "orders"), group_by=by("region"), top=Top(by="refunded", count=3))
    assert ask.rows(top) == [(None, 50, 3), ("EMEA", 30, 6)]


def test_a_rank_may_be_a_condition(ask: Asker) -> None:
    spec = QuerySpec(
        metrics=("revenue",),
        group_by=by("region"),
        time_range=EARLY,
        calculations=(Rank(by="revenue"),),
        having=(MetricCondition(metric="revenue__rank", op=Operator.LE, values=(2,)),),
    )
    assert ask.rows(spec) == [("APAC", 80, 2), ("EMEA", 130, 1)]


@pytest.mark.parametrize(
    ("ties", "expected"),
    [
        (TieRule.FIRST, [("done", "AMER", 1), ("open", "EMEA", 1)]),
        (TieRule.ALL, [("done", "AMER", 1), ("done", "EMEA", 1), ("open", "EMEA", 1)]),
    ],
)
def test_the_first_of_each_group_has_a_declared_rule_for_ties(
    ask: Asker, ties: TieRule, expected: list[tuple[object, ...]]
) -> None:
    spec = QuerySpec(
        metrics=("orders",),
        group_by=by("status", "region"),
        where=(Filter(field="region", op=Operator.IN, values=("EMEA", "AMER")),),
        time_range=EARLY,
        top=Top(by="orders", count=1, within=("status",), ties=ties),
    )
    assert ask.rows(spec) == expected
    assert any("tie" in n for n in ask.compiled(spec).notes)


def test_tops_keep_or_cut_ties_at_the_last_place(ask: Asker) -> None:
    def top(ties: TieRule) -> list[object]:
        spec = QuerySpec(
            metrics=("orders",), group_by=by("region"), time_range=EARLY, top=Top(by="orders", count=2, ties=ties)
        )
        return [row[0] for row in ask.rows(spec)]

    assert top(TieRule.FIRST) == ["EMEA", "AMER"]
    assert top(TieRule.ALL) == ["EMEA", "AMER", "APAC", None]


def test_a_top_may_go_by_growth_and_comes_before_the_limit(ask: Asker) -> None:
    spec = QuerySpec(
        metrics=("revenue",),
        group_by=by("region"),
        time_range=H1,
        comparison=PeriodComparison(window=EARLY, changes=()),
        top=Top(by="revenue__difference", count=3),
        order_by=(Order(by="region", direction=Direction.ASC),),
        limit=2,
    )
    assert ask.rows(spec) == [("AMER", 20, 40), ("EMEA", 260, 130)]


@pytest.mark.parametrize(
    "spec",
    [
        QuerySpec(metrics=("revenue",), group_by=by("region"), calculations=(Rank(by="revenue__share"),)),
        QuerySpec(metrics=("revenue",), group_by=by("region"), top=Top(by="revenue__difference", count=1)),
        QuerySpec(
            metrics=("revenue",),
            group_by=by("region"),
            having=(MetricCondition(metric="revenue__percent_change", op=Operator.LT, values=(0,)),),
        ),
    ],
)
def test_a_column_that_nothing_makes_is_named(spec: QuerySpec) -> None:
    assert issue(spec).code is IssueCode.UNKNOWN_METRIC


def test_a_larger_share_is_neither_better_nor_worse() -> None:
    more = ResultColumn(name="m", label="M", role=ColumnRole.METRIC, polarity=Polarity.HIGHER_IS_BETTER)
    share = derived_column(more, Derived.SHARE)
    assert derived_column(share, Derived.POINTS).polarity is share.polarity is Polarity.NEUTRAL
    assert derived_column(more, Derived.DIFFERENCE).polarity is Polarity.HIGHER_IS_BETTER
