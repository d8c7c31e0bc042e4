"""What cannot be computed exactly is a typed issue; its allowed twin stands beside it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from catalog.compiler import compile_query
from catalog.compiler.flow.compile import compile_flow
from catalog.compiler.templates import BadTemplate, evaluate
from catalog.importers.metricflow import load_manifest
from catalog.issues import CatalogError, IssueCode
from catalog.query import CompiledQuery, QuerySpec
from catalog.types import TimeGranularity
from tests.catalog.flow.shop import ask, issues, query, shop


def code(metrics: str, by: str = "", *where: str) -> IssueCode:
    return issues(metrics, by, where=where)[0].code


def test_a_look_back_needs_a_period() -> None:
    assert code("revenue_change") is IssueCode.UNSUPPORTED
    assert len(ask("revenue_change", "metric_time__month")) == 2


def test_a_window_needs_a_period() -> None:
    assert code("revenue_two_days") is IssueCode.UNSUPPORTED
    assert ask("revenue_two_days", "metric_time")


def test_a_name_across_a_many_to_many_path_is_out_of_reach() -> None:
    assert code("revenue", "visit__campaign") is IssueCode.UNREACHABLE_DIMENSION
    assert ask("visits", "visit__campaign") == {("a", 2), ("b", 3)}


def test_a_time_has_no_grain_finer_than_its_own() -> None:
    assert code("revenue", "metric_time__hour") is IssueCode.GRAIN_TOO_FINE
    assert ask("revenue", "metric_time__year") == {("01-01", 105)}


def test_a_value_that_stands_in_two_tables_is_ambiguous() -> None:
    twin = replace(next(m for m in shop().models if m.name == "countries"), name="more_countries")
    doubled = replace(shop(), models=(*shop().models, twin))
    found = compile_flow(query("revenue", "customer__country__continent"), doubled)
    assert isinstance(found, tuple)
    assert found[0].code is IssueCode.AMBIGUOUS_PATH
    assert len(found[0].choices) == 2


@pytest.mark.parametrize(
    "text",
    [
        "{{ Dimension('order__channel') }} = (SELECT 1)",
        "{{ __import__('os') }}",
        "{{ Dimension('order__channel').keep.__globals__ }}",
        "{{ Dimension('order__channel') ",
        "SUM({{ Dimension('order__channel') }}) > 1",
        "1 = 1; DROP TABLE orders",
    ],
)
def test_a_condition_is_made_of_names_and_comparisons_only(text: str) -> None:
    assert code("revenue", "", text) in {IssueCode.INVALID_CATALOG, IssueCode.UNREACHABLE_DIMENSION}
    assert ask("revenue", where=("{{ Dimension('order__channel') }} = 'web'",)) == {(80,)}


def test_a_template_calls_known_names_only() -> None:
    assert evaluate("add(1, 2)", {"add": lambda a, b: a + b}) == 3
    with pytest.raises(BadTemplate):
        evaluate("open('/etc/passwd')", {"add": sum})


def test_a_template_counts_for_a_typed_question_with_and_without_a_spine() -> None:
    for snapshot in (shop(), replace(shop(), time_spines=())):
        found = compile_query(QuerySpec(metrics=("web_revenue",)), snapshot)
        assert isinstance(found, CompiledQuery)
        assert "'web'" in found.sql


def test_a_query_of_nothing_is_refused() -> None:
    assert code("") is IssueCode.UNSUPPORTED
    assert code("no_such_metric") is IssueCode.UNKNOWN_METRIC


def test_a_metric_that_is_made_of_itself_is_refused() -> None:
    change = next(m for m in shop().metrics if m.name == "revenue_change")
    loop = replace(change, inputs=tuple(replace(i, metric="revenue_change") for i in change.inputs))
    broken = replace(shop(), metrics=tuple(loop if m is change else m for m in shop().metrics))
    found = compile_flow(query("revenue_change", "metric_time"), broken)
    assert isinstance(found, tuple)
    assert found[0].code is IssueCode.INVALID_CATALOG


def test_a_time_spine_is_needed_to_look_back() -> None:
    bare = replace(shop(), time_spines=())
    found = compile_flow(query("revenue_change", "metric_time"), bare)
    assert isinstance(found, tuple)
    assert found[0].code is IssueCode.INVALID_CATALOG
    assert not isinstance(compile_flow(query("revenue", "metric_time"), bare), tuple)


def test_both_metric_forms_of_a_manifest_are_read() -> None:
    metrics = {m.name: m for m in shop().metrics}
    assert metrics["revenue_two_days"].window_granularity is TimeGranularity.DAY
    assert metrics["revenue_month_to_date"].grain_to_date is TimeGranularity.MONTH
    assert metrics["orders"].measure == "orders"
    assert metrics["web_revenue"].measure_use is not None


def test_a_part_that_cannot_be_read_is_told_with_its_line(tmp_path: Path) -> None:
    good = "metric: {name: ok, type: simple, type_params: {measure: m}}"
    text = "\n".join((good, "---", "metric:", "  type: simple", ""))
    (tmp_path / "bad.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(CatalogError) as told:
        load_manifest(tmp_path, name="bad", schema="mf")
    source = told.value.issues[0].source
    assert source is not None
    assert (source.file, source.line) == ("bad.yaml", 3)


@pytest.mark.parametrize(
    ("part", "told"),
    [
        ("metric: {name: a, type: simple, type_params: {measure: {name: m, fill_null_with: 0}}}", "fill_null_with"),
        (
            "metric: {name: a, type: derived, type_params: {expr: b, metrics: [{name: b, ofset_window: 1 day}]}}",
            "ofset",
        ),
        ("metric: {name: a, type: cumulative, type_params: {measure: m, window: soon}}", "soon"),
        ("metric: {name: good, type: simple, type_params: {measure: m}}", "second time"),
    ],
)
def test_a_key_that_is_not_read_or_a_name_that_is_taken_is_told(tmp_path: Path, part: str, told: str) -> None:
    good = "metric: {name: good, type: simple, type_params: {measure: m}}"
    (tmp_path / "a.yaml").write_text(good, encoding="utf-8")
    assert len(load_manifest(tmp_path, name="one", schema="mf").metrics) == 1
    (tmp_path / "b.yaml").write_text(part, encoding="utf-8")
    with pytest.raises(CatalogError, match=told):
        load_manifest(tmp_path, name="two", schema="mf")
