"""A receipt file tells any change, and each audience sees only its part."""

from __future__ import annotations

import base64
import json
from datetime import UTC, date, datetime
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from dataagent.runs import receipt
from dataagent.runs.manifest import Manifest, PolicyPart, RunPart
from dataagent.runs.receipt import Audience, Place

KEY = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
OTHER_KEY = Ed25519PrivateKey.from_private_bytes(b"o" * 32)
TRUSTED = {receipt.key_id(KEY.public_key()): KEY.public_key()}
PLACE = Place(sequence=7, previous_digest="sha256:aa", digest="sha256:bb")


def a_manifest(**changes: Any) -> Manifest:
    at = datetime(2025, 6, 18, 9, tzinfo=UTC)
    return Manifest(
        nonce="n" * 32,
        claims_salt="s" * 32,
        run=RunPart(
            id="r1",
            session="s1",
            workspace="shop",
            asker="analyst",
            roles=("analyst",),
            door="web",
            thread="",
            question="net revenue é",
            today=date(2025, 6, 18),
            choice=None,
            state="answered",
            reason="answered",
            attempts=1,
            created_at=at,
            finished_at=at,
        ),
        policy=PolicyPart(rule="secret_rule", effect="allow"),
        withheld=3,
        **changes,
    )


FILE = receipt.issue(a_manifest(), PLACE, Audience.ASKER, KEY).encode()


def test_an_unchanged_receipt_is_genuine() -> None:
    verdict = receipt.verify(FILE, TRUSTED)
    assert verdict.ok
    assert verdict.payload is not None
    assert verdict.payload["view"]["run"]["question"] == "net revenue é"


def test_an_ending_newline_is_no_change() -> None:
    assert receipt.verify(FILE + b"\n", TRUSTED).ok


def test_every_single_changed_byte_is_told() -> None:
    unnoticed = [
        i for i in range(len(FILE)) if receipt.verify(FILE[:i] + bytes([FILE[i] ^ 1]) + FILE[i + 1 :], TRUSTED).ok
    ]
    assert unnoticed == []


def test_every_single_missing_byte_is_told() -> None:
    assert [i for i in range(len(FILE)) if receipt.verify(FILE[:i] + FILE[i + 1 :], TRUSTED).ok] == []


def test_a_forged_content_with_its_own_signature_needs_a_trusted_key() -> None:
    forged = receipt.issue(a_manifest(caveats=("none",)), PLACE, Audience.ASKER, OTHER_KEY).encode()
    assert receipt.verify(forged, TRUSTED).code == "wrong_key"
    assert receipt.verify(forged, {receipt.key_id(OTHER_KEY.public_key()): OTHER_KEY.public_key()}).ok


def test_a_signature_of_another_receipt_does_not_fit() -> None:
    other = json.loads(receipt.issue(a_manifest(caveats=("late",)), PLACE, Audience.ASKER, KEY))
    mixed = {**json.loads(FILE), "signatures": other["signatures"]}
    assert receipt.verify(receipt.encoding.canonical(mixed), TRUSTED).code == "bad_signature"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (FILE[: len(FILE) // 2], "truncated"),
        (FILE[:-1], "truncated"),
        (b"hello", "not_json"),
        (b"\xff\xfe", "not_text"),
        (b"[]", "not_a_receipt"),
        (b"{}", "not_a_receipt"),
        (b'{"a":1,"a":2}', "not_a_receipt"),
        (b"[" * 100_000, "not_a_receipt"),
        (b"9" * 10_000, "not_a_receipt"),
        (FILE.replace(b'"payload":', b'"payload": '), "changed_byte"),
        (FILE + b" ", "changed_byte"),
        (b"x" * (receipt.MAX_BYTES + 1), "too_large"),
    ],
)
def test_each_kind_of_broken_file_has_its_own_words(data: bytes, code: str) -> None:
    verdict = receipt.verify(data, TRUSTED)
    assert (verdict.ok, verdict.code) == (False, code)
    assert verdict.message.endswith(".")


def test_base64_with_loose_bits_is_told() -> None:
    envelope = json.loads(FILE)
    sig = envelope["signatures"][0]["sig"]
    assert sig.endswith("==")
    loose = chr(ord(sig[-3]) + 1)
    envelope["signatures"][0]["sig"] = sig[:-3] + loose + "=="
    assert base64.b64decode(envelope["signatures"][0]["sig"]) == base64.b64decode(sig)
    assert not receipt.verify(receipt.encoding.canonical(envelope), TRUSTED).ok


def test_only_the_auditor_sees_what_was_withheld() -> None:
    views = {a: receipt.view(a_manifest(), a) for a in Audience}
    assert [a for a, v in views.items() if "withheld" in v] == [Audience.AUDITOR]
    assert [a for a, v in views.items() if "secret_rule" in json.dumps(v)] == [Audience.AUDITOR]


def test_no_audience_sees_the_nonce() -> None:
    assert [a for a in Audience if "n" * 32 in json.dumps(receipt.view(a_manifest(), a))] == []


def test_the_owner_and_the_evaluator_do_not_see_who_asked() -> None:
    seen = {a for a in Audience if "asker" in receipt.view(a_manifest(), a)["run"]}
    assert seen == {Audience.ASKER, Audience.AUDITOR}
