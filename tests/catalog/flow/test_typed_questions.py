"""A question on an imported MetricFlow project: intent → resolve → compile → rows."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from catalog.access import TableAccess
from catalog.checks import check, is_error
from catalog.compiler import compile_query
from catalog.issues import Issue, IssueCode
from catalog.query import CompiledQuery, Direction, GroupBy, MetricCondition, MetricIntent, Order, QuerySpec, TimeRange
from catalog.reach import reachable_dimensions
from catalog.resolve import resolve
from catalog.restate import restate
from catalog.terms import build_index
from catalog.types import CatalogSnapshot, DatePart, Filter, Operator, TimeGranularity
from tests.catalog.flow.shop import shop, warehouse
from tests.catalog.shop import everything

DAY, MONTH = TimeGranularity.DAY, TimeGranularity.MONTH
FEBRUARY = TimeRange(start=date(2025, 2, 1), end=date(2025, 3, 1), expr="2025-02")


def compiled(intent: MetricIntent, snapshot: CatalogSnapshot | None = None) -> CompiledQuery:
    spec = resolve(intent, snapshot or shop(), everything(shop()))
    assert isinstance(spec, QuerySpec), spec
    found = compile_query(spec, snapshot or shop())
    assert isinstance(found, CompiledQuery), found
    return found


def rows(**intent: Any) -> list[tuple[object, ...]]:
    query = compiled(MetricIntent(**intent))
    made = warehouse().execute(query.sql, {p.name: p.value for p in query.parameters})
    assert [d[0] for d in made.description] == [c.name for c in query.columns]
    return [tuple(v.strftime("%m-%d") if hasattr(v, "strftime") else v for v in row) for row in made.fetchall()]


def refused(**intent: Any) -> Issue:
    spec = resolve(MetricIntent(**intent), shop(), everything(shop()))
    found = compile_query(spec, shop()) if isinstance(spec, QuerySpec) else spec
    assert isinstance(found, tuple), found
    return found[0]


def test_the_catalog_has_no_errors_and_its_metrics_reach_their_dimensions() -> None:
    assert not [i for i in check(shop()) if is_error(i)]
    assert {"tier", "continent", "channel"} <= reachable_dimensions(shop(), "revenue")
    assert "campaign" in reachable_dimensions(shop(), "visit_to_order")


def test_literals_of_the_question_are_bound() -> None:
    given = Filter(field="channel", op=Operator.EQ, values=("web",))
    query = compiled(MetricIntent(metrics=("revenue",), filters=(given,), time_range=FEBRUARY))
    assert "web" not in query.sql
    assert "2025" not in query.sql
    assert {p.value for p in query.parameters} == {"web", date(2025, 2, 1), date(2025, 3, 1)}
    assert rows(metrics=("revenue",), filters=(given,), time_range=FEBRUARY) == [(70,)]


def test_a_bare_name_is_found_over_a_slowly_changing_table() -> None:
    assert rows(metrics=("revenue",), dimensions=("tier",)) == [("gold", 20), ("new", 45), (None, 40)]
    assert rows(metrics=("revenue",), dimensions=("continent",)) == [("America", 35), ("Europe", 30), (None, 40)]


@pytest.mark.parametrize(
    ("metric", "window", "value"),
    [
        ("revenue_all_time", FEBRUARY, 105),
        ("revenue_two_days", replace(FEBRUARY, end=date(2025, 2, 2)), 55),
        ("revenue_month_to_date", replace(FEBRUARY, end=date(2025, 2, 4)), 75),
        ("revenue_change", replace(FEBRUARY, end=date(2025, 2, 2)), 15),
        ("last_balance_of_each", None, 11),
        ("average_order", FEBRUARY, 25),
    ],
)
def test_each_kind_has_a_value_without_periods(metric: str, window: TimeRange | None, value: int) -> None:
    assert rows(metrics=(metric,), time_range=window) == [(value,)]


def test_each_kind_keeps_metricflow_s_meaning_by_period() -> None:
    window = TimeRange(start=date(2025, 1, 31), end=date(2025, 2, 3), expr="custom")
    by_day = rows(metrics=("web_revenue", "revenue_two_days", "revenue_change"), grain=DAY, time_range=window)
    assert by_day == [("01-31", 0, 30, 10), ("02-01", 30, 55, 15), ("02-02", 0, 35, None)]


def test_conversions_and_metrics_in_conditions_are_answered() -> None:
    assert rows(metrics=("visit_to_order",), dimensions=("campaign",))[0][0] == "a"
    assert rows(metrics=("good_customer_visits",)) == [(0,)] or rows(metrics=("good_customer_visits",)) == [(None,)]


def test_a_condition_on_the_result_an_order_and_a_limit() -> None:
    having = (MetricCondition(metric="orders", op=Operator.GE, values=(1,)),)
    order = (Order(by="revenue", direction=Direction.DESC),)
    found = rows(metrics=("revenue",), dimensions=("channel",), having=having, order=order, limit=2)
    assert found == [("web", 80), ("shop", 20)]
    assert refused(metrics=("revenue",), dimensions=("channel",), limit=2).code is IssueCode.UNSUPPORTED


def test_labels_notes_and_additivity_are_those_of_any_catalog() -> None:
    query = compiled(MetricIntent(metrics=("average_order", "revenue"), dimensions=("channel",)))
    assert [(c.label, c.additive) for c in query.columns] == [
        ("Channel", False), ("Average order", False), ("Revenue", True)
    ]  # fmt: skip
    assert "Average order is empty where it would divide by 0." in query.notes


def test_weeks_of_the_spine_are_disclosed_where_the_workspace_has_others() -> None:
    calendar = replace(shop().calendar, week_start="sunday")
    query = compiled(MetricIntent(metrics=("revenue",), grain=TimeGranularity.WEEK), replace(shop(), calendar=calendar))
    assert "Weeks start on Monday here, as this catalog's metrics are defined." in query.notes


def test_what_cannot_be_reached_is_a_typed_issue() -> None:
    assert refused(metrics=("revenue",), dimensions=("campaign",)).code is IssueCode.UNREACHABLE_DIMENSION
    assert refused(metrics=("revenue",), dimensions=("nothing",)).code is IssueCode.UNKNOWN_DIMENSION
    assert refused(metrics=("revenue_change",)).code is IssueCode.UNSUPPORTED


def test_members_are_listed_without_a_metric() -> None:
    assert warehouse().execute(_members("channel")).fetchall() == [("shop",), ("web",), (None,)]


def _members(name: str) -> str:
    found = compile_query(QuerySpec(metrics=(), group_by=(GroupBy(dimension=name),)), shop())
    assert isinstance(found, CompiledQuery)
    return found.sql


def test_the_plan_reads_as_a_sentence() -> None:
    said = restate(MetricIntent(metrics=("revenue",), dimensions=("tier",), time_range=FEBRUARY), shop())
    assert said == "Revenue by tier, 1 Feb 2025 to 28 Feb 2025"


def test_measures_of_different_grains_never_multiply_each_other() -> None:
    assert rows(metrics=("revenue", "visits"), dimensions=("tier",)) == [
        ("gold", 20, 1), ("new", 45, 2), (None, 40, 2)
    ]  # fmt: skip
    assert rows(metrics=("revenue", "visits")) == [(105, 5)]


def test_totals_are_recomputed_and_balances_are_not_added_over_days() -> None:
    assert rows(metrics=("average_order",)) == [(21,)]
    assert rows(metrics=("last_balance",), grain=MONTH) == [("01-01", 7), ("02-01", 4)]
    assert not compiled(MetricIntent(metrics=("last_balance",), grain=MONTH)).columns[-1].additive


def test_a_null_policy_is_told() -> None:
    notes = compiled(MetricIntent(metrics=("web_revenue",), grain=DAY)).notes
    assert "Web revenue is 0 where there is nothing to count." in notes
    notes = compiled(MetricIntent(metrics=("revenue_change",), grain=DAY)).notes
    assert "Revenue change is empty where a part of it is." in notes


def test_parts_of_a_date_are_groups_here_too() -> None:
    spec = QuerySpec(metrics=("revenue",), group_by=(GroupBy(dimension="metric_time", part=DatePart.MONTH),))
    found = compile_query(spec, shop())
    assert isinstance(found, CompiledQuery)
    assert sorted(warehouse().execute(found.sql).fetchall()) == [(1, 30), (2, 75)]
    assert found.columns[0].label == "Month of the year"


def test_an_entity_is_a_group_by_the_key_that_the_rows_themselves_have() -> None:
    assert rows(metrics=("revenue",), dimensions=("customer",)) == [(1, 30), (2, 35), (3, 40)]
    both = [(1, 30, 2), (2, 35, 1), (3, 40, 1), (4, None, 1)]
    assert rows(metrics=("revenue", "visits"), dimensions=("customer",)) == both
    assert rows(metrics=("last_balance_of_each",), dimensions=("customer",)) == [(1, 7), (2, 4)]


def test_an_entity_of_another_table_is_reached_over_its_path_or_where_only_one_leads_there() -> None:
    found = [("AT", 30), ("US", 35), (None, 40)]
    assert rows(metrics=("revenue",), dimensions=("customer__country",)) == found
    assert rows(metrics=("revenue",), dimensions=("country",)) == found
    assert refused(metrics=("revenue",), dimensions=("channel__country",)).code is IssueCode.UNKNOWN_DIMENSION
    assert refused(metrics=("revenue",), dimensions=("order",)).code is IssueCode.UNKNOWN_DIMENSION
    assert {"customer", "country", "customer__country"} <= reachable_dimensions(shop(), "revenue")


def test_conditions_on_entities_hold_too() -> None:
    one = Filter(field="customer", op=Operator.EQ, values=(2,))
    assert rows(metrics=("revenue",), filters=(one,)) == [(35,)]
    there = Filter(field="customer__country", op=Operator.EQ, values=("AT",))
    assert rows(metrics=("revenue",), dimensions=("channel",), filters=(there,)) == [("shop", 20), ("web", 10)]


def test_a_key_behind_a_hidden_column_is_as_unknown_as_one_that_is_not_there() -> None:
    granted = TableAccess(table="mf.orders", columns=frozenset({"order_id", "ordered_at", "channel", "amount"}))
    visits = TableAccess(table="mf.visits", columns=frozenset({"customer_id", "visited_at", "campaign"}))
    scope = replace(everything(shop()), without_warehouse=False, tables=(granted, visits))
    assert isinstance(resolve(MetricIntent(metrics=("visits",), dimensions=("customer",)), shop(), scope), QuerySpec)
    spec = resolve(MetricIntent(metrics=("revenue",), dimensions=("customer",)), shop(), scope)
    assert isinstance(spec, tuple)
    assert spec[0].code is IssueCode.UNKNOWN_DIMENSION


def test_people_name_entities_in_words() -> None:
    index = build_index(shop(), everything(shop()), {})
    assert {t.target for t in index.lookup("customers")} == {"customer"}
    assert {t.target for t in index.lookup("customer country")} == {"customer__country"}
    hidden = replace(everything(shop()), without_warehouse=False)
    assert not build_index(shop(), hidden, {}).lookup("customer")


def test_a_rate_above_one_is_metricflow_s_and_is_told() -> None:
    window = TimeRange(start=date(2025, 1, 30), end=date(2025, 1, 31), expr="")
    asked = MetricIntent(metrics=("visit_to_order",), time_range=window)
    assert rows(metrics=("visit_to_order",), time_range=window) == [(2.0,)]
    told = next(n for n in compiled(asked).notes if "above 100%" in n)
    assert told.startswith("Visit to order counts orders by the last visits before them in the period")
