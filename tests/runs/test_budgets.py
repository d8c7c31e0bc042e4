"""What may be taken from a warehouse is reserved first, from the run, its person and its workspace at once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, cast

import pytest

from dataagent.accounts.models import User, Workspace
from dataagent.apps import reasons_not_to_start
from dataagent.runs import service, store
from dataagent.runs.budgets import BudgetScope, BudgetSpentError, Usage, exceeds, usage_of
from dataagent.runs.models import BudgetUse
from dataagent.runs.service.metering import MeteredWarehouse
from dataagent.runs.service.working import claim_and_work
from dataagent.runs.types import RunFacts, RunState, StepKind
from dataagent.sqlguard.guard import Bounds
from dataagent.warehouse.port import ResultTable
from dataagent.warehouse.process import fault
from tests.runs.people import FakeWorld, answered, principal
from tests.warehouse.conftest import unguarded

DAY = date(2025, 6, 18)
QUERY = unguarded("SELECT 1", Bounds(max_rows=100, max_bytes=1000, timeout_s=5))


class FakeEngine:
    """Answers two rows, or fails."""

    def __init__(self) -> None:
        self.ran = 0
        self.fails = False

    def execute(self, query: object, *, query_id: str) -> ResultTable:
        self.ran += 1
        if self.fails:
            raise fault("timeout")
        return ResultTable(columns=(), rows=(("ab",), ("cd",)), truncated=False, elapsed_ms=1.0, query_id=query_id)


def metered(engine: FakeEngine, asked: RunFacts, **limits: Usage) -> MeteredWarehouse:
    chosen = {BudgetScope(scope): usage for scope, usage in limits.items()}
    return MeteredWarehouse(inner=cast(Any, engine), run=asked, limits=chosen)


def used(run: RunFacts, scope: BudgetScope) -> tuple[int, int, int]:
    row = BudgetUse.rows.of(run.workspace_id).get(scope=scope.value)
    return row.queries, row.row_count, row.bytes


def test_a_setting_names_its_limits_and_nothing_else() -> None:
    assert usage_of("queries=5  rows=10") == Usage(queries=5, rows=10)
    assert usage_of("") == Usage()
    for wrong in ("querys=5", "queries=five", "queries=1 queries=2", "queries"):
        with pytest.raises(ValueError, match="whole number"):
            usage_of(wrong)


def test_a_budget_that_cannot_be_read_keeps_the_product_from_starting(settings: Any, db: None) -> None:
    assert reasons_not_to_start() == ()
    settings.BUDGETS = {**settings.BUDGETS, "person": "querys=5"}
    assert "DATAAGENT_BUDGET_PERSON" in reasons_not_to_start()[0]


def test_no_limit_is_no_limit_and_the_limit_itself_may_be_reached() -> None:
    assert not exceeds(Usage(queries=10**9), Usage())
    assert not exceeds(Usage(queries=5), Usage(queries=5))
    assert exceeds(Usage(rows=6), Usage(queries=5, rows=5))


def test_what_a_query_did_not_use_is_given_back(enqueue: Callable[..., RunFacts]) -> None:
    run = enqueue()
    metered(FakeEngine(), run).execute(QUERY, query_id="q")
    assert {scope: used(run, scope) for scope in BudgetScope} == dict.fromkeys(BudgetScope, (1, 2, 4))


def test_a_query_that_failed_counts_and_its_rows_do_not(enqueue: Callable[..., RunFacts]) -> None:
    run, engine = enqueue(), FakeEngine()
    engine.fails = True
    with pytest.raises(Exception, match="longer than allowed"):
        metered(engine, run).execute(QUERY, query_id="q")
    assert used(run, BudgetScope.RUN) == (1, 0, 0)


@pytest.mark.parametrize("scope", BudgetScope)
def test_a_query_beyond_a_budget_does_not_run_and_takes_nothing(
    enqueue: Callable[..., RunFacts], scope: BudgetScope
) -> None:
    run, engine = enqueue(), FakeEngine()
    bounded = metered(engine, run, **{scope.value: Usage(queries=1)})
    bounded.execute(QUERY, query_id="q")
    with pytest.raises(BudgetSpentError) as spent:
        bounded.execute(QUERY, query_id="q")
    assert (spent.value.scope, engine.ran) == (scope, 1)
    assert {used(run, s)[0] for s in BudgetScope} == {1}


def test_rows_are_reserved_at_their_most_before_they_are_known(enqueue: Callable[..., RunFacts]) -> None:
    run, engine = enqueue(), FakeEngine()
    with pytest.raises(BudgetSpentError):
        metered(engine, run, run=Usage(rows=99)).execute(QUERY, query_id="q")
    metered(engine, run, run=Usage(rows=100)).execute(QUERY, query_id="q")
    assert engine.ran == 1


def test_each_run_has_a_budget_of_its_own_and_a_person_one_for_the_day(enqueue: Callable[..., RunFacts]) -> None:
    first, second = enqueue(), enqueue()
    limits = {BudgetScope.RUN: Usage(queries=1), BudgetScope.PERSON: Usage(queries=2)}
    for run in (first, second):
        store.reserve(run, Usage(queries=1), limits, DAY)
    with pytest.raises(BudgetSpentError) as spent:
        store.reserve(enqueue(), Usage(queries=1), limits, DAY)
    assert spent.value.scope is BudgetScope.PERSON
    store.reserve(enqueue(), Usage(queries=1), limits, date(2025, 6, 19))


def test_a_run_that_used_up_a_budget_ends_and_says_which(analyst: User, workspace: Workspace) -> None:
    asker = principal(analyst, workspace)
    world = FakeWorld(outcome=answered)

    def spend() -> None:
        raise BudgetSpentError(BudgetScope.PERSON)

    world.before[StepKind.EXECUTE] = spend
    run = service.start_run(asker, "net revenue")
    claim_and_work("w", world.machine())
    ended = service.run(asker, run.id)
    assert (ended.state, ended.reason) == (RunState.EXHAUSTED, "person_budget")
