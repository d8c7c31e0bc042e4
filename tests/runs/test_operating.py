"""An admin sees which runs need somebody and can end one; nobody else does, and no other workspace's."""

from __future__ import annotations

import io
import json
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from dataagent.accounts.models import User, Workspace
from dataagent.errors import ShownError
from dataagent.policy import service as policy
from dataagent.policy.audit import AuditEntry
from dataagent.policy.principal import Capability, Principal
from dataagent.runs import service, store
from dataagent.runs.models import Run
from dataagent.runs.service import upkeep
from dataagent.runs.service.operating import act, end_run, troubles
from dataagent.runs.service.upkeep import sweep
from dataagent.runs.troubles import ActionOutcome, Done, RunAction, TroubleKind
from dataagent.runs.types import RunState, RunView
from dataagent.warehouse.port import WarehouseFault
from tests.runs.people import principal

HOUR = timedelta(hours=1)


@pytest.fixture
def asker(analyst: User, workspace: Workspace) -> Principal:
    return principal(analyst, workspace)


@pytest.fixture
def admin(workspace: Workspace) -> Principal:
    return principal(User.objects.create(username="admin"), workspace, Capability.ADMINISTER)


@pytest.fixture
def run(asker: Principal) -> RunView:
    return service.start_run(asker, "net revenue")


def change(run: RunView, asker: Principal, **values: object) -> None:
    Run.rows.of(asker.workspace_id).filter(id=run.id).update(**values)


def kinds(admin: Principal) -> list[str]:
    return [t.kind.value for t in troubles(admin).troubles]


def test_what_goes_well_needs_nobody(admin: Principal, run: RunView) -> None:
    assert kinds(admin) == []
    store.claim("w", lease_s=30, run_id=run.id)
    assert kinds(admin) == []


def test_stuck_slow_and_unknown_runs_are_told_apart(admin: Principal, asker: Principal, run: RunView) -> None:
    change(run, asker, queued_at=timezone.now() - HOUR)
    assert kinds(admin) == ["stuck"]
    store.claim("w", lease_s=30, run_id=run.id)
    change(run, asker, started_at=timezone.now() - HOUR)
    assert kinds(admin) == ["slow"]
    change(run, asker, lease_until=timezone.now() - HOUR)
    assert kinds(admin) == ["stuck"]
    sweep()
    assert kinds(admin) == ["unknown"]


def test_an_admin_ends_a_run_that_somebody_else_asked_and_the_audit_names_them(
    admin: Principal, asker: Principal, run: RunView
) -> None:
    held = store.claim("w", lease_s=30, run_id=run.id)
    assert held is not None
    assert end_run(admin, run.id)
    ended = service.run(asker, run.id)
    assert (ended.state, ended.reason) == (RunState.CANCELLED, "ended_by_admin")
    assert not store.heartbeat(held, lease_s=30).held
    entries = [e for e in policy.verified_entries(asker.workspace_id) if isinstance(e, AuditEntry)]
    assert [e.by for e in entries if e.subject == run.id] == ["admin"]
    assert not end_run(admin, run.id)


def test_nobody_else_looks_or_ends(asker: Principal, run: RunView) -> None:
    for do in (lambda: troubles(asker), lambda: end_run(asker, run.id)):
        with pytest.raises(ShownError) as refused:
            do()
        assert refused.value.code == "not_permitted"
    assert service.run(asker, run.id).state is RunState.QUEUED


def test_another_workspaces_runs_are_neither_seen_nor_ended(asker: Principal, run: RunView) -> None:
    change(run, asker, queued_at=timezone.now() - HOUR)
    elsewhere = Workspace.objects.create(slug="elsewhere", name="Elsewhere")
    admin = principal(User.objects.create(username="stranger"), elsewhere, Capability.ADMINISTER)
    assert troubles(admin).troubles == ()
    with pytest.raises(ShownError, match="There is no such run"):
        end_run(admin, run.id)


def test_the_command_says_what_to_do(
    admin: Principal, asker: Principal, run: RunView, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policy, "principal", lambda user, workspace: admin)
    change(run, asker, queued_at=timezone.now() - HOUR)
    out = io.StringIO()
    with pytest.raises(SystemExit) as left:
        call_command("runs", "watch", "--as", "admin", "--json", stdout=out)
    (told,) = json.loads(out.getvalue())
    assert (left.value.code, told["kind"], told["run_id"]) == (3, "stuck", run.id)
    assert "worker" in told["what_to_do"]


def test_what_waits_and_what_was_spent_stand_behind_and_need_nobody(
    admin: Principal, asker: Principal, run: RunView
) -> None:
    change(run, asker, state="waiting_for_person", queued_at=timezone.now() - HOUR * 2)
    change(
        service.start_run(asker, "orders"),
        asker,
        state="exhausted",
        reason="person_budget",
        finished_at=timezone.now(),
    )
    found = troubles(admin)
    assert [t.kind.value for t in found.troubles] == ["waiting", "over_budget"]
    assert [len(t.actions()) for t in found.troubles] == [1, 0]
    assert found.pressing() == 0


def test_hundreds_are_told_in_parts_that_leave_none_out(admin: Principal, asker: Principal) -> None:
    runs = [service.start_run(asker, f"question {number}") for number in range(130)]
    Run.rows.of(asker.workspace_id).update(queued_at=timezone.now() - HOUR)
    for late in runs[:20]:
        change(late, asker, state="waiting_for_person", queued_at=timezone.now() - HOUR * 2)
    first, rest = troubles(admin), troubles(admin, start=100)
    assert (len(first.troubles), first.more, len(rest.troubles), rest.more) == (100, True, 30, False)
    assert {t.run_id for t in (*first.troubles, *rest.troubles)} == {r.id for r in runs}
    assert dict(first.counts)[TroubleKind.STUCK] == 110
    assert len(troubles(admin, TroubleKind.WAITING).troubles) == 20


def test_a_run_is_taken_from_its_worker_and_goes_on_with_another(
    admin: Principal, asker: Principal, run: RunView
) -> None:
    held = store.claim("first/1", lease_s=30, run_id=run.id)
    assert held is not None
    assert act(admin, RunAction.HAND_OVER, [run.id]) == (Done(run_id=run.id, outcome=ActionOutcome.DONE),)
    assert not store.heartbeat(held, lease_s=30).held
    again = store.claim("second/1", lease_s=30, run_id=run.id)
    assert again is not None
    assert [a.state.value for a in store.attempts(asker.workspace_id, run.id)] == ["lapsed", "working"]
    assert operated(asker) == [("admin", run.id, "hand_over")]
    assert "An admin hands it to another worker" in [e.text for e in service.events_after(asker, run.id, 0)]


def test_what_no_worker_holds_is_handed_to_nobody(admin: Principal, asker: Principal, run: RunView) -> None:
    assert act(admin, RunAction.HAND_OVER, [run.id])[0].outcome is ActionOutcome.TOO_LATE
    assert operated(asker) == []


def test_a_run_that_its_person_cancelled_is_not_told_as_handed_over(
    admin: Principal, asker: Principal, run: RunView
) -> None:
    store.claim("w/1", lease_s=30, run_id=run.id)
    service.cancel(asker, run.id)
    assert act(admin, RunAction.HAND_OVER, [run.id])[0].outcome is ActionOutcome.TOO_LATE
    assert service.run(asker, run.id).state is RunState.CANCELLED


class Engine:
    """A warehouse that says whether the query is gone, or does not answer."""

    def __init__(self, *said: bool | None) -> None:
        self.said, self.asked = list(said), 0

    def clear(self, _query_id: str) -> bool:
        self.asked += 1
        answer = self.said.pop(0)
        if answer is None:
            raise WarehouseFault("unreachable", "The warehouse does not answer.")
        return answer


def test_an_unknown_query_is_unknown_until_the_engine_says_that_it_is_gone(
    admin: Principal, asker: Principal, run: RunView, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Engine(None, False, True)
    monkeypatch.setattr(upkeep, "warehouse_for", lambda _: engine)
    store.claim("w/1", lease_s=30, run_id=run.id)
    end_run(admin, run.id)
    assert kinds(admin) == ["unknown"]
    told = [act(admin, RunAction.RECONCILE, [run.id])[0].outcome.value for _ in range(4)]
    assert told == ["unknown", "unknown", "done", "too_late"]
    assert (engine.asked, kinds(admin)) == (3, [])
    assert operated(asker) == [("admin", run.id, "reconcile")] * 3


def test_many_are_ended_at_once_and_one_foreign_id_ends_none(admin: Principal, asker: Principal, run: RunView) -> None:
    second = service.start_run(asker, "orders")
    stranger = "00000000-0000-4000-8000-000000000000"
    with pytest.raises(ShownError, match="There is no such run"):
        act(admin, RunAction.END, [run.id, stranger])
    assert service.run(asker, run.id).state is RunState.QUEUED
    done = act(admin, RunAction.END, [run.id, second.id, run.id])
    assert [d.outcome.value for d in done] == ["done", "done"]


@pytest.mark.parametrize("action", list(RunAction))
def test_no_action_reaches_another_workspace_nor_is_open_to_others(
    action: RunAction, asker: Principal, run: RunView
) -> None:
    store.claim("w/1", lease_s=30, run_id=run.id)
    elsewhere = Workspace.objects.create(slug="elsewhere", name="Elsewhere")
    foreign = principal(User.objects.create(username="stranger"), elsewhere, Capability.ADMINISTER)
    for who, code in ((foreign, "not_found"), (asker, "not_permitted")):
        with pytest.raises(ShownError) as refused:
            act(who, action, [run.id])
        assert refused.value.code == code
    assert service.run(asker, run.id).state is RunState.RUNNING


def operated(asker: Principal) -> list[tuple[str, str, str]]:
    entries = [e for e in policy.verified_entries(asker.workspace_id) if isinstance(e, AuditEntry)]
    return [(e.by, e.subject, e.facts()["action"]) for e in entries if e.kind == "run_operated"]


def test_the_command_hands_over(
    admin: Principal, asker: Principal, run: RunView, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policy, "principal", lambda user, workspace: admin)
    store.claim("w/1", lease_s=30, run_id=run.id)
    out = io.StringIO()
    call_command("runs", "hand-over", run.id, "--as", "admin", stdout=out)
    call_command("runs", "end", run.id, "--as", "admin", "--json", stdout=out)
    first, second = out.getvalue().splitlines()
    assert first == "The run waits for another worker now."
    assert json.loads(second) == {"run_id": run.id, "outcome": "done"}
