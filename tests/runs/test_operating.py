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
from dataagent.runs.service.operating import end_run, troubles
from dataagent.runs.service.upkeep import sweep
from dataagent.runs.types import RunState, RunView
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
    return [t.kind.value for t in troubles(admin)]


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
    assert troubles(admin) == ()
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
