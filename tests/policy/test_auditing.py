"""The stored audit: the database keeps it, transactions carry it, workspaces do not mix."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from dataagent.accounts import service as accounts
from dataagent.errors import ShownError
from dataagent.policy import service, store
from dataagent.policy.audit import ERASABLE, AuditEvent, AuditFault, AuditKind, content_digest
from dataagent.policy.doors import NotPermittedError
from dataagent.policy.models import AuditEntry
from dataagent.policy.principal import Capability, Effect, PolicyDecision, Principal


@pytest.fixture
def place(db: None) -> int:
    return accounts.create_workspace("demo", name="Demo").id


def reading(place: int, subject: str = "run 1") -> AuditEvent:
    return AuditEvent(workspace_id=place, kind=AuditKind.RUN_READ, by="auditor", subject=subject)


def person(place: int, *capabilities: Capability) -> Principal:
    return Principal(
        user="somebody",
        workspace="demo",
        workspace_id=place,
        roles=(),
        capabilities=frozenset(capabilities),
        policy_version="1",
    )


def holds(place: int) -> bool:
    return not any(isinstance(found, AuditFault) for found in service.verified_entries(place))


def refused(*statements: str) -> bool:
    """Whether the database refuses each of the statements."""
    for statement in statements:
        with pytest.raises(IntegrityError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    return True


def test_the_database_refuses_every_change_but_erasing_what_may_be_erased(place: int) -> None:
    service.record(reading(place))
    service.record(AuditEvent(workspace_id=place, kind=AuditKind.POLICY_CHANGED))
    emptied = "UPDATE policy_auditentry SET \"by\" = '', subject = '', details = '', erased_at = now()"
    assert refused(
        "DELETE FROM policy_auditentry",
        "UPDATE policy_auditentry SET \"by\" = 'nobody'",
        "UPDATE policy_auditentry SET digest = 'x', \"by\" = '', subject = '', details = '', erased_at = now()",
        f"{emptied} WHERE kind = 'policy_changed'",
    )
    with connection.cursor() as cursor:
        cursor.execute(f"{emptied} WHERE kind = 'run_read'")
    assert refused(f"{emptied} WHERE kind = 'run_read'")


def test_the_database_refuses_to_empty_the_table(place: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE policy_auditentry ENABLE TRIGGER policy_audit_is_never_emptied")
    assert refused("TRUNCATE policy_auditentry")


def test_the_trigger_and_the_code_agree_on_what_may_be_erased(place: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT prosrc FROM pg_proc WHERE proname = 'policy_keep_audit_entry'")
        source = str(cursor.fetchone()[0])
    assert {kind.value for kind in AuditKind if f"'{kind.value}'" in source} == set(ERASABLE)


def test_an_entry_is_lost_with_the_transaction_that_it_belongs_to(place: int) -> None:
    with transaction.atomic():
        service.record(reading(place))
        transaction.set_rollback(True)
    assert list(service.verified_entries(place)) == []


def test_the_same_reading_within_a_minute_is_told_once_and_another_one_again(place: int) -> None:
    for subject in ("run 1", "run 1", "run 2"):
        service.record_once(reading(place, subject))
    assert [e.subject for e in store.audit_entries(place)] == ["run 1", "run 2"]


def test_a_changed_policy_is_in_the_audit_and_the_same_again_is_not(place: int, tmp_path: Path) -> None:
    file = tmp_path / "policy.yaml"
    for version in ("1", "1", "2"):
        file.write_text(f"version: '{version}'\nroles: {{}}\n", encoding="utf-8")
        service.load_policy(place, file)
    first, second = store.audit_entries(place)
    assert (first.kind, second.kind) == ("policy_changed", "policy_changed")
    assert second.facts()["before"] == first.facts()["after"]


def test_a_refusal_names_what_was_needed_and_strangers_fill_nothing(place: int) -> None:
    decision = PolicyDecision(effect=Effect.DENY, rule="capability", reason="not_granted", policy_version="1")
    error = NotPermittedError(Capability.EXPORT, decision)
    service.record_refusal(None, error, route="GET /runs/")
    service.record_refusal(person(place), ShownError("not_found", "no"), route="GET /runs/")
    service.record_refusal(person(place), error, route="GET /runs/")
    (entry,) = store.audit_entries(place)
    assert (entry.kind, entry.by, entry.subject) == ("denied", "somebody", "GET /runs/")
    assert (entry.facts()["capability"], entry.facts()["reason"]) == ("export", "not_granted")


def test_the_audit_is_for_auditors_of_the_same_workspace(place: int) -> None:
    other = accounts.create_workspace("other", name="Other").id
    service.record(reading(other))
    assert service.audit_log(person(place, Capability.VERIFY_AUDIT)) == ()
    with pytest.raises(ShownError):
        service.audit_log(person(other))
    assert len(service.audit_log(person(other, Capability.VERIFY_AUDIT))) == 1


def test_erasing_leaves_tombstones_and_an_entry_and_the_chain_holds(place: int) -> None:
    store.append(reading(place), at=timezone.now() - timedelta(days=400))
    service.record(reading(place, "run 2"))
    assert service.erase_entries(place, older_than_days=365) == 1
    old, young, erasing = store.audit_entries(place)
    assert (old.by, old.subject, young.by, erasing.kind) == ("", "", "auditor", "erased")
    assert holds(place)
    assert service.erase_entries(place, older_than_days=365) == 0
    with pytest.raises(ShownError):
        service.erase_entries(place, older_than_days=1)


def test_an_owner_of_the_database_who_rewrites_an_entry_is_found_out(place: int) -> None:
    service.record(reading(place))
    service.record(reading(place, "run 2"))
    rewrite: dict[str, Any] = {
        "by": "nobody",
        "content_digest": content_digest(by="nobody", subject="run 1", details="{}"),
    }
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; ALTER TABLE policy_auditentry DISABLE TRIGGER USER")
    AuditEntry.rows.of(place).filter(sequence=1).update(**rewrite)
    assert not holds(place)
