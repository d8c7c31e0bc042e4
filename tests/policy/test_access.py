"""Access that is lent: asked for, granted by somebody else, for a time, and over at once when ended."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.db import IntegrityError
from django.utils import timezone

from dataagent.accounts import service as accounts
from dataagent.errors import ShownError
from dataagent.policy import service, store
from dataagent.policy.access import MOST_WAITING, AccessDecision, AccessRequest, RequestState, Verdict
from dataagent.policy.models import AccessRequest as Row
from dataagent.policy.principal import Capability, Principal

POLICY = """version: "1"
roles:
  analyst: {capabilities: [ask, request_access], deny_capabilities: [publish]}
  finance: {capabilities: [ask, export, publish]}
  admin: {capabilities: [administer, request_access]}
"""
GRANT = AccessDecision(verdict=Verdict.GRANT, role="finance", days=7, reason="closing of the quarter")
END = AccessDecision(verdict=Verdict.END, reason="no longer needed")


@pytest.fixture(autouse=True)
def shops(db: None, tmp_path: Path) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text(POLICY, encoding="utf-8")
    for slug in ("shop", "other"):
        place = accounts.create_workspace(slug, name=slug)
        service.load_policy(place.id, file)
        for role in ("analyst", "admin"):
            accounts.set_member(place.id, accounts.create_user(f"{role}_{slug}").id, roles=[role])


def who(role: str, workspace: str = "shop") -> Principal:
    return service.principal(f"{role}_{workspace}", workspace)


def asked() -> AccessRequest:
    return service.request_access(who("analyst"), "the margin of May, for the board")


def code_of(principal: Principal, request_id: int, decision: AccessDecision) -> str:
    with pytest.raises(ShownError) as refused:
        service.decide_request(principal, request_id, decision)
    return refused.value.code


def test_a_request_grants_nothing_until_somebody_grants_it() -> None:
    found = asked()
    assert not who("analyst").has(Capability.EXPORT)
    service.decide_request(who("admin"), found.id, GRANT)
    lent = who("analyst")
    assert lent.has(Capability.EXPORT)
    assert lent.roles == ("analyst", "finance")


def test_a_denial_of_ones_own_role_wins_over_a_lent_role_unless_it_stands_in_its_place() -> None:
    service.decide_request(who("admin"), asked().id, GRANT)
    assert not who("analyst").has(Capability.PUBLISH)
    instead = AccessDecision(verdict=Verdict.GRANT, role="finance", days=1, in_place=True, reason="a stand-in")
    service.decide_request(who("admin"), asked().id, instead)
    assert who("analyst").roles == ("finance",)
    assert who("analyst").has(Capability.PUBLISH)


def test_what_is_lent_is_over_at_its_end_and_at_once_when_an_admin_ends_it() -> None:
    first, second = asked(), asked()
    place = who("admin").workspace_id
    service.decide_request(who("admin"), first.id, GRANT)
    Row.rows.of(place).filter(pk=first.id).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert not who("analyst").has(Capability.EXPORT)
    service.decide_request(who("admin"), second.id, GRANT)
    assert who("analyst").has(Capability.EXPORT)
    service.decide_request(who("admin"), second.id, END)
    assert not who("analyst").has(Capability.EXPORT)


def test_a_removed_role_of_the_policy_lends_nothing(tmp_path: Path) -> None:
    service.decide_request(who("admin"), asked().id, GRANT)
    file = tmp_path / "less.yaml"
    file.write_text(POLICY.replace("finance", "treasury"), encoding="utf-8")
    service.load_policy(who("admin").workspace_id, file)
    assert not who("analyst").has(Capability.EXPORT)


def test_nobody_grants_their_own_request_and_others_do() -> None:
    own = service.request_access(who("admin"), "everything")
    assert code_of(who("admin"), own.id, GRANT) == "conflict"
    assert who("admin").roles == ("admin",)
    place = who("admin").workspace_id
    accounts.set_member(place, accounts.create_user("second_shop").id, roles=["admin"])
    assert service.decide_request(who("second"), own.id, GRANT).state is RequestState.GRANTED


def test_only_admins_of_the_same_workspace_decide_and_a_foreign_request_looks_absent() -> None:
    found = asked()
    assert code_of(who("analyst"), found.id, GRANT) == "not_permitted"
    assert code_of(who("admin", "other"), found.id, GRANT) == "not_found"
    assert code_of(who("admin", "other"), 999_999, GRANT) == "not_found"
    assert service.access_requests(who("admin", "other")) == ()
    assert [r.id for r in service.access_requests(who("admin"))] == [found.id]


@pytest.mark.parametrize(
    "wrong", [{"role": "nobody"}, {"role": ""}, {"days": 0}, {"days": 91}, {"days": -1}, {"reason": " "}]
)
def test_a_grant_needs_a_known_role_an_end_and_a_reason(wrong: dict[str, object]) -> None:
    values = {"verdict": Verdict.GRANT, "role": "finance", "days": 7, "reason": "x", **wrong}
    assert code_of(who("admin"), asked().id, AccessDecision(**values)) == "invalid_input"  # type: ignore[arg-type]


def test_the_database_keeps_no_grant_without_an_end() -> None:
    with pytest.raises(IntegrityError):
        Row.rows.of(who("admin").workspace_id).filter(pk=asked().id).update(state="granted")


def test_a_request_is_decided_once() -> None:
    found = asked()
    service.decide_request(who("admin"), found.id, AccessDecision(verdict=Verdict.DECLINE, reason="not now"))
    assert code_of(who("admin"), found.id, GRANT) == "conflict"
    assert code_of(who("admin"), found.id, END) == "conflict"


def test_nobody_can_flood_the_admins() -> None:
    for _ in range(MOST_WAITING):
        asked()
    with pytest.raises(ShownError, match="wait already"):
        asked()


def test_every_step_is_in_the_audit_with_who_for_whom_and_why() -> None:
    found = asked()
    service.decide_request(who("admin"), found.id, GRANT)
    service.decide_request(who("admin"), found.id, END)
    told = list(store.audit_entries(who("admin").workspace_id))[1:]
    assert [e.kind for e in told] == ["access_requested", "access_granted", "access_ended"]
    assert [e.by for e in told] == ["analyst_shop", "admin_shop", "admin_shop"]
    assert told[1].facts()["for"] == "analyst_shop"
    assert told[1].facts()["reason"] == "closing of the quarter"
