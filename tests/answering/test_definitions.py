"""Questions about the data themselves are answered from the catalog, as far as the asker may see."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from catalog.access import AccessScope, RowFilter, TableAccess
from catalog.query import IntentKind, MetricIntent
from catalog.types import (
    Aggregation,
    Calendar,
    CatalogSnapshot,
    Dimension,
    DimensionType,
    FiscalYear,
    Measure,
    Metric,
    MetricType,
    SemanticModel,
)
from contextcards.types import EvidenceBundle
from dataagent.answering.definitions import EVERYTHING, FISCAL_CALENDAR, Subject, define
from dataagent.answering.types import Answer, DataState
from dataagent.intent.types import Decision, Understanding

SALES = SemanticModel(
    name="sales",
    table="w.sales",
    dimensions=(
        Dimension(name="brand", type=DimensionType.CATEGORICAL, expr="brand", description="Who makes it"),
        Dimension(name="buyer", type=DimensionType.TEXT, expr="buyer", pii=True),
        Dimension(name="margin_class", type=DimensionType.CATEGORICAL, expr="margin_class"),
    ),
    measures=(Measure(name="units", agg=Aggregation.SUM, expr="units"),),
)
UNITS = Metric(
    name="units",
    type=MetricType.SIMPLE,
    measure="units",
    description="Pieces sold",
    owner="sales_ops",
    caveats=("Careful.",),
)
SECRET = replace(UNITS, name="profit", description="What is left", owner="finance")
SNAPSHOT = CatalogSnapshot(
    name="t",
    digest="d",
    dialect="duckdb",
    models=(SALES,),
    metrics=(UNITS, SECRET),
    calendar=Calendar(fiscal=FiscalYear(start_month=2, label_by="end_year")),
)
ONLY_EMEA = RowFilter(id="r", predicate="region = 'EMEA'", label="region is EMEA")
SCOPE = AccessScope(
    workspace="w",
    principal="p",
    policy_version="1",
    digest="s",
    tables=(TableAccess(table="w.sales", columns=frozenset({"brand", "buyer", "units"}), row_filter=ONLY_EMEA),),
    metrics=frozenset({"units"}),
)
LOADED = DataState(table="w.sales", complete_until=None, loaded_at=datetime(2025, 6, 18, 4, tzinfo=UTC))


def told(aspect: str, name: str = "units", *, metric: Metric | None = UNITS) -> Answer:
    subject = Subject(
        name=name,
        metric=metric,
        tables=("w.sales",),
        states=(LOADED,),
        snapshot=SNAPSHOT,
        scope=SCOPE,
        today=date(2025, 6, 18),
    )
    intent = MetricIntent(kind=IntentKind.DEFINE, subject=name, aspect=aspect)
    understood = Understanding(decision=Decision.DEFINE, intent=intent)
    return define("?", understood, subject, EvidenceBundle(considered=()))


def test_a_metric_is_defined_with_owner_and_version() -> None:
    answer = told("definition")
    assert answer.headline == "Units: Pieces sold."
    assert ("Owner", "sales_ops") in answer.rows
    assert ("Version", "1") in answer.rows


def test_the_fiscal_year_names_its_windows() -> None:
    answer = told("definition", FISCAL_CALENDAR, metric=None)
    assert answer.rows[0] == ("FY25", "1 Feb 2024 to 31 Jan 2025")


@pytest.mark.parametrize(
    ("aspect", "words"),
    [("owner", "owned by sales ops"), ("freshness", "18 Jun 2025 04:00 UTC"), ("lineage", "comes from w.sales")],
)
def test_owner_freshness_and_lineage_are_told(aspect: str, words: str) -> None:
    assert words in told(aspect).headline


def test_lists_hold_only_what_the_asker_may_see() -> None:
    everything = told("list_metrics", EVERYTHING, metric=None)
    dimensions = told("list_dimensions")
    assert [row[0] for row in everything.rows] == ["Units"]
    assert everything.row_scope == ("region is EMEA",)
    assert "brand" in [row[0] for row in dimensions.rows]
    assert "margin class" not in [row[0] for row in dimensions.rows]


def test_personal_data_that_may_be_seen_are_listed() -> None:
    assert [row[0] for row in told("list_pii", EVERYTHING, metric=None).rows] == ["buyer"]


def test_who_may_see_a_metric_says_no_more_than_its_owner() -> None:
    answer = told("access", "profit", metric=SECRET)
    assert answer.headline == "Who may see profit is decided by its owner, finance. You may not."
    assert answer.caveats == ()
    assert "What is left" not in repr(answer.rows)


@pytest.mark.parametrize(
    ("aspect", "name"), [("definition", "margin_class"), ("weather", "units"), ("definition", "x")]
)
def test_what_is_hidden_or_not_recorded_gets_the_same_stop(aspect: str, name: str) -> None:
    answer = told(aspect, name, metric=None)
    assert (answer.decision, answer.rows) == (Decision.ABSTAIN, ())
    assert answer.headline == "Nothing is recorded about this. The catalog lists what is."
