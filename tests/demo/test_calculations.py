"""Comparisons, shares, ranks, totals, windows and yes or no, asked for real and checked by independent queries."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest

from dataagent.answering.types import Answer, ChartKind
from dataagent.intent.typefilter.shares import SHARE_WHOLE
from dataagent.intent.types import Decision
from dataagent.runs.document import document, write
from tests.demo.conftest import Asking
from tests.demo.test_first_questions import answered

Sql = Callable[[str], list[tuple[Any, ...]]]

REAL = "FROM warehouse.fct_orders JOIN warehouse.dim_customer USING (customer_id) WHERE NOT is_test_account"


def between(first: str, after: str) -> str:
    return f"count(*) FILTER (order_date >= DATE '{first}' AND order_date < DATE '{after}')"


def counts(sql: Sql, *windows: tuple[str, str], where: str = "") -> tuple[int, ...]:
    asked = ", ".join(between(*w) for w in windows)
    return tuple(sql(f"SELECT {asked} {REAL} {where}")[0])


def words(text: str) -> str:
    """The text with plain spaces."""
    return text.replace("\u202f", " ").replace("\u2212", "-")


def cells(answer: Answer) -> dict[str, Any]:
    """The one row by column name."""
    assert len(answer.rows) == 1
    return dict(zip((c.name for c in answer.columns), answer.rows[0], strict=True))


def test_two_months_are_compared_and_both_are_named(ask: Asking, sql: Sql) -> None:
    answer = answered(ask("analyst", "orders in March 2025 compared with February 2025"))
    now, earlier = counts(sql, ("2025-03-01", "2025-04-01"), ("2025-02-01", "2025-03-01"))
    found = cells(answer)
    assert (found["orders"], found["orders__previous"], found["orders__difference"]) == (now, earlier, now - earlier)
    assert abs(Decimal(found["orders__percent_change"]) - Decimal(now - earlier) / earlier) < Decimal("1e-9")
    share = f"{abs(Decimal(now - earlier) / earlier):.2%}".replace("%", " %")
    side = "more" if now > earlier else "less"
    said = words(answer.headline)
    assert f"{share} {side} than in February 2025" in said
    assert "in March 2025" in said
    assert any("1 Mar 2025 to 31 Mar 2025 is compared with 1 Feb 2025 to 28 Feb 2025" in a for a in answer.assumptions)
    assert any("31 days against 28" in a for a in answer.assumptions)
    assert "compared with 1 Feb 2025 to 28 Feb 2025" in answer.restatement
    assert {c.name for c in answer.checks if c.outcome.value == "failed"} == set()


def test_a_running_month_stands_against_the_same_days_and_the_whole_month_is_one_click_away(
    ask: Asking, sql: Sql
) -> None:
    answer = answered(ask("analyst", "orders this month vs last month"))
    now, earlier, whole = counts(
        sql, ("2025-06-01", "2025-06-18"), ("2025-05-01", "2025-05-18"), ("2025-05-01", "2025-06-01")
    )
    assert (cells(answer)["orders"], cells(answer)["orders__previous"]) == (now, earlier)
    default = next(d for d in answer.defaults if d.key == "partial_period")
    other = answered(ask("analyst", default.alternatives[0]))
    assert (cells(other)["orders"], cells(other)["orders__previous"]) == (now, whole)
    assert any("17 days against 31" in a for a in other.assumptions)
    assert any("cut after 17 Jun 2025, the last day that is loaded" in c for c in answer.caveats)
    assert any("no more of the asked one is loaded" in a for a in answer.assumptions)
    assert "17 Jun 2025" in answer.headline
    assert "so far" not in answer.headline


def test_a_whole_period_that_is_loaded_in_part_is_cut_there_and_its_base_too(ask: Asking, sql: Sql) -> None:
    answer = answered(ask("analyst", "orders in June 2025 vs June 2024", today=date(2025, 7, 20)))
    now, same = counts(sql, ("2025-06-01", "2025-06-18"), ("2024-06-01", "2024-06-18"))
    assert (cells(answer)["orders"], cells(answer)["orders__previous"]) == (now, same)


def test_periods_of_which_neither_is_loaded_are_not_compared(ask: Asking) -> None:
    run = ask("analyst", "orders last week vs the week before", today=date(2025, 7, 20))
    assert run.answer is not None
    assert (run.answer.decision, run.answer.claims) == (Decision.ABSTAIN, ())


def test_a_running_year_stands_against_the_same_dates_of_any_other_and_all_of_it_is_one_click_away(
    ask: Asking, sql: Sql
) -> None:
    answer = answered(ask("analyst", "orders in 2025 vs 2023"))
    now, same, whole = counts(
        sql, ("2025-01-01", "2025-06-18"), ("2023-01-01", "2023-06-18"), ("2023-01-01", "2024-01-01")
    )
    assert (cells(answer)["orders"], cells(answer)["orders__previous"]) == (now, same)
    told = next(d for d in answer.defaults if d.key == "partial_period")
    other = answered(ask("analyst", told.alternatives[0]))
    assert (cells(other)["orders"], cells(other)["orders__previous"]) == (now, whole)


def test_each_month_stands_beside_the_same_month_of_the_other_year(ask: Asking, sql: Sql) -> None:
    answer = answered(ask("analyst", "orders by month in 2024 vs 2023"))
    months = sql(
        f"SELECT month(order_date), {between('2024-01-01', '2025-01-01')}, {between('2023-01-01', '2024-01-01')} "
        f"{REAL} GROUP BY 1 ORDER BY 1"
    )
    assert [row[1:3] for row in answer.rows] == [row[1:] for row in months]


def test_days_of_a_week_stand_beside_the_same_weekdays(ask: Asking, sql: Sql) -> None:
    for question, back in (("by day last week vs 2 weeks ago", 7), ("by day last week vs same week last year", 364)):
        answer = answered(ask("analyst", f"orders {question}"))
        now, then = (
            sql(
                f"SELECT order_date::DATE, count(*) {REAL} AND order_date >= DATE '2025-06-09' - {days} "
                f"AND order_date < DATE '2025-06-16' - {days} GROUP BY 1 ORDER BY 1"
            )
            for days in (0, back)
        )
        assert [row[1:3] for row in answer.rows] == [(a[1], b[1]) for a, b in zip(now, then, strict=True)]


def test_weeks_a_year_ago_keep_their_weekdays(ask: Asking, sql: Sql) -> None:
    answer = answered(ask("analyst", "orders last week compared with the same week last year"))
    now, ago = counts(sql, ("2025-06-09", "2025-06-16"), ("2024-06-10", "2024-06-17"))
    assert (cells(answer)["orders"], cells(answer)["orders__previous"]) == (now, ago)
    assert any("same weekdays, 52 weeks earlier" in a for a in answer.assumptions)


def test_groups_are_compared_with_a_recomputed_whole_and_two_series(ask: Asking, sql: Sql) -> None:
    answer = answered(ask("analyst", "orders by sales channel in May 2025 vs May 2024"))
    now, ago = counts(sql, ("2025-05-01", "2025-06-01"), ("2024-05-01", "2024-06-01"))
    names = [c.name for c in answer.columns]
    total = dict(zip(names, answer.total_row, strict=True))
    assert (total["orders"], total["orders__previous"], total["orders__difference"]) == (now, ago, now - ago)
    by_channel = sql(
        f"SELECT sales_channel, {between('2025-05-01', '2025-06-01')}, {between('2024-05-01', '2024-06-01')} {REAL} "
        "GROUP BY 1 ORDER BY 1"
    )
    assert [row[:3] for row in answer.rows] == by_channel
    assert answer.chart is not None
    assert (answer.chart.kind, answer.chart.y) == (ChartKind.BAR, ("orders", "orders__previous"))


def test_an_earlier_period_before_the_data_is_nothing_to_compare_with(ask: Asking) -> None:
    run = ask("analyst", "orders in January 2022 compared with January 2021")
    assert run.answer is not None
    assert (run.answer.decision, run.answer.rows, run.answer.claims) == (Decision.ABSTAIN, (), ())
    assert "nothing to compare with" in run.answer.headline


def test_the_last_period_that_is_over_leads_a_series(ask: Asking, sql: Sql) -> None:
    answer = answered(ask("analyst", "orders month over month in 2025"))
    now, earlier = counts(sql, ("2025-05-01", "2025-06-01"), ("2025-04-01", "2025-05-01"))
    assert words(answer.headline).startswith(f"Orders: {now:,} in May 2025".replace(",", " "))
    assert answer.rows[4][1:3] == (now, earlier)
    june = counts(sql, ("2025-06-01", "2025-06-18"), ("2025-05-01", "2025-05-18"))
    assert answer.rows[5][1:3] == june
    assert not any("set against a whole period" in c for c in answer.caveats)
    assert any("same days of the earlier one" in a for a in answer.assumptions)


def test_one_members_share_is_of_all_members(ask: Asking, sql: Sql) -> None:
    answer = answered(ask("analyst", "what percentage of units sold is from Electronics last month"))
    part, whole = sql(
        "SELECT sum(quantity) FILTER (category = 'Electronics'), sum(quantity) FROM warehouse.fct_order_items"
        " JOIN warehouse.dim_product USING (sku) JOIN warehouse.dim_customer USING (customer_id)"
        " WHERE NOT is_test_account AND order_date >= DATE '2025-05-01' AND order_date < DATE '2025-06-01'"
    )[0]
    assert len(answer.rows) == 1
    assert cells(answer)["units_sold"] == part
    assert abs(Decimal(cells(answer)["units_sold__share"]) - Decimal(part) / whole) < Decimal("1e-9")
    assert words(answer.headline).startswith(f"Electronics: {part / whole:.2%}".replace("%", " %"))


SOLD = (
    "FROM warehouse.fct_order_items JOIN warehouse.dim_product USING (sku) JOIN warehouse.dim_customer"
    " USING (customer_id) WHERE NOT is_test_account AND order_date >= DATE '2025-05-01'"
    " AND order_date < DATE '2025-06-01'"
)


def test_what_is_left_out_of_a_share_is_left_out_of_its_whole(ask: Asking, sql: Sql) -> None:
    left = f"SELECT category, sum(quantity) {SOLD} AND category IS DISTINCT FROM 'Toys' GROUP BY 1"
    all_of = f"SELECT category, sum(quantity) {SOLD} GROUP BY 1"
    for of, wanted, whole in (
        ("", left, "units sold in May 2025 where"),
        ("all ", all_of, "all units sold in May 2025"),
    ):
        answer = answered(ask("analyst", f"share of {of}units sold by category in May excluding Toys"))
        known = dict(sql(wanted))
        total = sum(known.values())
        shares = {row[0]: Decimal(row[-1]) for row in answer.rows}
        assert set(shares) == set(known) - {"Toys"}
        assert all(abs(shares[c] - Decimal(known[c]) / total) < Decimal("1e-9") for c in shares)
        assert whole in answer.headline
        offered = [text for d in answer.defaults if d.key == SHARE_WHOLE for text in d.alternatives]
        assert [text.startswith("share of all units sold") for text in offered] == ([] if of else [True])


def test_a_percentage_beside_another_month_is_compared_as_a_percentage(ask: Asking, sql: Sql) -> None:
    first = ask("analyst", "orders in EMEA in May 2025 vs April 2025")
    direct = ask("analyst", "what percentage of orders came from EMEA in May 2025 vs April 2025")
    follow = ask("analyst", "as a share of total", session=first.session_id)
    months = ("2025-05-01", "2025-06-01"), ("2025-04-01", "2025-05-01")
    whole = counts(sql, *months)
    stores = REAL.replace("WHERE", "JOIN warehouse.dim_store USING (store_id) WHERE")
    part = sql(f"SELECT {', '.join(between(*m) for m in months)} {stores} AND dim_store.region = 'EMEA'")[0]
    now, then = (Decimal(100 * p) / w for p, w in zip(part, whole, strict=True))
    for run in (direct, follow):
        answer = answered(run)
        assert words(answer.headline).startswith(f"EMEA: {now:.2f} % of all orders in May 2025")
        assert abs(Decimal(cells(answer)["orders__share__points"]) - (now - then)) < Decimal("1e-7")
        assert all("Orders:" not in c.text for c in answer.claims)


def test_shares_are_drawn_beside_their_earlier_ones(ask: Asking) -> None:
    answer = answered(ask("analyst", "share of units sold by category in May 2025 vs April 2025"))
    assert answer.chart is not None
    assert answer.chart.y == ("units_sold__share", "units_sold__share__previous")


def test_shares_are_drawn_and_add_up(ask: Asking) -> None:
    answer = answered(ask("analyst", "share of units sold by category last month"))
    shares = [Decimal(row[-1]) for row in answer.rows]
    assert abs(sum(shares) - 1) < Decimal("1e-9")
    assert answer.chart is not None
    assert answer.chart.y == ("units_sold__share",)


def test_a_share_of_what_does_not_add_up_stops(ask: Asking) -> None:
    run = ask("analyst", "share of average order value by region last month")
    assert run.answer is not None
    assert run.answer.decision is Decision.ABSTAIN
    assert run.answer.rows == ()


@pytest.mark.parametrize(
    ("question", "yes"),
    [
        ("is csat higher than 90% in May 2025", False),
        ("is csat higher than 10% in May 2025", True),
        ("are there any orders from Japan in May 2025", True),
    ],
)
def test_yes_or_no_comes_with_its_figure(ask: Asking, question: str, yes: bool) -> None:
    answer = answered(ask("analyst", question))
    assert answer.headline.startswith("Yes: " if yes else "No: ")
    assert any(c.isdigit() for c in answer.headline)
    assert len(answer.claims) == 1


def test_growth_is_told_against_the_period_before_which_is_said(ask: Asking, sql: Sql) -> None:
    answer = answered(ask("analyst", "did orders grow in March 2025"))
    now, earlier, ago = counts(
        sql, ("2025-03-01", "2025-04-01"), ("2025-02-01", "2025-03-01"), ("2024-03-01", "2024-04-01")
    )
    assert answer.headline.startswith("Yes: " if now > earlier else "No: ")
    default = next(d for d in answer.defaults if d.key == "comparison_base")
    other = answered(ask("analyst", default.alternatives[0]))
    assert cells(other)["orders__previous"] == ago


def test_growth_in_every_month_is_counted(ask: Asking, sql: Sql) -> None:
    answer = answered(ask("analyst", "did orders grow in every month of 2024"))
    months = [f"{2023 + (n + 11) // 12}-{(n + 11) % 12 + 1:02}-01" for n in range(14)]
    by_month = counts(sql, *pairwise(months))
    grown = sum(1 for before, now in pairwise(by_month) if now > before)
    assert f"{grown} of 12 months" in words(answer.headline)
    assert answer.headline.startswith("Yes" if grown == 12 else "No")


def test_things_without_rows_are_counted_and_listed(ask: Asking, sql: Sql) -> None:
    answer = answered(ask("analyst", "how many customers placed fewer than 3 orders in 2024"))
    inside = "order_date >= DATE '2024-01-01' AND order_date < DATE '2025-01-01'"
    wanted = sql(
        "SELECT count(*) FROM (SELECT customer_id, count(order_id) AS orders FROM warehouse.dim_customer LEFT JOIN "
        f"(SELECT customer_id, order_id FROM warehouse.fct_orders WHERE {inside}) USING (customer_id) "
        "WHERE NOT is_test_account GROUP BY 1) WHERE orders < 3"
    )
    assert answer.rows == tuple(wanted)
    assert "A customer without any orders counts as 0." in answer.assumptions
    stores = answered(ask("analyst", "which stores had fewer than 10000 orders yesterday"))
    assert len(stores.rows) == sql("SELECT count(*) FROM warehouse.dim_store")[0][0]


def test_the_first_of_each_group_and_ranks(ask: Asking, sql: Sql) -> None:
    items = (
        "FROM warehouse.fct_order_items JOIN warehouse.dim_store USING (store_id)"
        " JOIN warehouse.dim_product USING (sku) JOIN warehouse.dim_customer USING (customer_id)"
        " WHERE NOT is_test_account AND order_date >= DATE '2025-05-01' AND order_date < DATE '2025-06-01'"
    )
    answer = answered(ask("analyst", "top 2 products per region by units sold in May 2025"))
    wanted = sql(
        f"SELECT dim_store.region, product_name, sum(quantity) {items} GROUP BY 1, sku, 2 "
        "QUALIFY rank() OVER (PARTITION BY dim_store.region ORDER BY sum(quantity) DESC) <= 2"
    )
    assert sorted(answer.rows) == sorted(wanted)
    ranked = answered(ask("analyst", "rank regions by units sold in May 2025"))
    assert [row[-1] for row in ranked.rows] == list(range(1, len(ranked.rows) + 1))


def test_running_totals_and_moving_averages(ask: Asking, sql: Sql) -> None:
    answer = answered(ask("analyst", "running total of units sold in May 2025"))
    whole = sql(
        "SELECT sum(quantity) FROM warehouse.fct_order_items JOIN warehouse.dim_customer USING (customer_id)"
        " WHERE NOT is_test_account AND order_date >= DATE '2025-05-01' AND order_date < DATE '2025-06-01'"
    )[0][0]
    assert answer.rows[-1][-1] == whole
    assert answer.chart is not None
    assert answer.chart.y == ("units_sold__running_total",)
    moving = answered(ask("analyst", "7-day moving average of units sold in May 2025"))
    assert len(moving.rows) == 31
    assert moving.rows[0][-1] is not None


def test_what_does_not_add_up_runs_over_all_rows_so_far(ask: Asking, sql: Sql) -> None:
    buyers = answered(ask("analyst", "running total of active customers by month in 2024 restarting each quarter"))
    lines = (
        "FROM warehouse.fct_order_items JOIN warehouse.dim_customer USING (customer_id)"
        " WHERE NOT is_test_account AND order_date >= DATE '2024-10-01' AND order_date < DATE '2025-01-01'"
    )
    orders = answered(ask("analyst", "running total of orders by month in 2024 restarting each quarter"))
    last = (orders.rows[-1][-1], buyers.rows[-1][-1])
    assert last == sql(f"SELECT count(DISTINCT order_id), count(DISTINCT customer_id) {lines}")[0]
    assert "by quarter" in orders.headline


def test_follow_ups_compare_and_share(ask: Asking, sql: Sql) -> None:
    first = ask("analyst", "units sold by category last month")
    shared = answered(ask("analyst", "as a share", session=first.session_id))
    assert "units_sold__share" in [c.name for c in shared.columns]
    second = ask("analyst", "orders last month")
    compared = answered(ask("analyst", "and compared with last year?", session=second.session_id))
    now, ago = counts(sql, ("2025-05-01", "2025-06-01"), ("2024-05-01", "2024-06-01"))
    assert (cells(compared)["orders"], cells(compared)["orders__previous"]) == (now, ago)


def test_a_hidden_metric_is_as_unknown_in_a_comparison_as_an_absent_one(ask: Asking) -> None:
    hidden = ask("support_agent", "net revenue in May 2025 vs April 2025")
    assert hidden.answer is not None
    assert hidden.answer.decision in (Decision.DENY, Decision.ABSTAIN)
    assert hidden.answer.rows == ()
    assert hidden.answer.sql == ""


def test_the_document_keeps_every_digit_of_a_change(ask: Asking) -> None:
    run = ask("analyst", "orders in March 2025 compared with February 2025")
    text = write(document(run))
    read = json.loads(text, parse_float=Decimal)
    assert tuple(read["rows"][0]) == answered(run).rows[0]
    assert [c["derived"] for c in read["columns"]] == ["", "previous", "difference", "percent_change"]
    assert {c["of"] for c in read["columns"][1:]} == {"orders"}
