"""A result is taken away by its asker alone, as it may be viewed, and that is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from catalog.query import ColumnRole, ResultColumn
from dataagent.runs.ports import Outcome
from dataagent.runs.types import Ask
from tests.api.conftest import Caller
from tests.api.test_api import asked, problem
from tests.runs.people import FakeWorld, answered, asked_back

People = Callable[..., Caller]
ABSENT = "00000000-0000-4000-8000-000000000000"


def many_rows(ask: Ask) -> Outcome:
    columns = (
        ResultColumn(name="account", label="Account", role=ColumnRole.DIMENSION),
        ResultColumn(name="net_revenue", label="Net revenue", role=ColumnRole.METRIC),
    )
    rows = tuple((1254071346418286654 + i, Decimal("9999999999999999.01")) for i in range(500))
    usual = answered(ask)
    return replace(usual, answer=replace(usual.answer, columns=columns, rows=rows, claims=()))


def taken(person: Caller, run: dict[str, Any]) -> Any:
    return person.get(f"runs/{run['run_id']}/result.csv")


def test_the_whole_result_comes_with_every_digit(people: People) -> None:
    exporter = people("exporter")
    response = taken(exporter, asked(exporter, FakeWorld(outcome=many_rows)))
    assert response.status_code == 200
    assert response["Content-Type"] == "text/csv; charset=utf-8; header=present"
    assert response["Content-Disposition"].startswith("attachment; filename=")
    lines = response.content.decode().split("\r\n")
    assert lines[:2] == ['"Account","Net revenue"', "1254071346418286654,9999999999999999.01"]
    assert len(lines) == 502


def test_numbers_that_floats_would_change_are_text_in_json(people: People) -> None:
    exporter = people("exporter")
    run = asked(exporter, FakeWorld(outcome=many_rows))
    assert run["rows"][0] == ["1254071346418286654", "9999999999999999.01"]
    assert [c["type"] for c in run["columns"]] == ["integer", "decimal"]


def test_who_may_not_export_is_told_so(people: People) -> None:
    analyst = people("analyst")
    assert problem(taken(analyst, asked(analyst))) == (403, "not_permitted")


def test_somebody_elses_run_is_as_absent(people: People) -> None:
    run = asked(people("exporter"))
    others = (people("auditor", roles=("auditor", "exporter")), people("exporter", workspace="other"))
    for other in others:
        assert problem(taken(other, run)) == problem(taken(other, {"run_id": ABSENT})) == (404, "not_found")


def test_a_run_without_a_result_has_no_file(people: People) -> None:
    exporter = people("exporter")
    assert problem(taken(exporter, asked(exporter, FakeWorld(outcome=asked_back)))) == (404, "not_found")


@pytest.mark.parametrize("times", [1, 2])
def test_each_export_is_told_in_the_events_of_the_run(people: People, times: int) -> None:
    exporter = people("exporter")
    run = asked(exporter)
    before = exporter.get(f"runs/{run['run_id']}/events").json()
    for _ in range(times):
        taken(exporter, run)
    after = exporter.get(f"runs/{run['run_id']}/events").json()
    assert [e["kind"] for e in after[len(before) :]] == ["exported"] * times
    assert [e["number"] for e in after] == list(range(1, len(after) + 1))
