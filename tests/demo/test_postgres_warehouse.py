"""The same company in PostgreSQL gives the same answers as in DuckDB, to the last digit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.test import override_settings

from dataagent.policy import service as policy
from dataagent.runs import service as runs
from dataagent.runs.service import words
from dataagent.runs.types import RunState, RunView
from tests.demo.conftest import Asking
from tests.demo.postgres_copy import copy_to_postgres
from tests.warehouse.postgres_server import scratch_database

pytestmark = pytest.mark.service

CASES = Path(settings.BASE_DIR) / "fixtures" / "cases" / "demo.yaml"
MORE = (
    ("analyst", "orders by week in 2025"),
    ("analyst", "orders by quarter"),
    ("analyst", "orders by day last month"),
    ("analyst", "net revenue by fiscal quarter in 2024"),
    ("analyst", "gross revenue by store country and month this year"),
    ("analyst", "how many customers are there?"),
    ("analyst", "net revenue by month this year compared to last year"),
    ("analyst", "average order value by sales channel in 2024"),
    ("analyst", "MRR by month this year"),
    ("analyst", "churn rate by month in 2024"),
    ("analyst", "repeat rate by loyalty tier"),
    ("analyst", "bottom 3 stores by net revenue last quarter"),
    ("analyst", "units on hand by store"),
    ("finance", "gross margin by category last month"),
    ("finance", "gross margin pct by month this year"),
    ("emea_manager", "net revenue by store country this year"),
    ("support_agent", "first response hours by week last month"),
    ("analyst", "top 5 customers by net revenue"),
    ("analyst", "orders where discount amount is over 100"),
    ("analyst", "share of net revenue by category last month"),
    ("analyst", "running total of orders by month this year"),
    ("analyst", "3 month moving average of net revenue this year"),
    ("analyst", "top 2 products per category by units sold last quarter"),
    ("analyst", "net revenue last month compared to the same month last year"),
    ("analyst", "which categories had more than 100 units sold last month?"),
)


def questions() -> list[tuple[str, str]]:
    cases = yaml.safe_load(CASES.read_text(encoding="utf-8"))
    listed = cases["cases"] if isinstance(cases, dict) else cases
    asked = [(str(c.get("as") or c.get("user") or c.get("requester") or "analyst"), str(c["question"])) for c in listed]
    return [*dict.fromkeys(asked), *MORE]


@pytest.fixture(scope="module")
def in_postgres(demo: Path) -> Iterator[Callable[[], Any]]:
    """A setting under which the demo's data are those in PostgreSQL."""
    with scratch_database() as server:
        copy_to_postgres(demo, server.owner_url, ["warehouse"])
        server.grant("warehouse")
        yield lambda: override_settings(WAREHOUSES={"demo": server.url})


@pytest.fixture(scope="module")
def both(ask: Asking, in_postgres: Callable[[], Any]) -> Callable[[str, str], tuple[RunView, RunView]]:
    @cache
    def asking(user: str, question: str) -> tuple[RunView, RunView]:
        words._held.clear()
        embedded = ask(user, question)
        words._held.clear()
        with in_postgres():
            return embedded, ask(user, question)

    return asking


@pytest.mark.parametrize(("user", "question"), questions())
def test_a_question_has_one_answer_on_both_engines(
    both: Callable[[str, str], tuple[RunView, RunView]], user: str, question: str
) -> None:
    embedded, server = both(user, question)
    assert (server.state, server.reason) == (embedded.state, embedded.reason)
    assert seen(server) == seen(embedded)


def seen(run: RunView) -> Any:
    """What a person reads of an answer, without the SQL and what it took."""
    answer = run.answer
    if answer is None:
        return None
    rows = tuple(tuple(rounded(v) for v in row) for row in answer.rows)
    return (answer.decision, answer.headline, answer.columns, rows, answer.caveats, answer.defaults)


def rounded(value: Any) -> Any:
    """A quotient to 12 digits: engines end a division differently."""
    return Decimal(f"{value:.12g}") if isinstance(value, Decimal) else value


def test_it_was_postgresql_that_answered(both: Callable[[str, str], tuple[RunView, RunView]]) -> None:
    answered = [run.id for q in questions() if (run := both(*q)[1]).state is RunState.ANSWERED and run.answer.sql]
    auditor = policy.principal("auditor", "demo")
    engines = [runs.manifest(auditor, run).query.engine for run in answered]
    assert len(engines) >= 25
    assert all(engine.startswith("postgres ") for engine in engines)
