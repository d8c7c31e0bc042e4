"""Intents become queries that compute exactly that, or typed issues."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from catalog.access import AccessScope, TableAccess
from catalog.issues import Issue, IssueCode
from catalog.query import (
    Comparison,
    Direction,
    GroupBy,
    IntentKind,
    MetricCondition,
    MetricIntent,
    Order,
    QuerySpec,
    Things,
    TimeRange,
    Transform,
)
from catalog.resolve import resolve
from catalog.restate import restate
from catalog.specs import EACH_OF
from catalog.types import METRIC_TIME, Filter, Operator, TimeGranularity
from tests.catalog.shop import everything, shop

YEAR = TimeRange(start=date(2025, 1, 1), end=date(2025, 6, 19), expr="ytd")


def spec(intent: MetricIntent, scope: AccessScope | None = None) -> QuerySpec:
    found = resolve(intent, shop(), scope or everything())
    assert isinstance(found, QuerySpec), found
    return found


def issues(intent: MetricIntent, scope: AccessScope | None = None) -> tuple[Issue, ...]:
    found = resolve(intent, shop(), scope or everything())
    assert isinstance(found, tuple), found
    return found


def test_a_query_keeps_every_part() -> None:
    intent = MetricIntent(
        metrics=("net_revenue",),
        dimensions=("region",),
        filters=(Filter(field="tier", op=Operator.EQ, values=("gold",)),),
        having=(MetricCondition(metric="orders", op=Operator.GT, values=(5,)),),
        time_range=YEAR,
        grain=TimeGranularity.MONTH,
        order=(Order(by="net_revenue", direction=Direction.DESC),),
        limit=5,
    )
    found = spec(intent)
    assert found.group_by == (
        GroupBy(dimension=METRIC_TIME, granularity=TimeGranularity.MONTH),
        GroupBy(dimension="region"),
    )
    member = Filter(field="region", op=Operator.IS_NOT_NULL)
    assert (found.where, found.having, found.time_range) == ((*intent.filters, member), intent.having, YEAR)
    assert (found.order_by, found.limit) == (intent.order, 5)


def test_a_grain_on_a_named_time_groups_by_that_time() -> None:
    intent = MetricIntent(
        metrics=("orders",), grain=TimeGranularity.MONTH, time_dimension="signed_up_on", dimensions=("signed_up_on",)
    )
    assert spec(intent).group_by == (GroupBy(dimension="signed_up_on", granularity=TimeGranularity.MONTH),)


def test_a_hidden_metric_looks_like_an_unknown_one() -> None:
    less = replace(everything(), metrics=everything().metrics - {"aov"})
    hidden = issues(MetricIntent(metrics=("aov",)), less)[0]
    unknown = issues(MetricIntent(metrics=("aov",)), replace(less, metrics=frozenset()))[0]
    absent = issues(MetricIntent(metrics=("nonsense",)))[0]
    assert hidden == unknown
    assert (hidden.code, hidden.message.replace("aov", "nonsense")) == (absent.code, absent.message)


def test_ordering_by_a_hidden_metric_is_no_way_around() -> None:
    less = replace(everything(), metrics=everything().metrics - {"aov"})
    intent = MetricIntent(
        metrics=("orders",), dimensions=("region",), order=(Order(by="aov", direction=Direction.ASC),), limit=1
    )
    assert spec(intent)
    assert issues(intent, less)[0].code is IssueCode.UNKNOWN_METRIC


def test_a_hidden_dimension_or_value_looks_like_an_unknown_one() -> None:
    orders = TableAccess(table="shop.orders", columns=frozenset({"order_id", "amount", "ordered_at"}))
    granted = replace(everything(), tables=(orders,))
    hidden = issues(MetricIntent(metrics=("orders",), dimensions=("status",)), granted)[0]
    absent = issues(MetricIntent(metrics=("orders",), dimensions=("colour",)), granted)[0]
    assert (hidden.code, hidden.message.replace("status", "colour")) == (absent.code, absent.message)
    limited = replace(everything(), value_limits=(("region", frozenset({"EMEA"})),))
    for value, fits in (("EMEA", True), ("AMER", False), ("ATLANTIS", False)):
        intent = MetricIntent(metrics=("orders",), filters=(Filter(field="region", op=Operator.EQ, values=(value,)),))
        found = resolve(intent, shop(), limited)
        assert isinstance(found, QuerySpec) is fits
        if isinstance(found, tuple):
            assert found[0].code is IssueCode.UNKNOWN_VALUE


def test_an_unreachable_dimension_is_told() -> None:
    found = issues(MetricIntent(metrics=("customers",), dimensions=("region",)))
    assert [i.code for i in found] == [IssueCode.UNREACHABLE_DIMENSION]


@pytest.mark.parametrize(
    "intent",
    [
        MetricIntent(metrics=("orders",), comparison=Comparison(type="year_ago")),
        MetricIntent(metrics=("orders",), transforms=(Transform(type="share_of_total"),)),
        MetricIntent(metrics=("orders",), per_group="region", limit=3),
        MetricIntent(kind=IntentKind.FUNNEL, metrics=("orders",)),
        MetricIntent(kind=IntentKind.EXTREME, metrics=("orders",), dimensions=("region",)),
        MetricIntent(),
        MetricIntent(metrics=("orders",), entity="customer"),
        MetricIntent(kind=IntentKind.ENTITY_LIST, entity="store", notes=(("set_op", "difference"),)),
        MetricIntent(kind=IntentKind.DISTINCT_VALUES, dimensions=("region",), metrics=("orders",)),
    ],
)
def test_what_cannot_be_computed_exactly_is_an_issue(intent: MetricIntent) -> None:
    assert issues(intent)[0].code is IssueCode.UNSUPPORTED


def test_an_extreme_is_an_ordered_query() -> None:
    order = (Order(by="orders", direction=Direction.ASC),)
    intent = MetricIntent(
        kind=IntentKind.EXTREME, metrics=("orders",), grain=TimeGranularity.MONTH, order=order, limit=1
    )
    assert (spec(intent).order_by, spec(intent).limit) == (order, 1)


def test_counting_an_entity_uses_the_one_metric_that_counts_its_rows() -> None:
    assert spec(MetricIntent(kind=IntentKind.ENTITY_COUNT, entity="customer")).metrics == ("customers",)
    assert issues(MetricIntent(kind=IntentKind.ENTITY_COUNT, entity="store"))[0].code is IssueCode.UNSUPPORTED
    assert issues(MetricIntent(kind=IntentKind.ENTITY_COUNT, entity="ghost"))[0].code is IssueCode.UNKNOWN_DIMENSION


def test_grouping_by_a_label_keeps_things_of_one_name_apart() -> None:
    keyed = tuple(replace(e, key_dimension="store_number") if e.name == "store" else e for e in shop().entities)
    by_store = MetricIntent(metrics=("orders",), dimensions=("store_name",))
    found = resolve(by_store, replace(shop(), entities=keyed), everything())
    assert isinstance(found, QuerySpec)
    assert found.identify_by == ("store_number",)
    assert spec(by_store).identify_by == ()


def test_things_under_a_condition_are_counted_by_their_key() -> None:
    some = MetricCondition(metric="orders", op=Operator.GE, values=(2,))
    ask = MetricIntent(kind=IntentKind.ENTITY_COUNT, entity="store", metrics=("orders",), having=(some,))
    keyed = replace(
        shop(), entities=tuple(replace(e, key_dimension="store_name") for e in shop().entities if e.name == "store")
    )
    found = resolve(ask, keyed, everything())
    assert isinstance(found, QuerySpec)
    assert found.things == Things(entity="store", key="store_name", counted=True)
    assert (found.group_by, found.having) == ((), (some,))
    assert isinstance(resolve(replace(ask, dimensions=("region",)), keyed, everything()), tuple)
    assert isinstance(resolve(ask, shop(), everything()), tuple)


def test_a_list_needs_a_key_and_holds_things_without_rows_where_they_meet_the_condition() -> None:
    keyed = replace(
        shop(), entities=tuple(replace(e, key_dimension="store_name") for e in shop().entities if e.name == "store")
    )
    some = MetricCondition(metric="orders", op=Operator.GE, values=(2,))
    none = MetricCondition(metric="orders", op=Operator.EQ, values=(0,))
    ask = MetricIntent(kind=IntentKind.ENTITY_LIST, entity="store", having=(some,))
    listed = resolve(ask, keyed, everything())
    assert isinstance(listed, QuerySpec)
    assert (listed.metrics, listed.having, listed.group_by) == (
        ("orders",),
        (some,),
        (GroupBy(dimension="store_name"),),
    )
    assert listed.things is None
    without = resolve(replace(ask, having=(none,)), keyed, everything())
    assert isinstance(without, QuerySpec)
    assert without.things == Things(entity="store", key="store_name")
    assert isinstance(resolve(ask, shop(), everything()), tuple)


@pytest.mark.parametrize(
    ("intent", "text"),
    [
        (
            MetricIntent(
                metrics=("net_revenue",),
                grain=TimeGranularity.MONTH,
                time_range=YEAR,
                filters=(Filter(field="region", op=Operator.EQ, values=("EMEA",)),),
            ),
            "Net revenue by month, 1 Jan 2025 to 18 Jun 2025, where region is EMEA",
        ),
        (
            MetricIntent(
                metrics=("orders", "aov"),
                dimensions=("tier",),
                having=(MetricCondition(metric="orders", op=Operator.BETWEEN, values=(1, 5)),),
                order=(Order(by="orders", direction=Direction.DESC),),
                limit=3,
            ),
            "Orders and Average order value by tier, where orders is between 1 and 5, first 3 by highest orders",
        ),
        (
            MetricIntent(metrics=("orders",), time_range=TimeRange(start=None, end=None, expr="all_time")),
            "Orders, all time",
        ),
    ],
)
def test_a_plan_is_said_in_plain_words(intent: MetricIntent, text: str) -> None:
    assert restate(intent, shop()) == text


def test_a_question_about_each_of_something_leaves_out_what_has_none() -> None:
    plain = MetricIntent(metrics=("net_revenue",), dimensions=("region",))
    assert spec(replace(plain, notes=((EACH_OF, "region"),))).where == (
        Filter(field="region", op=Operator.IS_NOT_NULL),
    )
    assert spec(plain).where == ()


def test_each_of_something_unknown_is_an_issue() -> None:
    intent = MetricIntent(metrics=("net_revenue",), notes=((EACH_OF, "nothing_known"),))
    assert issues(intent)[0].code is IssueCode.UNKNOWN_DIMENSION


def test_a_condition_on_a_change_and_an_order_by_it_need_an_earlier_figure() -> None:
    fell = MetricCondition(metric="orders__difference", op=Operator.LT, values=(0,))
    order = (Order(by="orders__difference", direction=Direction.ASC),)
    asked = MetricIntent(metrics=("orders",), dimensions=("status",), time_range=YEAR, having=(fell,), order=order)
    assert [i.code for i in issues(asked)] == [IssueCode.UNSUPPORTED]
    found = spec(replace(asked, comparison=Comparison(type="previous_period", calc=("diff", "pct"))))
    assert (found.having, found.order_by) == ((fell,), order)


def test_a_ranking_by_a_change_leaves_out_rows_that_belong_to_no_member() -> None:
    order = (Order(by="orders__difference", direction=Direction.ASC),)
    compared = Comparison(type="previous_period", calc=("diff", "pct"))
    asked = MetricIntent(
        metrics=("orders",), dimensions=("status",), time_range=YEAR, order=order, limit=3, comparison=compared
    )
    assert Filter(field="status", op=Operator.IS_NOT_NULL) in spec(asked).where


def test_a_change_of_a_hidden_metric_is_as_unknown_as_the_metric() -> None:
    scope = replace(everything(), metrics=everything().metrics - {"orders"})
    fell = MetricCondition(metric="orders__difference", op=Operator.LT, values=(0,))
    compared = Comparison(type="previous_period", calc=("diff", "pct"))
    asked = MetricIntent(metrics=("revenue",), time_range=YEAR, having=(fell,), comparison=compared)
    assert IssueCode.UNKNOWN_METRIC in {i.code for i in issues(asked, scope)}


def test_a_yes_or_no_about_things_counts_those_that_decide_it() -> None:
    keyed = replace(
        shop(), entities=tuple(replace(e, key_dimension="store_name") for e in shop().entities if e.name == "store")
    )
    some = MetricCondition(metric="orders", op=Operator.GT, values=(5,))
    any_of = MetricIntent(kind=IntentKind.EXISTS, metrics=("orders",), entity="store", having=(some,))
    found = resolve(any_of, keyed, everything())
    assert isinstance(found, QuerySpec)
    assert found.things == Things(entity="store", key="store_name", counted=True)
    assert found.having == (some,)
    every = resolve(replace(any_of, kind=IntentKind.BOOLEAN), keyed, everything())
    assert isinstance(every, QuerySpec)
    assert every.having == (replace(some, op=Operator.LE),)
    two = (some, replace(some, metric="revenue"))
    assert isinstance(resolve(replace(any_of, having=()), keyed, everything()), tuple)
    assert isinstance(resolve(replace(any_of, kind=IntentKind.BOOLEAN, having=two), keyed, everything()), tuple)


def test_members_without_rows_are_looked_at_where_a_condition_holds_for_them() -> None:
    nothing = MetricCondition(metric="orders", op=Operator.EQ, values=(0,))
    by_region = MetricIntent(metrics=("orders",), dimensions=("region",), having=(nothing,))
    assert spec(by_region).things == Things(entity="store", key="region", member=True)
    assert spec(replace(by_region, having=(replace(nothing, op=Operator.GT),))).things is None


def test_a_member_is_picked_after_all_have_their_places() -> None:
    placed = Transform(type="rank", arguments=(("field", "status"), ("value", "done")))
    order = (Order(by="orders", direction=Direction.DESC),)
    found = spec(
        MetricIntent(metrics=("orders",), dimensions=("status",), time_range=YEAR, transforms=(placed,), order=order)
    )
    assert found.kept == (Filter(field="status", op=Operator.EQ, values=("done",)),)
    assert found.kept[0] not in found.where
    assert len(found.calculations) == 1
