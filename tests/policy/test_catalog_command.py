"""`manage.py catalog`: reads any format, writes ours and OSI, publishes for those who may."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from catalog import service
from catalog.importers.formats import load_any
from dataagent.accounts import service as accounts
from dataagent.policy import service as policy
from tests.catalog.osi_shop import DOCUMENT
from tests.catalog.shop import FOLDER, shop

POLICY = """
version: "1"
roles:
  owner: {capabilities: [sign_in, publish], metrics: {allow: "*"}}
  analyst: {capabilities: [sign_in], metrics: {allow: "*"}}
"""


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "shop.yaml"
    path.write_text(DOCUMENT)
    return path


def _json(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    call_command("catalog", *map(str, arguments), "--json")
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_an_import_tells_the_format_and_keeps_our_own_yaml(
    tmp_path: Path, document: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = _json(capsys, "import", document, "--out", tmp_path / "own")
    assert (found["ok"], found["format"], found["models"], found["metrics"]) == (True, "osi", 4, 9)
    assert load_any(tmp_path / "own").digest == found["digest"] == load_any(document).digest


def test_an_import_writes_over_no_catalog_unless_told(
    tmp_path: Path, document: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("import", document, "--out", tmp_path / "own")
    _json(capsys, *arguments)
    with pytest.raises(CommandError, match="--replace"):
        _json(capsys, *arguments)
    assert _json(capsys, *arguments, "--replace")["ok"]
    (tmp_path / "own" / "mine.yaml").write_text("metrics: []\n")
    with pytest.raises(CommandError, match="holds a catalog already"):
        _json(capsys, *arguments, "--replace")


@pytest.mark.parametrize("text", ["", "catalog: {name: empty}\n", "metrics: []\n"])
def test_a_catalog_with_nothing_in_it_is_a_wrong_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    (tmp_path / "empty.yaml").write_text(text)
    with pytest.raises(SystemExit):
        call_command("catalog", "check", str(tmp_path / "empty.yaml"))
    assert "holds no semantic models and no metrics" in capsys.readouterr().out


def test_a_wrong_format_is_told_and_fails(document: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        call_command("catalog", "import", str(document), "--format", "own")
    assert 'shop.yaml:4: Unknown key "semantic_model"' in capsys.readouterr().out


def test_an_export_lists_what_other_tools_do_not_see(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = _json(capsys, "export", "--catalog", FOLDER, "--format", "osi", "--out", tmp_path / "shop.osi.yaml")
    assert {"shop.osi.yaml"} == {loss["file"] for loss in found["losses"]}
    assert load_any(tmp_path / "shop.osi.yaml").digest == shop().digest


def test_an_export_without_a_file_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("catalog", "export", "--catalog", str(FOLDER), "--format", "own")
    assert capsys.readouterr().out.startswith("catalog:\n")


@pytest.mark.django_db
def test_an_owner_publishes_a_file_and_an_analyst_may_not(document: Path, tmp_path: Path) -> None:
    place = accounts.create_workspace("place", name="Place")
    (tmp_path / "policy.yml").write_text(POLICY)
    policy.load_policy(place.id, tmp_path / "policy.yml")
    for name in ("owner", "analyst"):
        accounts.set_member(place.id, accounts.create_user(name, name=name).id, roles=(name,), attributes={})
    with pytest.raises(CommandError, match="Your role does not include this"):
        call_command("catalog", "publish", str(document), "--as", "analyst", "--workspace", "place")
    with pytest.raises(service.NoCatalog):
        service.current_snapshot(place.id)
    call_command("catalog", "publish", str(document), "--as", "owner", "--workspace", "place")
    assert service.current_snapshot(place.id).digest == load_any(document).digest
