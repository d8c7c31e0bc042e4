"""Stored policy: one is current, principals follow it at once, workspaces do not mix."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from catalog.access import AccessScope
from dataagent.accounts import service as accounts
from dataagent.errors import ShownError
from dataagent.policy import service
from dataagent.policy.doors import permit, requires
from dataagent.policy.models import PolicyVersion
from dataagent.policy.principal import Capability
from dataagent.sqlguard.schema import Column, TableSchema

SCHEMA = (TableSchema(name="main.t", columns=(Column(name="a", type="VARCHAR"),)),)
POLICY = """version: "1"
roles:
  analyst:
    capabilities: [ask]
    metrics: {allow: "*"}
    tables: {main.t: {masks: [{column: a, kind: hash}]}}
"""


@pytest.fixture
def demo(db: None, settings: Any, tmp_path: Path) -> int:
    settings.HOME = tmp_path
    place = accounts.create_workspace("demo", name="Demo")
    accounts.set_member(place.id, accounts.create_user("analyst").id, roles=["analyst"])
    return place.id


def load(workspace_id: int, folder: Path, text: str) -> None:
    file = folder / "policy.yaml"
    file.write_text(text, encoding="utf-8")
    service.load_policy(workspace_id, file)


def scope() -> AccessScope:
    return service.scope(service.principal("analyst", "demo"), SCHEMA, ("revenue",))


def test_without_a_policy_nothing_is_allowed_and_nothing_is_seen(demo: int) -> None:
    assert service.principal("analyst", "demo").capabilities == frozenset()
    assert scope().tables == ()


def test_a_loaded_policy_decides_and_the_same_again_adds_no_version(demo: int, tmp_path: Path) -> None:
    load(demo, tmp_path, POLICY)
    load(demo, tmp_path, POLICY)
    assert service.principal("analyst", "demo").capabilities == {Capability.ASK}
    assert [t.table for t in scope().tables] == ["main.t"]
    assert PolicyVersion.rows.of(demo).count() == 1


def test_a_changed_policy_takes_effect_at_once_and_history_stays(demo: int, tmp_path: Path) -> None:
    load(demo, tmp_path, POLICY)
    assert scope().tables
    load(demo, tmp_path, POLICY.replace("main.t", "main.u"))
    assert scope().tables == ()
    assert [v.is_current for v in PolicyVersion.rows.of(demo).order_by("number")] == [False, True]


def test_a_hash_mask_carries_the_workspaces_own_key(demo: int, tmp_path: Path) -> None:
    other = accounts.create_workspace("other", name="Other")
    accounts.set_member(other.id, accounts.create_user("analyst").id, roles=["analyst"])
    load(demo, tmp_path, POLICY)
    load(other.id, tmp_path, POLICY)
    there = service.scope(service.principal("analyst", "other"), SCHEMA, ())
    keys = {scope().tables[0].masks[0].argument, there.tables[0].masks[0].argument}
    assert len(keys) == 2
    assert "" not in keys


def test_a_foreign_and_an_absent_workspace_look_the_same(demo: int) -> None:
    accounts.create_workspace("other", name="Other")
    words = []
    for slug in ("other", "absent"):
        with pytest.raises(ShownError) as refused:
            service.principal("analyst", slug)
        words.append(refused.value.message)
    assert words[0] == words[1]


def test_a_door_opens_for_its_capability_only(demo: int, tmp_path: Path, rf: Any) -> None:
    load(demo, tmp_path, POLICY)

    @requires(Capability.ASK)
    def ask(request: Any) -> str:
        return "asked"

    @requires(Capability.ADMINISTER)
    def administer(request: Any) -> str:
        return "done"

    request = rf.get("/")
    request.principal = service.principal("analyst", "demo")
    assert ask(request) == "asked"
    assert ask.capability is Capability.ASK  # type: ignore[attr-defined]
    with pytest.raises(ShownError) as refused:
        administer(request)
    assert refused.value.code == "not_permitted"
    with pytest.raises(ShownError) as stranger:
        permit(None, Capability.ASK)
    assert stranger.value.code == "not_signed_in"


def test_the_session_chooses_among_ones_own_workspaces_only(demo: int) -> None:
    member = accounts.member("analyst", "demo")
    assert member is not None
    user = type("Signed", (), {"pk": member.account.id, "is_authenticated": True})()
    found = service.principal_of_request_user(user, "demo")
    assert found is not None
    assert found.workspace == "demo"
    assert service.principal_of_request_user(user, "other") is None
    assert service.principal_of_request_user(type("Anonymous", (), {"is_authenticated": False})()) is None
