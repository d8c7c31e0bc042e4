"""Who gains and who loses what by a change of policy, and the command that tells and applies it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from dataagent.accounts import service as accounts
from dataagent.errors import ShownError
from dataagent.management.commands import policy as command
from dataagent.policy import service, store
from dataagent.policy.document import parse_policy
from dataagent.policy.effects import effects, unknown_names
from dataagent.policy.principal import Principal
from dataagent.sqlguard.schema import Column, TableSchema

SCHEMA = (
    TableSchema(name="main.t", columns=tuple(Column(name=n, type="VARCHAR") for n in ("region", "email", "cost"))),
)
BEFORE = """version: "1"
roles:
  analyst:
    capabilities: [ask]
    metrics: {allow: [revenue]}
    tables: {main.t: {columns: [region, email]}}
  admin: {capabilities: [administer]}
"""
AFTER = """version: "2"
roles:
  analyst:
    capabilities: [ask, export]
    metrics: {allow: [margin]}
    tables:
      main.t:
        columns: [region, email, cost]
        masks: [{column: email, kind: hash}]
        row_filter: {id: own, predicate: "region = 'EMEA'", label: region is EMEA}
  admin: {capabilities: [administer]}
"""
PERSON = Principal(user="ana", workspace="w", workspace_id=1, roles=("analyst",), capabilities=frozenset())


def told(before: str, after: str) -> set[tuple[str, str, str]]:
    first, second = (parse_policy(text, file="p") for text in (before, after))
    found = effects(first, second, [PERSON], SCHEMA, ("revenue", "margin"))
    return {(e.change.value, e.kind, e.name) for e in found}


def test_every_kind_of_difference_is_told_for_the_person() -> None:
    assert told(BEFORE, AFTER) == {
        ("gains", "capability", "export"),
        ("gains", "metric", "margin"),
        ("loses", "metric", "revenue"),
        ("gains", "column", "main.t.cost"),
        ("changes", "column", "main.t.email"),
        ("changes", "rows", "main.t"),
    }


def test_the_way_back_turns_gains_into_losses() -> None:
    turned = {"gains": "loses", "loses": "gains", "changes": "changes"}
    assert told(AFTER, BEFORE) == {(turned[c], k, n) for c, k, n in told(BEFORE, AFTER)}


def test_the_same_policy_under_another_name_changes_nothing() -> None:
    assert told(BEFORE, BEFORE.replace('"1"', '"3"')) == set()


def test_a_role_that_nobody_holds_changes_nothing_and_a_first_policy_is_all_gain() -> None:
    assert told(BEFORE, BEFORE + "  guest: {capabilities: [ask]}\n") == set()
    found = effects(None, parse_policy(BEFORE, file="p"), [PERSON], SCHEMA, ("revenue",))
    assert {e.change.value for e in found} == {"gains"}


def test_rules_about_what_does_not_exist_are_named() -> None:
    text = BEFORE.replace("[region, email]", "[region, emial]").replace("[revenue]", "[revenu]")
    assert unknown_names(parse_policy(text, file="p"), SCHEMA, ("revenue",)) == ("column main.t.emial", "metric revenu")
    assert unknown_names(parse_policy(BEFORE, file="p"), SCHEMA, ("revenue",)) == ()


@pytest.fixture
def files(db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    monkeypatch.setattr(command, "_world", lambda _place: (SCHEMA, ("revenue", "margin")))
    place = accounts.create_workspace("demo", name="Demo")
    for role in ("analyst", "admin"):
        accounts.set_member(place.id, accounts.create_user(role).id, roles=[role])
    before, after = tmp_path / "before.yaml", tmp_path / "after.yaml"
    before.write_text(BEFORE, encoding="utf-8")
    after.write_text(AFTER, encoding="utf-8")
    return before, after


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    call_command("policy", *map(str, arguments), "--json")
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_a_policy_is_looked_at_without_being_applied_and_applied_by_an_admin(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = files
    assert run(capsys, "apply", before)["number"] == 1
    found = run(capsys, "diff", after)
    assert {e["user"] for e in found["effects"]} == {"analyst"}
    assert service.principal("analyst", "demo").policy_version == found["before"]
    assert run(capsys, "apply", after, "--as", "admin")["number"] == 2
    assert service.principal("analyst", "demo").policy_version == found["after"]
    last = list(store.audit_entries(service.principal("admin", "demo").workspace_id))[-1]
    assert (last.kind, last.by) == ("policy_changed", "admin")


@pytest.mark.parametrize("user", ["", "analyst", "ghost"])
def test_nobody_but_an_admin_changes_a_policy_that_is_there(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str], user: str
) -> None:
    before, after = files
    run(capsys, "apply", before)
    with pytest.raises((CommandError, ShownError)):
        run(capsys, "apply", after, *(("--as", user) if user else ()))
    assert service.principal("analyst", "demo").policy_version.startswith("1@")


def test_who_is_refused_at_the_command_line_is_in_the_audit(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = files
    run(capsys, "apply", before)
    with pytest.raises(CommandError):
        run(capsys, "apply", after, "--as", "analyst")
    last = list(store.audit_entries(service.principal("admin", "demo").workspace_id))[-1]
    assert (last.kind, last.by, last.subject) == ("denied", "analyst", "manage.py policy apply")


def test_faults_are_told_with_file_and_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text('version: "1"\nroles:\n  analyst: {capabilities: [fly]}\n', encoding="utf-8")
    with pytest.raises(SystemExit):
        call_command("policy", "validate", str(file))
    assert capsys.readouterr().out.startswith("wrong.yaml:3:")
