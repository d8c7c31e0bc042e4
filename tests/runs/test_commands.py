"""Receipts and the chain from the command line."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.management import call_command
from django.core.management.base import CommandError

from dataagent.accounts.models import User, Workspace
from dataagent.runs import service
from dataagent.runs.models import Manifest
from dataagent.runs.service.working import claim_and_work
from tests.runs.people import FakeWorld, answered, principal
from tests.runs.test_receipt import FILE, KEY


def pem(key: Ed25519PrivateKey) -> bytes:
    return key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    file = tmp_path / "key.pem"
    file.write_bytes(pem(KEY))
    return file


def verified(tmp_path: Path, data: bytes, key_file: Path) -> tuple[int, dict[str, Any]]:
    """Exit code and the command's JSON."""
    file = tmp_path / "receipt.json"
    file.write_bytes(data)
    out = io.StringIO()
    try:
        call_command("receipts", "verify", str(file), "--key", str(key_file), "--json", stdout=out)
    except SystemExit as end:
        return int(str(end.code)), json.loads(out.getvalue())
    return 0, json.loads(out.getvalue())


def test_a_genuine_receipt_is_ok_without_a_database(tmp_path: Path, key_file: Path) -> None:
    code, facts = verified(tmp_path, FILE, key_file)
    assert (code, facts["ok"], facts["sequence"], facts["first_bad_position"]) == (0, True, 7, None)


def test_a_changed_byte_is_told_with_its_place(tmp_path: Path, key_file: Path) -> None:
    code, facts = verified(tmp_path, FILE[:30] + b"\n" + FILE[30:], key_file)
    assert (code, facts["ok"]) == (1, False)
    assert facts["first_bad_position"]


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"", "empty"), (b"hello", "not_json"), (FILE[:100], "truncated"), (b"x" * (5 << 20), "too_large")],
)
def test_what_is_no_receipt_is_said_so(tmp_path: Path, key_file: Path, data: bytes, code: str) -> None:
    assert verified(tmp_path, data, key_file)[1]["code"] == code


def test_a_key_that_is_none_is_said_so(tmp_path: Path, key_file: Path) -> None:
    key_file.write_text("not a key", encoding="utf-8")
    assert verified(tmp_path, FILE, key_file)[1]["message"] == "key.pem is not a public key in PEM form."
    assert verified(tmp_path, FILE, tmp_path / "absent.pem")[1]["code"] == "not_found"


def test_another_key_does_not_fit(tmp_path: Path, key_file: Path) -> None:
    key_file.write_bytes(pem(Ed25519PrivateKey.generate()))
    assert verified(tmp_path, FILE, key_file)[1]["code"] == "wrong_key"


def test_a_missing_file_is_one_sentence() -> None:
    with pytest.raises(CommandError, match=r"absent\.json cannot be read"):
        call_command("receipts", "verify", "absent.json")


def test_an_issued_receipt_verifies_with_the_exported_key(tmp_path: Path, analyst: User, workspace: Workspace) -> None:
    asker = principal(analyst, workspace)
    run_id = service.start_run(asker, "net revenue").id
    claim_and_work("w", FakeWorld(outcome=answered).machine())
    out = io.StringIO()
    call_command("receipts", "key", stdout=out)
    exported = tmp_path / "exported.pem"
    exported.write_text(out.getvalue(), encoding="utf-8")
    assert verified(tmp_path, service.receipt_file(asker, run_id).encode(), exported)[0] == 0


def test_the_audit_names_the_first_bad_position(analyst: User, workspace: Workspace) -> None:
    asker = principal(analyst, workspace)
    for _ in range(2):
        service.start_run(asker, "net revenue")
        claim_and_work("w", FakeWorld(outcome=answered).machine())
    call_command("audit", "verify", stdout=io.StringIO())
    Manifest.rows.of(workspace.pk).filter(sequence=2).update(content="{}")
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("audit", "verify", "--json", stdout=out)
    assert json.loads(out.getvalue())["first_bad"]["first_bad_position"] == 2


def test_the_audit_of_an_unknown_workspace_is_one_sentence(db: None) -> None:
    with pytest.raises(CommandError, match="There is no such workspace"):
        call_command("audit", "verify", "--workspace", "ghost")
