"""Whose conversations are listed, and what the audit misses nothing of."""

from __future__ import annotations

import io
import json

import pytest
from django.core.management import call_command

from dataagent.accounts.models import User, Workspace
from dataagent.policy.principal import Principal
from dataagent.runs import service
from dataagent.runs.models import Manifest, Receipt
from dataagent.runs.service.working import claim_and_work
from tests.runs.people import FakeWorld, answered, principal


@pytest.fixture
def asker(analyst: User, workspace: Workspace) -> Principal:
    return principal(analyst, workspace)


@pytest.mark.parametrize("door", ["evals", "bench", "test"])
def test_conversations_that_no_person_began_are_not_listed(asker: Principal, door: str) -> None:
    measured = service.start_run(asker, "net revenue", door=door)
    listed = [service.start_run(asker, "net revenue", door=one).session_id for one in ("web", "api", "cli")]
    assert [s.id for s in service.sessions(asker)] == listed[::-1]
    assert service.session_runs(asker, measured.session_id)[0].id == measured.id


def test_unlisted_conversations_take_no_place_in_the_list(asker: Principal) -> None:
    mine = service.start_run(asker, "net revenue")
    for _ in range(3):
        service.start_run(asker, "net revenue", door="evals")
    assert [s.id for s in service.sessions(asker, 1)] == [mine.session_id]


def verified() -> dict[str, object]:
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("audit", "verify", "--json", stdout=out)
    found: dict[str, object] = json.loads(out.getvalue())["first_bad"]
    return found


@pytest.fixture
def three(asker: Principal) -> list[str]:
    """Ids of three answered runs, oldest first."""
    made = []
    for _ in range(3):
        made.append(service.start_run(asker, "net revenue").id)
        claim_and_work("w", FakeWorld(outcome=answered).machine())
    call_command("audit", "verify", stdout=io.StringIO())
    return made


def test_the_newest_manifests_cannot_be_cut_off_while_their_runs_are_there(
    three: list[str], workspace: Workspace
) -> None:
    Receipt.rows.of(workspace.pk).filter(run_id__in=three[1:]).delete()
    Manifest.rows.of(workspace.pk).filter(run_id__in=three[1:]).delete()
    assert (verified()["first_bad_position"], verified()["code"]) == (2, "missing_manifest")


def test_a_run_that_ended_without_a_receipt_is_noticed(three: list[str], workspace: Workspace) -> None:
    Receipt.rows.of(workspace.pk).filter(run_id=three[1]).delete()
    assert three[1] in str(verified()["message"])
