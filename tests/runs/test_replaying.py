"""A replay names what has changed since, answers alike on the same grounds, and leaves nothing behind."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from catalog.types import CatalogSnapshot
from dataagent.accounts.models import User, Workspace
from dataagent.answering.types import DataState
from dataagent.errors import ShownError
from dataagent.policy.principal import Principal
from dataagent.runs import service
from dataagent.runs.models import Manifest, Run, RunEvent, RunStep
from dataagent.runs.ports import Outcome, Ports
from dataagent.runs.replay import ReplayLevel
from dataagent.runs.service.replaying import replay
from dataagent.runs.service.working import Machine, claim_and_work
from dataagent.runs.types import Ask, RunFacts, RunView
from tests.runs.people import FakeWorld, answered, principal

LOADED = DataState(table="t", complete_until=datetime(2025, 6, 18, tzinfo=UTC), loaded_at=None, late_days=())


@pytest.fixture
def asker(analyst: User, workspace: Workspace) -> Principal:
    return principal(analyst, workspace)


@pytest.fixture
def run(asker: Principal) -> RunView:
    started = service.start_run(asker, "net revenue", today=date(2025, 6, 18))
    claim_and_work("w", FakeWorld(outcome=answered).machine(), run_id=started.id)
    return started


def machine(
    outcome: object = answered, state: DataState = LOADED, scope: str = "scope-1", catalog: str = "catalog-1"
) -> Machine:
    """The fake world as it is later."""
    world = FakeWorld(outcome=outcome, scope_digest=scope)  # type: ignore[arg-type]

    def ports(facts: RunFacts) -> Ports:
        given = world.ports(facts)
        snapshot: CatalogSnapshot = replace(given.snapshot, digest=catalog)
        return replace(given, freshness=lambda tables: (state,), snapshot=snapshot)

    return Machine(ports=ports, answer=world.answer)


def other_result(ask: Ask) -> Outcome:
    was = answered(ask)
    assert was.query is not None
    return replace(was, query=replace(was.query, result_digest="other"))


def parts(changes: object) -> list[str]:
    return [f"{c.part}: {c.name}" for c in changes]  # type: ignore[attr-defined]


@pytest.mark.parametrize("level", [ReplayLevel.BEHAVIOURAL, ReplayLevel.EXACT])
def test_on_the_same_grounds_it_is_answered_alike(asker: Principal, run: RunView, level: ReplayLevel) -> None:
    found = replay(asker, run.id, level, machine())
    assert (found.grounds, found.answers, found.same()) == ((), (), True)


def test_what_changed_since_is_named(asker: Principal, run: RunView) -> None:
    later = replace(LOADED, complete_until=datetime(2025, 6, 19, tzinfo=UTC))
    found = replay(asker, run.id, ReplayLevel.DIAGNOSTIC, machine(state=later, scope="scope-2", catalog="catalog-2"))
    assert parts(found.grounds) == ["definitions: catalog", "policy: scope", "data: t"]
    assert "2025-06-19" in found.grounds[-1].now
    assert found.answers is None
    assert not found.same()


def test_another_result_on_the_same_grounds_is_told(asker: Principal, run: RunView) -> None:
    found = replay(asker, run.id, ReplayLevel.EXACT, machine(outcome=other_result))
    assert parts(found.answers) == ["result: digest"]
    assert not found.same()


def test_an_exact_replay_on_other_grounds_is_refused_and_asks_nothing(asker: Principal, run: RunView) -> None:
    def never(_: Ask) -> Outcome:
        raise AssertionError

    found = replay(asker, run.id, ReplayLevel.EXACT, machine(outcome=never, scope="scope-2"))
    assert (found.refused != "", found.answers) == (True, None)


def test_a_replay_leaves_nothing_behind(asker: Principal, run: RunView) -> None:
    def kept() -> list[int]:
        return [model.rows.of(asker.workspace_id).count() for model in (Run, RunStep, RunEvent, Manifest)]  # type: ignore[attr-defined]

    before = kept()
    replay(asker, run.id, ReplayLevel.BEHAVIOURAL, machine())
    assert kept() == before


def test_only_the_asker_replays_and_only_what_has_ended(asker: Principal, run: RunView, workspace: Workspace) -> None:
    stranger = principal(User.objects.create(username="other"), workspace)
    unfinished = service.start_run(asker, "orders")
    for who, which in ((stranger, run.id), (asker, unfinished.id)):
        with pytest.raises(ShownError, match="There is no such"):
            replay(who, which, ReplayLevel.DIAGNOSTIC, machine())
