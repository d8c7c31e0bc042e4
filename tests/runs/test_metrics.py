"""Monitoring reads counts and times; logs name runs; neither holds data."""

from __future__ import annotations

import json
import logging

from dataagent import telemetry
from dataagent.accounts.models import User, Workspace
from dataagent.runs import service, store
from dataagent.runs.budgets import Usage
from dataagent.runs.metrics import Reading, Spread, exposition
from dataagent.runs.service.working import claim_and_work
from tests.runs.people import FakeWorld, answered, principal

READING = Reading(
    window_s=300,
    queued=2,
    queue_age_s=1.5,
    open_runs={"queued": 2},
    unknown_queries=1,
    ended={("failed", 'a "b"'): 3},
    lasted=Spread(count=3, p50_s=0.25, p95_s=2),
    stages={"execute": Spread(count=3, p50_s=0.1, p95_s=0.2)},
    taken_today=Usage(queries=7),
)


def test_a_reading_is_told_in_the_words_of_prometheus() -> None:
    lines = exposition(READING).splitlines()
    assert "dataagent_queue_age_seconds 1.5" in lines
    assert 'dataagent_ended_runs{state="failed",reason="a__b_"} 3' in lines
    assert 'dataagent_run_seconds{quantile="0.95"} 2' in lines
    assert 'dataagent_stage_seconds{stage="execute",quantile="0.5"} 0.1' in lines
    assert 'dataagent_stage_seconds_count{stage="execute"} 3' in lines
    assert all(line.startswith(("# HELP ", "# TYPE ", "dataagent_")) for line in lines)


def test_what_happened_is_read_from_the_database(analyst: User, workspace: Workspace) -> None:
    asker = principal(analyst, workspace)
    for _ in range(2):
        service.start_run(asker, "net revenue")
    claim_and_work("w", FakeWorld(outcome=answered).machine())
    found = store.reading()
    assert (found.queued, found.ended, found.lasted.count) == (1, {("answered", "answered"): 1}, 1)
    assert found.stages["execute"].count == 1


def line(logger: str, message: str, *args: object, error: Exception | None = None) -> dict[str, object]:
    info = (type(error), error, error.__traceback__) if error else None
    record = logging.LogRecord(logger, logging.ERROR, "file.py", 1, message, args, info)
    parsed: dict[str, object] = json.loads(telemetry.JsonLines().format(record))
    return parsed


def test_a_line_says_which_run_it_is_about_and_only_there() -> None:
    with telemetry.about(run="r1", session="s1", workspace="shop"):
        inside = line("dataagent.runs", "Run %s failed.", "r1")
    assert (inside["run"], inside["session"], inside["workspace"]) == ("r1", "s1", "shop")
    assert inside["message"] == "Run r1 failed."
    assert "run" not in line("dataagent.runs", "Idle")


def test_neither_an_exception_nor_another_library_puts_a_value_into_a_line() -> None:
    try:
        raise ValueError("4711.50")
    except ValueError as error:
        told = line("dataagent.runs", "Run %s failed.", "r1", error=error)
    assert told["exception"] == "ValueError"
    assert "test_metrics.py" in str(told["where"])
    assert "4711.50" not in json.dumps([told, line("psycopg", "row %s", "4711.50")])
