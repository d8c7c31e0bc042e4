"""The page of the runs that may need somebody: its kinds, its buttons, its two workspaces, and no script."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from dataagent.accounts import service as accounts
from dataagent.policy import service as policy
from dataagent.runs import service as runs
from dataagent.runs.models import Run
from dataagent.runs.service.operating import elsewhere
from dataagent.runs.types import RunState

POLICY = """version: "1"
roles:
  analyst: {capabilities: [ask, sign_in, read_own_runs]}
  admin: {capabilities: [sign_in, administer]}
"""
Shops = dict[str, str]


def signed_in(name: str) -> Client:
    client = Client()
    assert client.post("/sign-in/demo/", {"username": name}).status_code == 302
    return client


@pytest.fixture(autouse=True)
def stuck(db: None, tmp_path: Path) -> Shops:
    """The id of a run that nobody takes, in each of two workspaces."""
    file = tmp_path / "policy.yaml"
    file.write_text(POLICY, encoding="utf-8")
    found = {}
    for slug in ("shop", "other"):
        place = accounts.create_workspace(slug, name=slug)
        policy.load_policy(place.id, file)
        for role in ("analyst", "admin"):
            accounts.set_member(place.id, accounts.create_user(f"{role}_{slug}").id, roles=[role])
        who = policy.principal(f"analyst_{slug}", slug)
        found[slug] = runs.start_run(who, f"the secret figure of {slug}").id
        Run.rows.of(place.id).update(queued_at=timezone.now() - timedelta(hours=1))
    return found


def state(run_id: str, slug: str = "shop") -> RunState:
    return runs.run(policy.principal(f"analyst_{slug}", slug), run_id).state


def test_the_page_shows_what_is_stuck_with_its_button_and_not_what_was_asked(stuck: Shops) -> None:
    seen = signed_in("admin_shop").get("/operate/").content.decode()
    assert f'name="do" value="end:{stuck["shop"]}"' in seen
    assert "asked by analyst_shop" in seen
    assert "Start a worker" in seen
    assert "secret figure" not in seen
    assert "script" not in re.sub(r"<script[^>]* src=[^>]*></script>", "", seen)


def test_a_button_ends_a_run_and_the_list_is_empty_after(stuck: Shops) -> None:
    admin = signed_in("admin_shop")
    seen = admin.post("/operate/act/", {"do": f"end:{stuck['shop']}"}, follow=True).content.decode()
    assert f"Run {stuck['shop'][:8]}: has ended, and its query too." in seen
    assert "No run needs somebody" in seen
    assert state(stuck["shop"]) is RunState.CANCELLED


def test_ticked_runs_are_ended_together_and_the_kind_is_kept(stuck: Shops) -> None:
    second = runs.start_run(policy.principal("analyst_shop", "shop"), "orders").id
    answer = signed_in("admin_shop").post(
        "/operate/act/", {"do": "end", "run": [stuck["shop"], second], "kind": "stuck"}
    )
    assert answer["Location"] == "/operate/?kind=stuck"
    assert {state(stuck["shop"]), state(second)} == {RunState.CANCELLED}


def test_nothing_ticked_does_nothing_and_says_so(stuck: Shops) -> None:
    seen = signed_in("admin_shop").post("/operate/act/", {"do": "end"}, follow=True).content.decode()
    assert "No run was chosen." in seen
    assert state(stuck["shop"]) is RunState.QUEUED


@pytest.mark.parametrize("do", ["", "drop", "drop:1", "END"])
def test_what_is_no_action_is_refused(do: str) -> None:
    assert signed_in("admin_shop").post("/operate/act/", {"do": do}).status_code == 422


def test_a_kind_that_is_none_is_refused_and_an_empty_one_says_so() -> None:
    admin = signed_in("admin_shop")
    assert admin.get("/operate/?kind=lost").status_code == 422
    assert "No run of this kind." in admin.get("/operate/?kind=slow").content.decode()


def test_nobody_else_sees_or_acts_and_another_workspaces_run_is_absent(stuck: Shops) -> None:
    analyst, stranger = signed_in("analyst_shop"), signed_in("admin_other")
    do = {"do": f"end:{stuck['shop']}"}
    assert analyst.get("/operate/").status_code == 403
    assert analyst.post("/operate/act/", do).status_code == 403
    assert stuck["shop"] not in stranger.get("/operate/").content.decode()
    missing = {"do": "end:00000000-0000-4000-8000-000000000000"}
    answers = [stranger.post("/operate/act/", given) for given in (do, missing)]
    assert [a.status_code for a in answers] == [404, 404]
    assert state(stuck["shop"]) is RunState.QUEUED


def test_who_administers_two_workspaces_is_told_of_the_other_one_and_others_are_not() -> None:
    shop, other = accounts.workspace("shop"), accounts.workspace("other")
    both, one = accounts.user("admin_shop"), accounts.user("analyst_shop")
    assert shop is not None
    assert other is not None
    assert both is not None
    assert one is not None
    accounts.set_member(other.id, both.id, roles=["admin"])
    accounts.set_member(shop.id, one.id, roles=["admin"])
    accounts.set_member(other.id, one.id, roles=["analyst"])
    assert elsewhere(policy.principal("admin_shop", "shop")) == (("other", 1),)
    assert elsewhere(policy.principal("analyst_shop", "shop")) == ()
    client = signed_in("admin_shop")
    client.post("/workspace/", {"workspace": "shop"})
    assert "stuck, unknown or slow: 1" in client.get("/operate/").content.decode()
