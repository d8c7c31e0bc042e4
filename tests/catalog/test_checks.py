"""The catalog's rules tell what is broken and what will confuse, with file and line."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from catalog.checks import check, is_error
from catalog.importers.own import load_folder
from catalog.issues import Issue, IssueCode
from catalog.types import Adjective, CatalogEvent, Filter, Operator
from tests.catalog.shop import FOLDER, shop

MODELS = """
semantic_models:
  - name: visits
    table: w.visits
    entities: [{name: visit, type: primary, expr: id}, {name: guest, type: foreign, expr: guest_id}]
    dimensions:
      - {name: visited_on, type: time, expr: visited_on}
      - {name: kind, type: categorical, expr: kind}
    measures: [{name: visit_count, agg: count, expr: "1", agg_time_dimension: visited_on}]
"""
METRIC = "metrics:\n  - {name: visits, type: simple, measure: visit_count}\n"


def found(folder: Path, more: str, models: str = MODELS, metric: str = METRIC) -> tuple[Issue, ...]:
    (folder / "c.yaml").write_text(models.strip() + "\n" + metric + more)
    return check(load_folder(folder))


def test_a_sound_catalog_has_no_errors(tmp_path: Path) -> None:
    assert found(tmp_path, "") == ()
    assert not any(is_error(i) for i in check(shop()))


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("  - {name: a, type: simple, measure: nothing}\n", "no measure nothing"),
        ("  - {name: a, type: simple}\n", "names no measure"),
        ("  - {name: a, type: ratio, numerator: visits}\n", "numerator and a denominator"),
        ("  - {name: a, type: ratio, numerator: visits, denominator: ghosts}\n", "no metric ghosts"),
        ("  - {name: a, type: simple, measure: visit_count, steps: [x, y], step_metrics: [visits]}\n", "2 steps and 1"),
        (
            "  - {name: a, type: simple, measure: visit_count, steps: [x], step_metrics: [ghosts]}\n",
            "no metric ghosts to count a step",
        ),
        ("  - {name: a, type: derived, expr: visits - other, inputs: [visits]}\n", "uses other"),
        ("  - {name: a, type: derived, expr: 'SUM(visits)', inputs: [visits]}\n", "without aggregates"),
        ("  - {name: a, type: derived, expr: '(select 1)', inputs: [visits]}\n", "without aggregates or subqueries"),
        ("  - {name: a, type: derived, expr: a + visits, inputs: [a, visits]}\n", "made of each other"),
        (
            "  - {name: a, type: simple, measure: visit_count, filters: [{field: colour, op: '=', value: x}]}\n",
            "no dimension colour",
        ),
        ("bridges: [{from_entity: visit, to_entity: ghost, model: visits}]\n", "no entity ghost"),
        ("ambiguous_terms: {stays: [visits, nights]}\n", "nights, which does not exist"),
        ("entities: {visit: {label_dimension: colour}}\n", "colour, which is no dimension"),
        ("calendar: {fiscal: {start_month: 13}}\n", "month from 1 to 12"),
        ("calendar: {timezone: Mars/Base}\n", "There is no time zone Mars/Base"),
    ],
)
def test_a_broken_reference_is_an_error(tmp_path: Path, more: str, words: str) -> None:
    issues = found(tmp_path, more)
    assert issues
    assert all(is_error(i) for i in issues)
    assert words in issues[0].message


def test_an_error_of_a_metric_tells_its_line(tmp_path: Path) -> None:
    issue = found(tmp_path, "  - {name: a, type: simple, measure: nothing}\n")[0]
    assert issue.source is not None
    assert (issue.source.file, issue.source.line) == ("c.yaml", 11)


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        ("expr: kind}", "expr: kind; drop table x}"),
        ("expr: kind}", "expr: 'other.kind'}"),
        ("agg_time_dimension: visited_on", "agg_time_dimension: kind"),
        ("name: kind", "name: visit__kind"),
    ],
)
def test_a_broken_model_is_an_error(tmp_path: Path, broken: str, words: str) -> None:
    issues = found(tmp_path, "", models=MODELS.replace(broken, words))
    assert [is_error(i) for i in issues] == [True]


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ("  - {name: stays, type: simple, measure: visit_count, synonyms: [visits]}\n", IssueCode.AMBIGUOUS_TERM),
        ("  - {name: stays, type: simple, measure: visit_count, synonyms: [show]}\n", IssueCode.AMBIGUOUS_TERM),
    ],
)
def test_words_with_two_meanings_are_advised_against(tmp_path: Path, more: str, code: IssueCode) -> None:
    assert [i.code for i in found(tmp_path, more)] == [code]


def test_a_declared_ambiguity_is_no_longer_advised_against(tmp_path: Path) -> None:
    more = "  - {name: stays, type: simple, measure: visit_count, synonyms: [trips]}\n"
    more += "  - {name: tours, type: simple, measure: visit_count, synonyms: [trips]}\n"
    assert [i.code for i in found(tmp_path, more)] == [IssueCode.AMBIGUOUS_TERM]
    assert found(tmp_path, more + "ambiguous_terms: {trips: [stays, tours]}\n") == ()


def test_dimensions_that_no_metric_reaches_and_shared_names_are_told(tmp_path: Path) -> None:
    lonely = "  - name: rooms\n    table: w.rooms\n    dimensions: [{name: kind, type: categorical, expr: kind}]\n"
    codes = {i.code for i in found(tmp_path, "", models=MODELS + lonely)}
    assert codes == {IssueCode.AMBIGUOUS_DIMENSION, IssueCode.UNREACHABLE_DIMENSION, IssueCode.AMBIGUOUS_TERM}


def test_a_sum_beyond_a_bridge_is_told() -> None:
    told = [i for i in check(shop()) if i.code is IssueCode.FAN_OUT]
    assert "revenue" in {i.subject for i in told}
    assert "orders" not in {i.subject for i in told}
    assert check(replace(shop(), bridges=())) != check(shop())


def test_the_command_prints_and_exits_by_the_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("catalog", "check", str(FOLDER), "--json")
    assert json.loads(capsys.readouterr().out)["digest"] == shop().digest
    (tmp_path / "c.yaml").write_text("metrics:\n  - {name: a, type: simple, measure: b}\n")
    with pytest.raises(SystemExit):
        call_command("catalog", "check", str(tmp_path))
    assert "error: c.yaml:2: a: there is no measure b." in capsys.readouterr().out


def test_a_metric_is_explained_without_running_it(capsys: pytest.CaptureFixture[str]) -> None:
    call_command(
        "metric",
        "explain",
        "revenue",
        "--catalog",
        str(FOLDER),
        "--by",
        "metric_time:month",
        "--where",
        "region = EMEA",
    )
    shown = capsys.readouterr().out
    assert '"metric_time__month"' in shown
    assert "-- p1 = EMEA" in shown
    with pytest.raises(CommandError, match="no metric"):
        call_command("metric", "explain", "nonsense", "--catalog", str(FOLDER))


def test_a_word_of_an_event_or_a_condition_is_looked_at_as_well() -> None:
    snapshot = replace(
        shop(),
        events=(CatalogEvent(name="orders", date=date(2025, 4, 2), synonyms=("made",)),),
        adjectives=(Adjective(word="took", filter=Filter(field="region", op=Operator.EQ, values=("EMEA",))),),
    )
    messages = " ".join(i.message for i in check(snapshot))
    for part in ("the event orders", '"made" is a common word', '"took" is a common word'):
        assert part in messages
