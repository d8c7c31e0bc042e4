"""The authority of a run: whoever can write its rows can still not ask in another's name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from dataagent.accounts import service as accounts
from dataagent.accounts.models import User, Workspace
from dataagent.policy import service as policy
from dataagent.policy.models import RunAuthority
from dataagent.policy.principal import Principal
from dataagent.runs import service
from dataagent.runs.models import Run
from dataagent.runs.ports import Ports
from dataagent.runs.service.authority import authority_of
from dataagent.runs.service.working import claim_and_work
from dataagent.runs.types import RunFacts, RunState
from tests.runs.people import FakeWorld, answered, asked_back

POLICY = """version: "1"
roles:
  analyst: {capabilities: [ask, query, read_own_runs]}
"""


@pytest.fixture
def people(analyst: User, workspace: Workspace, tmp_path: Path) -> tuple[Principal, Principal]:
    """The analyst, and somebody else who may as much."""
    file = tmp_path / "policy.yaml"
    file.write_text(POLICY, encoding="utf-8")
    policy.load_policy(workspace.pk, file)
    other = User.objects.create(username="finance")
    for user in (analyst, other):
        accounts.set_member(workspace.pk, user.pk, roles=["analyst"])
    return policy.principal("analyst", workspace.slug), policy.principal("finance", workspace.slug)


def work_on(outcome: object = answered) -> FakeWorld:
    world = FakeWorld(outcome=outcome)  # type: ignore[arg-type]

    def ports(run: RunFacts) -> Ports:
        return replace(world.ports(run), principal=authority_of(run)[1])

    claim_and_work("w", replace(world.machine(), ports=ports))
    return world


def tampered(run_id: str, _: str) -> None:
    row = RunAuthority.rows.of_every_workspace().get(run=run_id)
    RunAuthority.rows.of_every_workspace().filter(run=run_id).update(envelope=row.envelope.replace("query", "share"))


def of_another_run(run_id: str, other_id: str) -> None:
    other = RunAuthority.rows.of_every_workspace().get(run=other_id)
    RunAuthority.rows.of_every_workspace().filter(run=run_id).update(envelope=other.envelope)


def in_anothers_name(run_id: str, _: str) -> None:
    Run.rows.of_every_workspace().filter(id=run_id).update(asker=User.objects.get(username="finance"))


def without_any(run_id: str, _: str) -> None:
    RunAuthority.rows.of_every_workspace().filter(run=run_id).delete()


@pytest.mark.parametrize(
    ("attack", "reason"),
    [
        (tampered, "authority_tampered"),
        (of_another_run, "authority_foreign"),
        (in_anothers_name, "authority_foreign"),
        (without_any, "authority_missing"),
    ],
)
def test_a_run_whose_authority_was_touched_reads_nothing_and_says_why(
    people: tuple[Principal, Principal], attack: Callable[[str, str], None], reason: str
) -> None:
    run = service.start_run(people[0], "net revenue", today=date(2025, 6, 18))
    other = service.start_run(people[1], "gross revenue", today=date(2025, 6, 18))
    attack(run.id, other.id)
    world = work_on()
    row = Run.rows.of_every_workspace().get(id=run.id)
    assert (row.state, row.reason) == ("refused", reason)
    assert world.done == []


def test_a_run_whose_authority_was_not_touched_is_answered(people: tuple[Principal, Principal]) -> None:
    run = service.start_run(people[0], "net revenue", today=date(2025, 6, 18))
    work_on()
    assert service.run(people[0], run.id).state is RunState.ANSWERED


def test_a_run_that_waited_too_long_ends_and_a_choice_signs_it_anew(
    people: tuple[Principal, Principal], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dataagent.policy.envelope.LIFETIME", timedelta(0))
    late = service.start_run(people[0], "net revenue", today=date(2025, 6, 18))
    work_on()
    assert service.run(people[0], late.id).reason == "authority_expired"
    monkeypatch.undo()
    asked = service.start_run(people[0], "revenue", today=date(2025, 6, 18))
    work_on(asked_back)
    without_any(asked.id, "")
    service.start_run(people[0], "", choice_of=(asked.id, 0))
    work_on()
    assert service.run(people[0], asked.id).state is RunState.ANSWERED


def test_who_has_left_meanwhile_is_told_what_happened(
    people: tuple[Principal, Principal], analyst: User, workspace: Workspace
) -> None:
    run = service.start_run(people[0], "net revenue", today=date(2025, 6, 18))
    accounts.remove_member(workspace.pk, analyst.pk)
    work_on()
    ended = service.run(people[0], run.id)
    assert ended.reason == "access_changed"
    assert ended.answer is not None
    assert ended.answer.limitation is not None
    assert "Your access changed" in ended.answer.limitation.message
