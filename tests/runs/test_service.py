"""Ask, choose, cancel, read and prove, through the room's door, with a fake world."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from dataagent.accounts.models import User, Workspace
from dataagent.errors import ShownError
from dataagent.policy import service as policy
from dataagent.policy.audit import AuditEntry
from dataagent.policy.principal import Capability, Principal
from dataagent.runs import service, store
from dataagent.runs.models import Manifest, OpenWord, Receipt, Run, RunEvent, RunStep
from dataagent.runs.ports import RunCancelledError
from dataagent.runs.service.upkeep import MAX_ATTEMPTS, sweep
from dataagent.runs.service.working import claim_and_work, work
from dataagent.runs.types import RunState, RunView, StepKind
from dataagent.warehouse.port import WarehouseFault
from tests.runs.people import SECRET, FakeWorld, answered, asked_back, principal

DAY = date(2025, 6, 18)


@pytest.fixture
def asker(analyst: User, workspace: Workspace) -> Principal:
    return principal(analyst, workspace)


@pytest.fixture
def auditor(workspace: Workspace) -> Principal:
    user = User.objects.create(username="auditor")
    return principal(user, workspace, Capability.READ_ALL_RUNS, Capability.VERIFY_AUDIT)


def ask(asker: Principal, world: FakeWorld | None = None, question: str = "net revenue") -> RunView:
    """A run after a worker has had it."""
    started = service.start_run(asker, question, today=DAY)
    assert claim_and_work("w", (world or FakeWorld(outcome=answered)).machine(), run_id=started.id)
    return service.run(asker, started.id)


def code_of(call: Callable[[], object]) -> str:
    with pytest.raises(ShownError) as raised:
        call()
    return raised.value.code


def test_a_question_is_queued_worked_on_and_answered(asker: Principal) -> None:
    started = service.start_run(asker, "  net revenue ", today=DAY)
    assert (started.state, started.question, started.answer) == (RunState.QUEUED, "net revenue", None)
    claim_and_work("w", FakeWorld(outcome=answered).machine())
    ended = service.run(asker, started.id)
    assert ended.state is RunState.ANSWERED
    assert ended.answer is not None
    assert ended.answer.rows == ((Decimal(SECRET),),)
    assert set(ended.timings_ms) == {"scope", "intent", "execute"}
    assert ended.receipt_digest.startswith("sha256:")


@pytest.mark.parametrize(
    ("question", "code"),
    [(" ", "invalid_input"), ("x" * 4001, "too_large"), ("a\x00b", "invalid_input"), ("a\ud800", "invalid_input")],
)
def test_what_is_no_question_is_said_so(asker: Principal, question: str, code: str) -> None:
    assert code_of(lambda: service.start_run(asker, question)) == code


def test_who_may_not_ask_cannot_start_a_run(analyst: User, workspace: Workspace) -> None:
    nobody = principal(analyst, workspace, only=(Capability.SIGN_IN,))
    assert code_of(lambda: service.start_run(nobody, "net revenue")) == "not_permitted"
    assert Run.rows.of(workspace.pk).count() == 0


def test_a_new_question_replaces_one_that_waits_for_a_choice(asker: Principal) -> None:
    waiting = ask(asker, FakeWorld(outcome=asked_back), "revenue")
    service.start_run(asker, "net revenue", session_id=waiting.session_id, today=DAY)
    replaced = service.run(asker, waiting.id)
    assert (replaced.state, replaced.reason) == (RunState.SUPERSEDED, "newer_question")
    assert service.receipt(asker, waiting.id)


def test_a_choice_goes_on_with_the_same_run(asker: Principal) -> None:
    waiting = ask(asker, FakeWorld(outcome=asked_back), "revenue")
    assert waiting.state is RunState.WAITING_FOR_PERSON
    assert waiting.answer is not None
    again = service.start_run(asker, "", choice_of=(waiting.id, 1))
    assert (again.id, again.state) == (waiting.id, RunState.QUEUED)
    claim_and_work("w", FakeWorld(outcome=asked_back).machine())
    assert service.run(asker, waiting.id).state is RunState.ANSWERED
    assert code_of(lambda: service.start_run(asker, "", choice_of=(waiting.id, 0))) == "conflict"


def test_a_choice_that_was_not_offered_is_refused(asker: Principal) -> None:
    waiting = ask(asker, FakeWorld(outcome=asked_back), "revenue")
    assert code_of(lambda: service.start_run(asker, "", choice_of=(waiting.id, 2))) == "invalid_input"
    assert code_of(lambda: service.start_run(asker, "", choice_of=(waiting.id, -1))) == "invalid_input"


def test_a_queued_run_is_cancelled_at_once_and_has_its_receipt(asker: Principal) -> None:
    started = service.start_run(asker, "net revenue", today=DAY)
    cancelled = service.cancel(asker, started.id)
    assert (cancelled.state, cancelled.reason) == (RunState.CANCELLED, "cancelled_by_person")
    assert cancelled.answer is not None
    assert cancelled.answer.headline == "You cancelled this question."
    assert service.receipt(asker, started.id)
    assert service.cancel(asker, started.id).state is RunState.CANCELLED


def test_a_running_run_stops_before_its_next_step(asker: Principal) -> None:
    started = service.start_run(asker, "net revenue", today=DAY)
    world = FakeWorld(outcome=answered)
    world.before[StepKind.INTENT] = lambda: service.cancel(asker, started.id) and None
    claim_and_work("w", world.machine())
    assert world.done == [StepKind.SCOPE, StepKind.INTENT]
    assert service.run(asker, started.id).state is RunState.CANCELLED


def test_a_cancel_wins_over_a_question_back(asker: Principal) -> None:
    started = service.start_run(asker, "revenue", today=DAY)
    world = FakeWorld(outcome=asked_back)
    world.before[StepKind.EXECUTE] = lambda: service.cancel(asker, started.id) and None
    claim_and_work("w", world.machine())
    ended = service.run(asker, started.id)
    assert (ended.state, ended.reason) == (RunState.CANCELLED, "cancelled_by_person")


def test_a_cancel_in_the_last_step_wins_over_the_answer(asker: Principal) -> None:
    started = service.start_run(asker, "net revenue", today=DAY)
    world = FakeWorld(outcome=answered)
    world.before[StepKind.EXECUTE] = lambda: service.cancel(asker, started.id) and None
    claim_and_work("w", world.machine())
    ended = service.run(asker, started.id)
    assert ended.state is RunState.CANCELLED
    assert ended.answer is not None
    assert ended.answer.rows == ()
    assert service.receipt(asker, started.id)


def test_a_cancel_wins_over_a_fault(asker: Principal) -> None:
    started = service.start_run(asker, "net revenue", today=DAY)
    world = FakeWorld(outcome=answered)

    def cancel_and_fail() -> None:
        service.cancel(asker, started.id)
        raise WarehouseFault("timeout", "Too slow.")

    world.before[StepKind.EXECUTE] = cancel_and_fail
    claim_and_work("w", world.machine())
    assert service.run(asker, started.id).state is RunState.CANCELLED


def test_a_run_that_has_used_up_its_time_ends_before_its_next_step(asker: Principal) -> None:
    started = service.start_run(asker, "net revenue", today=DAY)
    world = FakeWorld(outcome=answered)
    world.before[StepKind.INTENT] = lambda: _use_up_time(asker, started.id)
    claim_and_work("w", world.machine())
    ended = service.run(asker, started.id)
    assert (ended.state, ended.reason) == (RunState.EXHAUSTED, "time_limit")
    assert StepKind.EXECUTE not in world.done
    assert service.receipt(asker, started.id)


def test_a_hung_worker_that_still_beats_loses_its_run_when_its_time_is_up(asker: Principal) -> None:
    started = service.start_run(asker, "net revenue", today=DAY)
    held = store.claim("w", lease_s=30, run_id=started.id, budget_s=60)
    assert held is not None
    _use_up_time(asker, started.id)
    assert store.heartbeat(held, lease_s=30).overdue
    assert sweep() == 1
    assert not store.heartbeat(held, lease_s=30).held
    assert service.run(asker, started.id).reason == "time_limit"


def test_time_to_choose_does_not_count(asker: Principal) -> None:
    waiting = ask(asker, FakeWorld(outcome=asked_back), "revenue")
    _use_up_time(asker, waiting.id)
    service.start_run(asker, "", choice_of=(waiting.id, 1))
    claim_and_work("w", FakeWorld(outcome=asked_back).machine())
    assert service.run(asker, waiting.id).state is RunState.ANSWERED


def _use_up_time(asker: Principal, run_id: str) -> None:
    Run.rows.of(asker.workspace_id).filter(id=run_id).update(deadline_at=timezone.now() - timedelta(seconds=60))


def test_a_cancelled_run_of_a_dead_worker_ends_without_another_one(asker: Principal) -> None:
    started = service.start_run(asker, "net revenue", today=DAY)
    held = store.claim("w", lease_s=30, run_id=started.id)
    assert held is not None
    service.cancel(asker, started.id)
    Run.rows.of(held.workspace_id).filter(id=held.id).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert sweep() == 1
    assert service.run(asker, started.id).state is RunState.CANCELLED


def test_only_the_asker_cancels(asker: Principal, auditor: Principal) -> None:
    started = service.start_run(asker, "net revenue", today=DAY)
    assert code_of(lambda: service.cancel(auditor, started.id)) == "not_found"
    assert service.run(asker, started.id).state is RunState.QUEUED


def test_a_killed_worker_leaves_a_run_that_another_one_resumes(asker: Principal) -> None:
    started = service.start_run(asker, "net revenue", today=DAY)
    held = store.claim("w1", lease_s=30, run_id=started.id)
    assert held is not None
    world = FakeWorld(outcome=answered)
    world.before[StepKind.EXECUTE] = _die
    with pytest.raises(SystemExit):
        work(held, world.machine())
    Run.rows.of(held.workspace_id).filter(id=held.id).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert sweep() == 1
    second = FakeWorld(outcome=answered)
    claim_and_work("w2", second.machine())
    assert second.done == [StepKind.SCOPE, StepKind.EXECUTE]  # INTENT came from the record
    assert service.run(asker, started.id).state is RunState.ANSWERED
    assert Manifest.rows.of(held.workspace_id).count() == 1


def test_a_database_that_goes_away_fails_no_run(asker: Principal) -> None:
    started = service.start_run(asker, "net revenue", today=DAY)
    world = FakeWorld(outcome=answered)

    def away() -> None:
        raise OperationalError("server closed the connection unexpectedly")

    world.before[StepKind.EXECUTE] = away
    with pytest.raises(OperationalError):
        claim_and_work("w1", world.machine())
    Run.rows.of(asker.workspace_id).filter(id=started.id).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert sweep() == 1
    claim_and_work("w2", world.machine())
    assert service.run(asker, started.id).state is RunState.ANSWERED


def test_a_resumed_run_under_a_changed_scope_replays_nothing(asker: Principal) -> None:
    started = service.start_run(asker, "net revenue", today=DAY)
    held = store.claim("w1", lease_s=30, run_id=started.id)
    assert held is not None
    world = FakeWorld(outcome=answered)
    world.before[StepKind.EXECUTE] = _die
    with pytest.raises(SystemExit):
        work(held, world.machine())
    Run.rows.of(held.workspace_id).filter(id=held.id).update(lease_until=timezone.now() - timedelta(seconds=1))
    sweep()
    second = FakeWorld(outcome=answered, scope_digest="scope-2")
    claim_and_work("w2", second.machine())
    assert StepKind.INTENT in second.done


def _die() -> None:
    raise SystemExit


def test_a_run_that_kills_its_workers_ends_with_a_named_reason(asker: Principal) -> None:
    started = service.start_run(asker, "net revenue", today=DAY)
    for _ in range(MAX_ATTEMPTS):
        held = store.claim("w", lease_s=30, run_id=started.id)
        assert held is not None
        Run.rows.of(held.workspace_id).filter(id=held.id).update(lease_until=timezone.now() - timedelta(seconds=1))
        sweep()
    ended = service.run(asker, started.id)
    assert (ended.state, ended.reason) == (RunState.FAILED, "worker_lost")
    assert service.receipt(asker, started.id)


@pytest.mark.parametrize(
    ("fault", "state", "reason"),
    [
        (WarehouseFault("timeout", "It took too long."), RunState.EXHAUSTED, "warehouse_limit"),
        (WarehouseFault("unreachable", "It is away."), RunState.FAILED, "warehouse_fault"),
        (RunCancelledError(), RunState.CANCELLED, "cancelled_by_person"),
        (ShownError("not_found", "No such member."), RunState.REFUSED, "not_permitted"),
        (KeyError("a secret value"), RunState.FAILED, "internal_error"),
    ],
)
def test_whatever_goes_wrong_ends_the_run_with_a_named_reason(
    asker: Principal, fault: Exception, state: RunState, reason: str
) -> None:
    def fail(_: object) -> object:
        raise fault

    ended = ask(asker, FakeWorld(outcome=fail))  # type: ignore[arg-type]
    assert (ended.state, ended.reason) == (state, reason)
    assert ended.answer is not None
    assert "secret" not in ended.answer.headline


def test_the_person_sees_what_happened_in_order(asker: Principal) -> None:
    ended = ask(asker)
    events = service.events_after(asker, ended.id, 0)
    assert [e.text for e in events] == [
        "Waiting for a free worker",
        "Checking what you may see",
        "Reading your question",
        "Running the query",
        "Answered",
    ]
    assert service.events_after(asker, ended.id, events[-2].number) == events[-1:]


def test_hidden_absent_and_foreign_runs_look_the_same(asker: Principal, workspace: Workspace) -> None:
    ended = ask(asker)
    other_place = Workspace.objects.create(slug="other", name="Other")
    stranger = principal(User.objects.create(username="other_team"), other_place, Capability.READ_ALL_RUNS)
    colleague = principal(User.objects.create(username="finance"), workspace)
    absent = "00000000-0000-4000-8000-000000000000"
    messages = set()
    for who, run_id in ((stranger, ended.id), (colleague, ended.id), (asker, absent), (asker, "no id")):
        for call in (service.run, service.receipt, service.cancel):
            with pytest.raises(ShownError) as raised:
                call(who, run_id)
            messages.add((raised.value.code, raised.value.message))
    assert messages == {("not_found", "There is no such run.")}
    assert service.run(asker, ended.id)


def test_a_foreign_conversation_can_be_neither_read_nor_continued(asker: Principal, workspace: Workspace) -> None:
    ended = ask(asker)
    colleague = principal(User.objects.create(username="finance"), workspace)
    assert code_of(lambda: service.session_runs(colleague, ended.session_id)) == "not_found"
    assert code_of(lambda: service.start_run(colleague, "x", session_id=ended.session_id)) == "not_found"
    assert [r.id for r in service.session_runs(asker, ended.session_id)] == [ended.id]
    assert [s.id for s in service.sessions(asker)] == [ended.session_id]
    assert service.sessions(colleague) == ()


def test_an_auditor_sees_how_it_was_answered_but_no_data(asker: Principal, auditor: Principal) -> None:
    seen = service.run(auditor, ask(asker).id)
    assert SECRET not in repr(seen)
    assert seen.answer is not None
    assert seen.answer.sql == "SELECT 1"


def test_the_manifest_names_what_the_answer_rested_on_and_no_result_value(asker: Principal, auditor: Principal) -> None:
    ended = ask(asker)
    manifest = service.manifest(auditor, ended.id)
    assert [(c.name, c.version) for c in manifest.cards] == [("card:t", "2")]
    assert [(m.name, m.version) for m in manifest.catalog.metrics] == [("net_revenue", "3")]
    assert manifest.policy.row_filters[0]["label"] == "region is EMEA"
    assert (manifest.run.state, manifest.withheld, manifest.costs.queries) == ("answered", 2, 1)
    assert [s.kind for s in manifest.steps] == ["scope", "intent", "execute"]
    assert SECRET not in manifest.model_dump_json()


def test_the_manifest_is_for_auditors_only(asker: Principal) -> None:
    ended = ask(asker)
    assert code_of(lambda: service.manifest(asker, ended.id)) == "not_permitted"


def test_a_receipt_is_genuine_and_the_same_every_time(asker: Principal) -> None:
    ended = ask(asker)
    file = service.receipt_file(asker, ended.id)
    assert service.check_receipt(file.encode()).ok
    assert service.receipt_file(asker, ended.id) == file
    assert json.loads(file) == service.receipt(asker, ended.id)
    assert service.receipt_view(asker, ended.id)["view"]["policy"]["row_filters"][0]["label"] == "region is EMEA"


def test_each_audience_needs_its_capability(asker: Principal, auditor: Principal) -> None:
    ended = ask(asker)
    assert service.receipt_view(auditor, ended.id, "auditor")["view"]["withheld"] == 2
    assert code_of(lambda: service.receipt(asker, ended.id, "auditor")) == "not_permitted"
    assert code_of(lambda: service.receipt(auditor, ended.id, "asker")) == "not_found"
    assert code_of(lambda: service.receipt(asker, ended.id, "friend")) == "invalid_input"


def test_an_unfinished_run_has_no_receipt_yet(asker: Principal) -> None:
    started = service.start_run(asker, "net revenue", today=DAY)
    assert code_of(lambda: service.receipt(asker, started.id)) == "not_found"


def test_the_audit_tells_a_changed_manifest_a_changed_receipt_and_a_lost_one(
    asker: Principal, auditor: Principal
) -> None:
    runs = [ask(asker) for _ in range(3)]
    assert service.verify_chain(auditor).ok
    receipts = Receipt.rows.of(asker.workspace_id).order_by("id")
    first = receipts.first()
    assert first is not None
    receipts.filter(pk=first.pk).update(envelope=first.envelope.replace("payload", "payl0ad", 1))
    assert service.verify_chain(auditor).position == 1
    receipts.filter(pk=first.pk).update(envelope=first.envelope)
    receipts.filter(run_id=runs[2].id).delete()
    Manifest.rows.of(asker.workspace_id).filter(run_id=runs[2].id).delete()
    assert service.verify_chain(auditor).position == 3
    assert code_of(lambda: service.verify_chain(asker)) == "not_permitted"


def test_the_record_of_steps_holds_no_result_value(asker: Principal) -> None:
    ask(asker)
    assert not any(SECRET in s.artefact for s in RunStep.rows.of(asker.workspace_id))


def test_the_clock_of_a_question_is_the_workspaces_day(asker: Principal, workspace: Workspace) -> None:
    Workspace.objects.filter(pk=workspace.pk).update(today=DAY)
    assert service.start_run(asker, "orders yesterday").today == DAY


def kinds(asker: Principal) -> list[tuple[str, str]]:
    return [(e.kind, e.by) for e in policy.verified_entries(asker.workspace_id) if isinstance(e, AuditEntry)]


def test_the_end_of_a_run_is_in_the_audit_with_its_manifest_and_ones_own_reading_is_not(asker: Principal) -> None:
    ended = ask(asker)
    service.receipt(asker, ended.id)
    (entry,) = policy.verified_entries(asker.workspace_id)
    assert isinstance(entry, AuditEntry)
    assert (entry.kind, entry.subject, entry.facts()["state"]) == ("run_ended", ended.id, "answered")
    assert entry.facts()["manifest"] == Manifest.rows.of(asker.workspace_id).get().digest
    assert SECRET not in repr(entry)


def test_reading_what_somebody_else_asked_is_in_the_audit(asker: Principal, auditor: Principal) -> None:
    ended = ask(asker)
    service.run(auditor, ended.id)
    service.events_after(auditor, ended.id, 0)
    service.receipt(auditor, ended.id, "auditor")
    service.manifest(auditor, ended.id)
    service.session_runs(auditor, ended.session_id)
    told = [kind for kind, by in kinds(asker) if by == "auditor"]
    assert told == ["run_read", "receipt_read", "manifest_read", "run_read"]


def test_a_manifest_taken_off_the_end_is_missed_by_the_audit(asker: Principal, auditor: Principal) -> None:
    ended = [ask(asker) for _ in range(2)][-1]
    assert service.verify_chain(auditor).entries == 2
    for table in (Receipt, Manifest, OpenWord, RunStep, RunEvent):
        table.rows.of(asker.workspace_id).filter(run_id=ended.id).delete()
    Run.rows.of(asker.workspace_id).filter(id=ended.id).delete()
    verdict = service.verify_chain(auditor)
    assert (verdict.ok, verdict.position, verdict.code) == (False, 2, "audit_manifest")


def test_an_end_taken_off_the_audit_is_missed_by_the_manifests(asker: Principal, auditor: Principal) -> None:
    for _ in range(2):
        ask(asker)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; ALTER TABLE policy_auditentry DISABLE TRIGGER USER")
        cursor.execute("DELETE FROM policy_auditentry WHERE sequence = 2")
    verdict = service.verify_chain(auditor)
    assert (verdict.ok, verdict.position, verdict.code) == (False, 2, "audit_untold")
