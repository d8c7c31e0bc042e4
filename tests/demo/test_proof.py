"""What an answer rests on can be read, changed by its owner, and proved later."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from dataagent.policy import service as policy
from dataagent.runs import service as runs
from tests.demo.conftest import Asking

QUESTION = "units sold last month"
TABLE = "warehouse.fct_order_items"


def signed_in(user: str) -> Client:
    client = Client()
    assert client.post("/sign-in/demo/", {"username": user}).status_code == 302
    return client


def verified(path: Path) -> tuple[int, dict[str, Any]]:
    out = io.StringIO()
    try:
        call_command("receipts", "verify", str(path), "--json", stdout=out)
    except SystemExit as stop:
        return int(stop.code or 0), json.loads(out.getvalue())
    return 0, json.loads(out.getvalue())


def test_a_downloaded_receipt_verifies_and_any_changed_byte_is_told(ask: Asking, tmp_path: Path) -> None:
    run = ask("analyst", QUESTION)
    file = tmp_path / "receipt.json"
    file.write_bytes(signed_in("analyst").get(f"/runs/{run.id}/receipt.json").content)
    assert verified(file)[1]["ok"] is True
    data = bytearray(file.read_bytes())
    for position in range(5, len(data), max(1, len(data) // 40)):
        changed = bytes(data[:position]) + bytes([data[position] ^ 1]) + bytes(data[position + 1 :])
        file.write_bytes(changed)
        assert verified(file)[1]["ok"] is False, position


def test_the_chain_of_the_workspace_holds(ask: Asking) -> None:
    ask("analyst", QUESTION)
    assert runs.verify_chain(policy.principal("auditor", "demo")).ok


def test_an_edited_card_is_published_as_version_two_and_the_next_manifest_names_it(ask: Asking) -> None:
    auditor = policy.principal("auditor", "demo")
    before = {c.name: c.version for c in runs.manifest(auditor, ask("analyst", QUESTION).id).cards}
    owner = signed_in("owner")
    edited = owner.post(
        f"/cards/{TABLE}/edit/caveats/", {"text": "Lines of phone orders arrive a day late."}, follow=True
    )
    assert edited.status_code == 200
    assert "arrive a day late" in edited.content.decode()
    proposal = edited.redirect_chain[-1][0].rstrip("/").split("/")[-1]
    assert owner.post(f"/cards/proposals/{proposal}/publish/").status_code == 302
    run = ask("analyst", QUESTION)
    after = {c.name: c.version for c in runs.manifest(auditor, run.id).cards}
    changed = {name: (before[name], after[name]) for name in after if before.get(name) != after[name]}
    assert list(changed.values()) == [("1", "2")]
    assert any(s.id == f"card:{TABLE}" and s.version == "2" for s in run.answer.sources)  # type: ignore[union-attr]


def test_the_analyst_may_read_a_card_and_not_edit_it(demo: Path) -> None:
    analyst = signed_in("analyst")
    assert analyst.get(f"/cards/{TABLE}/").status_code == 200
    assert analyst.post(f"/cards/{TABLE}/edit/caveats/", {"text": "x"}).status_code == 403


@pytest.mark.parametrize("page", ["/runs/{}/", "/runs/{}/receipt/", "/runs/{}/receipt.json", "/runs/{}/events/"])
def test_a_run_of_another_person_looks_like_a_missing_page(ask: Asking, page: str) -> None:
    run = ask("finance", "gross margin last month")
    stranger = signed_in("analyst")
    missing = stranger.get(page.format("00000000-0000-4000-8000-000000000000"))
    hidden = stranger.get(page.format(run.id))
    assert (missing.status_code, hidden.status_code) == (404, 404)
    assert signed_in("finance").get(page.format(run.id)).status_code == 200
