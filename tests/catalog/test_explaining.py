"""How a metric is computed, in words: every kind, its paths and its SQL; nothing that is hidden."""

from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from catalog.access import AccessScope, TableAccess
from catalog.explaining import Explanation, explain
from catalog.importers.formats import load_any
from catalog.issues import Issue
from catalog.spec_text import spec_of
from catalog.types import CatalogSnapshot

MANIFEST = Path(settings.BASE_DIR) / "fixtures" / "bench" / "manifest"


def catalog() -> CatalogSnapshot:
    return load_any(MANIFEST, schema="main")


def everything(snapshot: CatalogSnapshot) -> AccessScope:
    names = frozenset(m.name for m in snapshot.metrics)
    return AccessScope(
        workspace="w", principal="p", policy_version="1", digest="d", metrics=names, without_warehouse=True
    )


def explained(metric: str, **parts: Any) -> Explanation:
    found = explain(spec_of((metric,), **parts), catalog(), everything(catalog()))
    assert isinstance(found, Explanation), found
    return found


@pytest.mark.parametrize(
    ("metric", "by", "words"),
    [
        ("revenue", (), "The sum of amount in main.orders."),
        ("order_count", (), "The number of rows in main.orders."),
        ("buyers", (), "The number of different values of customer_id in main.orders."),
        ("amount_p90", (), "The value of amount that 90% of rows do not exceed in main.orders."),
        ("units_in_stock", (), "The sum of units in main.stock, at the last counted on of each period only."),
        ("orders_per_visit", (), "Order count, divided by visits."),
        (
            "revenue_growth",
            ("metric_time:day",),
            "Revenue - revenue_before, where revenue_before is revenue 14 days earlier.",
        ),
        ("revenue_60_days", ("metric_time:day",), "The sum of amount in main.orders, over the last 60 days."),
        ("revenue_month_to_date", ("metric_time:day",), "The sum of amount in main.orders, since the month began."),
        (
            "visit_to_order_rate",
            ("metric_time:day",),
            "The part of visits that order count of the same customer follow within 7 days.",
        ),
    ],
)
def test_each_kind_is_told_in_words(metric: str, by: tuple[str, ...], words: str) -> None:
    found = explained(metric, by=by)
    assert found.calculation[0] == words
    assert found.query is not None


def test_paths_say_over_which_keys_a_name_is_reached() -> None:
    found = explained("orders_per_visit", by=("region",), where=("segment in (a, b)",))
    assert [c.table for c in found.counted] == ["main.orders", "main.visits"]
    assert found.counted[0].grain == "one row per order"
    assert found.counted[0].paths == (
        "region: from orders to customers by customer (customer_id = customer_id), then cities by city "
        "(city_id = city_id).",
        "segment: from orders to customers by customer (customer_id = customer_id).",
    )


def test_the_own_condition_of_a_metric_is_told() -> None:
    assert explained("gift_revenue").calculation[1] == "Only where Dimension('order__is_gift')."


def test_what_is_not_granted_looks_like_what_is_absent() -> None:
    snapshot = catalog()
    columns = frozenset({"amount", "ordered_on", "channel", "customer_id"})
    orders = TableAccess(table="main.orders", columns=columns)
    scope = replace(everything(snapshot), tables=(orders,), without_warehouse=False)
    hidden = explain(spec_of(("revenue",), by=("segment",)), snapshot, scope)
    absent = explain(spec_of(("revenue",), by=("nothing",)), snapshot, scope)
    assert isinstance(hidden, tuple)
    assert isinstance(absent, tuple)
    assert isinstance(hidden[0], Issue)
    assert hidden[0].message.replace("segment", "nothing") == absent[0].message
    allowed = explain(spec_of(("revenue",), by=("channel",)), snapshot, scope)
    assert isinstance(allowed, Explanation)
    assert allowed.query is not None


def test_sql_that_reads_a_hidden_column_is_not_shown() -> None:
    snapshot = catalog()
    orders = TableAccess(table="main.orders", columns=frozenset({"ordered_on", "channel"}))
    scope = replace(everything(snapshot), tables=(orders,), without_warehouse=False)
    found = explain(spec_of(("revenue",), by=("channel",)), snapshot, scope)
    assert isinstance(found, Explanation)
    assert (found.query, found.counted, found.calculation) == (None, (), ())


def test_the_command_prints_the_words_the_paths_and_the_sql() -> None:
    out = StringIO()
    call_command(
        "metric", "explain", "revenue", catalog=MANIFEST, by=["metric_time:month"], where=["segment = a"], stdout=out
    )
    told = out.getvalue()
    assert "The sum of amount" in told
    assert "from orders to customers by customer" in told
    assert "-- p1 = a" in told
    call_command("metric", "explain", "revenue", catalog=MANIFEST, as_json=True, stdout=(json_out := StringIO()))
    assert json.loads(json_out.getvalue())["metric"]["name"] == "revenue"


def test_the_command_tells_what_cannot_be_read() -> None:
    with pytest.raises(CommandError, match="not a condition"):
        call_command("metric", "explain", "revenue", catalog=MANIFEST, where=["segment ~ a"])
    with pytest.raises(CommandError, match="no metric"):
        call_command("metric", "explain", "nothing", catalog=MANIFEST)
