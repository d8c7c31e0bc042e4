"""Authority that is taken away while a run is worked on: nothing more is read, and nothing is answered."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from dataagent.accounts import service as accounts
from dataagent.accounts.models import User, Workspace
from dataagent.policy import service as policy
from dataagent.runs import service
from dataagent.runs.ports import Outcome, Ports
from dataagent.runs.service.working import claim_and_work
from dataagent.runs.service.world import authority_holds
from dataagent.runs.types import Ask, RunFacts, RunState, RunView, StepKind
from dataagent.sqlguard.schema import Column, TableSchema
from dataagent.warehouse.port import WarehouseFault
from tests.runs.people import SECRET, FakeWorld, answered, principal

POLICY = """version: "1"
roles:
  analyst:
    capabilities: [ask, query, read_own_runs]
    metrics: {allow: [net_revenue]}
    tables: {main.t: {columns: [a, b]}}
  guest: {capabilities: [ask]}
"""
SCHEMA = (TableSchema(name="main.t", columns=(Column(name="a", type="VARCHAR"), Column(name="b", type="VARCHAR"))),)


def worked(world: FakeWorld, holds: Callable[[Ports], bool], user: User, workspace: Workspace) -> RunView:
    asker = principal(user, workspace)
    started = service.start_run(asker, "net revenue", today=date(2025, 6, 18))
    claim_and_work("w", replace(world.machine(), holds=holds))
    return service.run(asker, started.id)


def test_what_is_taken_away_before_the_query_is_never_read(analyst: User, workspace: Workspace) -> None:
    world, still = FakeWorld(outcome=answered), [True]
    world.before[StepKind.INTENT] = still.clear
    ended = worked(world, lambda _: bool(still), analyst, workspace)
    assert (ended.state, ended.reason) == (RunState.REFUSED, "access_changed")
    assert StepKind.EXECUTE not in world.done
    assert ended.answer is not None
    assert (ended.answer.rows, ended.answer.sql) == ((), "")


def test_what_is_taken_away_after_the_query_is_never_told(analyst: User, workspace: Workspace) -> None:
    world, still = FakeWorld(outcome=answered), [True]
    world.before[StepKind.EXECUTE] = still.clear
    ended = worked(world, lambda _: bool(still), analyst, workspace)
    assert (ended.state, ended.reason) == (RunState.REFUSED, "access_changed")
    assert StepKind.EXECUTE in world.done
    assert SECRET not in repr(ended)


@pytest.mark.django_db(transaction=True)
def test_a_running_query_is_stopped_in_the_engine_within_a_second(analyst: User, workspace: Workspace) -> None:
    still, times = [True], []

    def slow(_: Ask) -> Outcome:
        still.clear()
        begun = time.monotonic()
        assert world.warehouse.cancelled.wait(10)
        times.append(time.monotonic() - begun)
        raise WarehouseFault("cancelled", "The query was stopped.")

    world = FakeWorld(outcome=slow)
    ended = worked(world, lambda _: bool(still), analyst, workspace)
    assert (ended.state, ended.reason) == (RunState.REFUSED, "access_changed")
    assert times[0] < 1


def test_authority_that_holds_answers(analyst: User, workspace: Workspace) -> None:
    assert worked(FakeWorld(outcome=answered), lambda _: True, analyst, workspace).state is RunState.ANSWERED


@pytest.fixture
def given(
    analyst: User, workspace: Workspace, tmp_path: Path, enqueue: Callable[..., RunFacts]
) -> tuple[Ports, Callable[[str], None]]:
    """A run's ports under the stored policy, and how to change that policy."""

    def load(text: str) -> None:
        file = tmp_path / "policy.yaml"
        file.write_text(text, encoding="utf-8")
        policy.load_policy(workspace.pk, file)

    load(POLICY)
    accounts.set_member(workspace.pk, analyst.pk, roles=["analyst"])
    who = policy.principal("analyst", workspace.slug)
    plain = FakeWorld(outcome=answered).ports(enqueue())
    scope = policy.scope(who, SCHEMA, ("net_revenue",))
    return replace(plain, principal=who, schema=SCHEMA, scope=scope), load


@pytest.mark.parametrize(
    ("old", "new", "holds"),
    [
        ('"1"', '"2"', True),
        ("guest: {capabilities: [ask]}", "guest: {capabilities: []}", True),
        ("[ask, query, read_own_runs]", "[ask, read_own_runs]", False),
        ("[a, b]", "[a]", False),
        ("[net_revenue]", "[]", False),
        ("{columns: [a, b]}", "{columns: [a, b], row_filter: {id: r, predicate: \"a = 'x'\", label: x}}", False),
        ("{columns: [a, b]}", '{columns: [a, b], masks: [{column: a, kind: "null"}]}', False),
    ],
)
def test_a_change_of_policy_ends_only_the_runs_that_it_touches(
    given: tuple[Ports, Callable[[str], None]], old: str, new: str, holds: bool
) -> None:
    ports, load = given
    assert authority_holds(ports)
    load(POLICY.replace(old, new))
    assert authority_holds(ports) is holds


def test_who_leaves_the_workspace_or_changes_roles_loses_what_runs(
    given: tuple[Ports, Callable[[str], None]], analyst: User, workspace: Workspace
) -> None:
    ports, _ = given
    accounts.set_member(workspace.pk, analyst.pk, roles=["guest"])
    assert not authority_holds(ports)
    accounts.set_member(workspace.pk, analyst.pk, roles=["analyst"])
    assert authority_holds(ports)
    accounts.remove_member(workspace.pk, analyst.pk)
    assert not authority_holds(ports)
