"""The evaluation vocabulary's format becomes a snapshot and a scope per role."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from catalog.importers.vocabulary import default_polarity, load_vocabulary, roles_of, today_of
from catalog.issues import CatalogError
from catalog.reach import reachable_dimensions
from catalog.types import Aggregation, MetricInput, MetricType, Polarity, TimeGranularity

TEXT = """
today: 2025-06-18
calendar: {week_start: null, fiscal: {start_month: 2, label_by: end_year}}
entities:
  visit: {key: visit_id, label: visit_id, synonyms: [], time: visited_on}
  guest: {key: guest_id, label: guest_name, synonyms: [guests], time: null}
joins:
  - [visit, guest]
metrics:
  visits: {kind: simple, entity: visit, time: visited_on, format: number}
  payers: {kind: distinct_count, entity: visit, time: visited_on, format: number, restricted: [finance]}
  pay_rate: {kind: ratio, entity: visit, time: visited_on, format: percent, expr: "payers / visits"}
  skip_rate: {kind: ratio, entity: visit, time: visited_on, expr: "skipped / visits", polarity: lower_is_better}
  beds: {kind: semi_additive, entity: guest, time: counted_on, format: number}
  visits_t28: {kind: cumulative, entity: visit, time: visited_on, window: 28 days}
dimensions:
  visited_on: {entity: visit, type: time}
  counted_on: {entity: guest, type: time}
  guest_name: {entity: guest, type: text, pii: true}
  country: {entity: guest, type: geo, values: [Peru, NO]}
  wing: {entity: guest, type: categorical, values: [north]}
  paid: {entity: visit, type: boolean}
roles:
  analyst: {metrics: all_unrestricted, rows: all}
  finance: {metrics: all, rows: all}
  host: {metrics: [visits], rows: "country = Peru"}
adjectives:
  - {word: paid, filter: {field: paid, op: "=", value: true}}
freshness: {w.visits: 2025-06-18T04:00:00Z}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "vocabulary.yaml"
    file.write_text(TEXT)
    return file


def test_metric_kinds_are_kept_in_the_types(path: Path) -> None:
    snapshot = load_vocabulary(path)
    metrics = {m.name: m for m in snapshot.metrics}
    measures = {m.name: m for model in snapshot.models for m in model.measures}
    assert measures["payers"].agg is Aggregation.COUNT_DISTINCT
    assert measures["beds"].non_additive is not None
    assert metrics["visits_t28"].type is MetricType.CUMULATIVE
    assert (metrics["visits_t28"].window_count, metrics["visits_t28"].window_granularity) == (28, TimeGranularity.DAY)
    assert metrics["pay_rate"].numerator == MetricInput(metric="payers")
    assert metrics["skip_rate"].polarity is Polarity.LOWER_IS_BETTER
    assert snapshot.calendar.week_start is None


def test_a_metric_reaches_what_its_entity_joins(path: Path) -> None:
    snapshot = load_vocabulary(path)
    assert reachable_dimensions(snapshot, "visits") >= {"visited_on", "country", "wing"}
    assert reachable_dimensions(snapshot, "skip_rate") == reachable_dimensions(snapshot, "visits")
    assert "visited_on" not in reachable_dimensions(snapshot, "beds")


def test_a_role_limited_to_rows_may_name_only_that_value(path: Path) -> None:
    roles = roles_of(path)
    assert roles["host"].may_name_value("country", "Peru")
    assert not roles["host"].may_name_value("country", "NO")
    assert not roles["host"].may_name_value("wing", "north")
    assert roles["analyst"].may_name_value("wing", "north")


def test_restricted_metrics_belong_to_the_roles_they_name(path: Path) -> None:
    roles = roles_of(path)
    assert not roles["analyst"].may_use_metric("payers")
    assert roles["finance"].may_use_metric("payers")
    assert roles["host"].metrics == frozenset({"visits"})
    assert today_of(path) == date(2025, 6, 18)


def test_a_broken_vocabulary_tells_the_line(path: Path) -> None:
    path.write_text(TEXT.replace("kind: cumulative", "kind: magic"))
    with pytest.raises(CatalogError, match=r'vocabulary.yaml:15: The metric "visits_t28"'):
        load_vocabulary(path)


@pytest.mark.parametrize(
    ("name", "polarity"),
    [
        ("bounce_rate", Polarity.LOWER_IS_BETTER),
        ("churned_mrr", Polarity.LOWER_IS_BETTER),
        ("first_response_hours", Polarity.LOWER_IS_BETTER),
        ("net_revenue", Polarity.HIGHER_IS_BETTER),
        ("conversion_rate", Polarity.HIGHER_IS_BETTER),
    ],
)
def test_the_name_tells_the_polarity_where_the_owner_does_not(name: str, polarity: Polarity) -> None:
    assert default_polarity(name) is polarity
