"""The pages of access: ask for it, decide on it, without a script."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from dataagent.accounts import service as accounts
from dataagent.policy import service as policy
from dataagent.policy.models import AuditEntry

POLICY = """version: "1"
roles:
  analyst: {capabilities: [ask, sign_in, request_access]}
  finance: {capabilities: [ask, export]}
  admin: {capabilities: [sign_in, administer, request_access]}
"""


def signed_in(role: str, workspace: str) -> Client:
    client = Client()
    assert client.post("/sign-in/demo/", {"username": f"{role}_{workspace}"}).status_code == 302
    return client


@pytest.fixture(autouse=True)
def shops(db: None, tmp_path: Path) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text(POLICY, encoding="utf-8")
    for slug in ("shop", "other"):
        place = accounts.create_workspace(slug, name=slug)
        policy.load_policy(place.id, file)
        for role in ("analyst", "admin"):
            accounts.set_member(place.id, accounts.create_user(f"{role}_{slug}").id, roles=[role])


def test_access_is_asked_for_and_granted_on_pages() -> None:
    analyst, admin = signed_in("analyst", "shop"), signed_in("admin", "shop")
    assert analyst.post("/access/", {"note": "<b>margin</b> please"}).status_code == 302
    waiting = admin.get("/access/waiting/").content.decode()
    assert "&lt;b&gt;margin&lt;/b&gt; please" in waiting
    number = policy.access_requests(policy.principal("admin_shop", "shop"))[0].id
    given = {"verdict": "grant", "role": "finance", "days": "7", "reason": "the board meets"}
    assert admin.post(f"/access/requests/{number}/decide/", given).status_code == 302
    seen = analyst.get("/access/").content.decode()
    assert "Roles: analyst, finance" in seen
    assert "the board meets" in seen


def test_an_empty_request_says_what_is_missing_and_keeps_what_was_typed() -> None:
    answer = signed_in("analyst", "shop").post("/access/", {"note": "a" * 501})
    assert answer.status_code == 422
    assert "a" * 501 in answer.content.decode()
    assert "Say in up to 500 letters" in answer.content.decode()


def test_only_admins_see_and_decide_and_another_workspaces_request_is_absent() -> None:
    analyst, stranger = signed_in("analyst", "shop"), signed_in("admin", "other")
    analyst.post("/access/", {"note": "margin"})
    number = policy.access_requests(policy.principal("admin_shop", "shop"))[0].id
    given = {"verdict": "decline", "reason": "no"}
    assert analyst.get("/access/waiting/").status_code == 403
    assert analyst.post(f"/access/requests/{number}/decide/", given).status_code == 403
    assert stranger.post(f"/access/requests/{number}/decide/", given).status_code == 404
    assert stranger.post("/access/requests/999999/decide/", given).status_code == 404
    assert "margin" not in stranger.get("/access/waiting/").content.decode()


def test_an_admin_sees_what_a_person_may_and_why_and_the_audit_tells_of_it() -> None:
    admin = signed_in("admin", "shop")
    seen = admin.get("/access/as/", {"user": "analyst_shop"}).content.decode()
    assert "What analyst_shop may see" in seen
    assert "granted by analyst" in seen
    assert "capability administer" in seen
    told = AuditEntry.rows.of_every_workspace().filter(kind="access_previewed").values_list("by", "subject")
    assert list(told) == [("admin_shop", "analyst_shop")]


def test_only_admins_look_as_others_and_people_of_another_workspace_are_absent() -> None:
    assert signed_in("analyst", "shop").get("/access/as/", {"user": "admin_shop"}).status_code == 403
    admin = signed_in("admin", "shop")
    foreign, absent = (admin.get("/access/as/", {"user": name}) for name in ("analyst_other", "ghost"))
    assert (foreign.status_code, absent.status_code) == (404, 404)
    assert "analyst_other" not in admin.get("/access/as/").content.decode()


def test_the_api_tells_the_same_and_keeps_others_out() -> None:
    place = accounts.workspace("shop")
    assert place is not None
    found = {}
    for role in ("admin", "analyst"):
        account = accounts.user(f"{role}_shop")
        assert account is not None
        token = accounts.mint_token(place.id, account.id, name="t").plain
        headers = {"Authorization": f"Bearer {token}"}
        found[role] = Client().get("/api/v1/access/as", {"user": "analyst_shop"}, headers=headers)
    assert found["analyst"].status_code == 403
    reasons = {r["name"]: r for r in found["admin"].json()["reasons"]}
    assert (reasons["ask"]["seen"], reasons["administer"]["seen"]) == (True, False)
