"""A first question, answered for real: each result is checked by an independent query."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from dataagent.answering.types import Answer
from dataagent.intent.types import Decision
from dataagent.policy import service as policy
from dataagent.runs import service as runs
from dataagent.runs.service.machine import MACHINE
from dataagent.runs.service.working import claim_and_work
from dataagent.runs.types import RunState
from tests.demo.conftest import Asking

Sql = Callable[[str], list[tuple[Any, ...]]]

NET_REVENUE_EMEA = """
WITH real AS (
  SELECT i.*, s.region AS store_region FROM warehouse.fct_order_items AS i
  JOIN warehouse.fct_orders AS o USING (order_id)
  JOIN warehouse.dim_customer AS c ON c.customer_id = o.customer_id AND NOT c.is_test_account
  JOIN warehouse.dim_store AS s ON s.store_id = o.store_id
), sold AS (
  SELECT date_trunc('month', order_date)::DATE AS month, sum(gross_amount - discount_amount) AS amount
  FROM real WHERE store_region = 'EMEA' AND order_date >= '2025-01-01' AND order_date < '2026-01-01' GROUP BY 1
), paid_back AS (
  SELECT date_trunc('month', refund_date)::DATE AS month, sum(refund_amount) AS amount
  FROM warehouse.fct_refunds AS f JOIN real USING (order_item_id)
  WHERE store_region = 'EMEA' AND refund_date >= '2025-01-01' AND refund_date < '2026-01-01' GROUP BY 1
)
SELECT month, coalesce(sold.amount, 0) - coalesce(paid_back.amount, 0)
FROM sold FULL JOIN paid_back USING (month) ORDER BY 1
"""
UNITS = """
SELECT p.sku, sum(i.quantity) FROM warehouse.fct_order_items AS i
JOIN warehouse.fct_orders AS o USING (order_id)
JOIN warehouse.dim_customer AS c ON c.customer_id = o.customer_id AND NOT c.is_test_account
JOIN warehouse.dim_product AS p ON p.sku = i.sku
WHERE i.order_date >= '2025-01-01' AND i.order_date < '2025-04-01'
GROUP BY 1 ORDER BY 2 DESC LIMIT 5
"""
ORDERS_YESTERDAY = """
SELECT count(DISTINCT order_id) FROM warehouse.fct_orders AS o
JOIN warehouse.dim_customer AS c ON c.customer_id = o.customer_id AND NOT c.is_test_account
WHERE o.order_date = '2025-06-17'
"""


def answered(run: Any) -> Answer:
    assert (run.state, run.answer is not None) == (RunState.ANSWERED, True), run.reason
    answer: Answer = run.answer
    return answer


def test_net_revenue_by_month_for_a_region_equals_the_hand_written_query(ask: Asking, sql: Sql) -> None:
    answer = answered(ask("analyst", "net revenue by month this year for EMEA"))
    assert list(answer.rows) == sql(NET_REVENUE_EMEA)
    assert answer.total_row[-1] == sum((row[1] for row in sql(NET_REVENUE_EMEA)), Decimal(0))
    assert answer.chart is not None
    assert answer.chart.kind.value == "line"


def test_the_top_products_are_those_of_the_hand_written_query(ask: Asking, sql: Sql) -> None:
    answer = answered(ask("analyst", "top 5 products by units sold last quarter"))
    assert [row[-1] for row in answer.rows] == [row[1] for row in sql(UNITS)]


def test_a_count_of_yesterday_equals_the_hand_written_query(ask: Asking, sql: Sql) -> None:
    answer = answered(ask("analyst", "how many orders yesterday?"))
    assert answer.rows == tuple(sql(ORDERS_YESTERDAY))
    assert answer.sources
    assert answer.sql
    assert answer.certificate


def test_an_average_by_group_is_recomputed_over_the_whole(ask: Asking) -> None:
    answer = answered(ask("analyst", "average order value by loyalty tier"))
    shown = [row[-1] for row in answer.rows]
    assert min(shown) < answer.total_row[-1] < max(shown)  # type: ignore[operator,type-var]
    assert any(d.key == "time_range" for d in answer.defaults)


def test_a_definition_needs_no_sql(ask: Asking) -> None:
    answer = answered(ask("analyst", "what does net revenue mean?"))
    assert (answer.decision, answer.sql) == (Decision.DEFINE, "")
    assert "refunds" in answer.headline


def test_an_ambiguous_word_is_asked_back_and_one_choice_answers(ask: Asking) -> None:
    asked = ask("analyst", "revenue last month")
    assert asked.state is RunState.WAITING_FOR_PERSON
    labels = [o.label for o in asked.answer.options]  # type: ignore[union-attr]
    assert labels == ["gross revenue", "net revenue"]
    asker = policy.principal("analyst", "demo")
    chosen = runs.start_run(asker, "", choice_of=(asked.id, 1))
    claim_and_work("test", MACHINE, run_id=chosen.id)
    answer = answered(runs.run(asker, chosen.id))
    direct = answered(ask("analyst", "net revenue last month"))
    assert answer.rows == direct.rows


def test_an_unknown_word_is_named_and_not_dropped(ask: Asking) -> None:
    run = ask("analyst", "revenue per employee")
    assert run.state is RunState.ABSTAINED
    assert "employee" in run.answer.headline  # type: ignore[union-attr]


def test_a_restricted_metric_is_refused_usefully_and_answered_for_those_who_may(ask: Asking) -> None:
    refused = ask("analyst", "gross margin last month")
    assert refused.state is RunState.REFUSED
    assert [o.label for o in refused.answer.options][:1] == ["net revenue"]  # type: ignore[union-attr]
    assert answered(ask("finance", "gross margin last month")).rows[0][0] > 0  # type: ignore[operator]


def test_the_regional_manager_sees_only_the_region_and_the_receipt_says_so(ask: Asking) -> None:
    run = ask("emea_manager", "net revenue by region last month")
    answer = answered(run)
    assert [row[0] for row in answer.rows] == ["EMEA"]
    assert "region is EMEA" in answer.row_scope
    receipt = runs.receipt_view(policy.principal("emea_manager", "demo"), run.id)
    assert "region is EMEA" in repr(receipt)


@pytest.mark.parametrize("template", ["net revenue for {} last month", "is there a store in {}?", "orders in {}"])
def test_a_hidden_value_looks_exactly_like_one_that_does_not_exist(ask: Asking, template: str) -> None:
    hidden = ask("emea_manager", template.format("Austin"))
    made_up = ask("emea_manager", template.format("Quxton"))
    assert (hidden.state, hidden.reason) == (made_up.state, made_up.reason)
    assert repr(hidden.answer.limitation).replace("Austin", "Quxton") == repr(made_up.answer.limitation)  # type: ignore[union-attr]


def test_another_workspace_answers_from_its_own_data(ask: Asking) -> None:
    mine = answered(ask("analyst", "how many orders yesterday?"))
    other = ask("other_team", "how many orders yesterday?", workspace="other")
    assert other.answer is None or other.answer.rows != mine.rows


def test_a_ranking_ranks_members_and_the_whole_counts_everyone(ask: Asking) -> None:
    answer = answered(ask("analyst", "top 2 promo codes by orders in May"))
    assert None not in [row[0] for row in answer.rows]
    assert answer.total_row[-1] == answered(ask("analyst", "orders in May")).rows[0][0]


def test_nobody_leads_over_rows_that_were_cut(ask: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.conf.settings.MAX_ROWS", 5)
    cut = answered(ask("analyst", "orders by store city in 2024"))
    assert cut.truncated
    assert "highest" not in cut.headline + cut.subline


def test_what_a_definition_leaves_out_stops_instead_of_giving_zero(ask: Asking) -> None:
    run = ask("analyst", "test account orders in May")
    assert (run.state, run.reason) == (RunState.ABSTAINED, "contradiction")


def test_a_period_before_the_data_gives_no_number(ask: Asking) -> None:
    run = ask("analyst", "orders in 2000")
    assert run.state is RunState.ABSTAINED
    assert run.answer.rows == ()  # type: ignore[union-attr]


def test_a_metric_that_policy_does_not_announce_looks_unknown(ask: Asking) -> None:
    hidden = ask("support_agent", "gross margin last month")
    made_up = ask("support_agent", "brass mortar last month")
    assert (hidden.state, hidden.reason) == (made_up.state, made_up.reason)
    assert (hidden.state, hidden.reason) == (RunState.ABSTAINED, "unknown_term")


@pytest.mark.parametrize(
    "question",
    [
        "active subscriptions by subscription start year",
        "churned subscriptions in May 2025 by subscription start month",
        "churn rate by subscription start year",
    ],
)
def test_a_period_of_one_date_grouped_by_another_is_not_computed(ask: Asking, question: str) -> None:
    assert ask("analyst", question).state is RunState.ABSTAINED


def test_a_metric_grouped_by_its_own_date_is_computed(ask: Asking) -> None:
    assert answered(ask("analyst", "churned subscriptions by month this year")).rows
