"""Receipts: views of a manifest for an audience, signed, and verifiable without the product.

A receipt file is a DSSE envelope (Ed25519 over the pre-authentication encoding)
in canonical JSON, so any changed byte of the file shows.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from dataagent.runs import encoding
from dataagent.runs.manifest import SCHEMA_VERSION, Manifest

PAYLOAD_TYPE = "application/vnd.dataagent.receipt+json"
MAX_BYTES = 4 * 1024 * 1024
"""A receipt is a few kilobytes; a larger file is not one."""


class Audience(StrEnum):
    """For whom a receipt is."""

    ASKER = "asker"
    OWNER = "owner"
    AUDITOR = "auditor"
    EVALUATOR = "evaluator"


_MEANING = (
    "intent",
    "catalog",
    "cards",
    "evidence",
    "data",
    "checks",
    "defaults",
    "assumptions",
    "caveats",
    "planner",
    "steps",
    "timings_ms",
)
_RUN_WITHOUT_PERSON = ("id", "workspace", "question", "today", "choice", "state", "reason", "created_at", "finished_at")
_WORK = ("query", "result", "claims", "memory", "destination", "costs")

VIEWS: dict[Audience, dict[str, tuple[str, ...] | None]] = {
    Audience.ASKER: {
        "run": None,
        **dict.fromkeys(_MEANING),
        "policy": ("effect", "reason", "version", "row_filters", "masked_columns"),
        **dict.fromkeys(_WORK),
        "claims_salt": None,
    },
    Audience.OWNER: {"run": _RUN_WITHOUT_PERSON, **dict.fromkeys(_MEANING)},
    Audience.EVALUATOR: {"run": _RUN_WITHOUT_PERSON, **dict.fromkeys(_MEANING), **dict.fromkeys(_WORK)},
    Audience.AUDITOR: {
        "run": None,
        **dict.fromkeys(_MEANING),
        "withheld": None,
        "policy": None,
        **dict.fromkeys(_WORK),
    },
}
"""Which parts each audience sees (None: the whole part).  What is not named is not shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a manifest stands in its workspace's chain."""

    sequence: int
    previous_digest: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether a receipt holds.  `code` and `message` name the first thing that is wrong, `position` where."""

    ok: bool
    code: str
    message: str
    position: str = ""
    payload: Mapping[str, Any] | None = None


class _BadReceipt(Exception):
    def __init__(self, code: str, message: str, position: str = "file") -> None:
        super().__init__(message)
        self.verdict = Verdict(ok=False, code=code, message=message, position=position)


def view(manifest: Manifest, audience: Audience) -> dict[str, Any]:
    """The parts of a manifest that the audience may see, as JSON data."""
    whole = manifest.model_dump(mode="json")
    shown: dict[str, Any] = {}
    for part, fields in VIEWS[audience].items():
        shown[part] = whole[part] if fields is None else {name: whole[part][name] for name in fields}
    return shown


def issue(manifest: Manifest, place: Place, audience: Audience, key: Ed25519PrivateKey) -> str:
    """The receipt file's text: a signed envelope.  Equal input gives equal bytes."""
    payload = {
        "schema_version": SCHEMA_VERSION,
        "audience": audience.value,
        "workspace": manifest.run.workspace,
        "run": manifest.run.id,
        "issued_at": manifest.model_dump(mode="json")["run"]["finished_at"],
        "chain": {
            "sequence": place.sequence,
            "previous_digest": place.previous_digest,
            "digest": place.digest,
        },
        "view": view(manifest, audience),
    }
    body = encoding.canonical(payload)
    envelope = {
        "payloadType": PAYLOAD_TYPE,
        "payload": base64.b64encode(body).decode("ascii"),
        "signatures": [
            {
                "keyid": key_id(key.public_key()),
                "sig": base64.b64encode(key.sign(pre_authentication(body))).decode("ascii"),
            }
        ],
    }
    return encoding.canonical(envelope).decode("utf-8")


def verify(data: bytes, keys: Mapping[str, Ed25519PublicKey]) -> Verdict:
    """The verdict on a receipt file's bytes; `keys` are the trusted public keys by `key_id`."""
    try:
        return _verified(data, keys)
    except _BadReceipt as bad:
        return bad.verdict


def pre_authentication(body: bytes) -> bytes:
    """The bytes that are signed.  Source: DSSE v1, PAE."""
    kind = PAYLOAD_TYPE.encode("utf-8")
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(body), body)


def key_id(key: Ed25519PublicKey) -> str:
    """A public key's name: the SHA-256 of its raw bytes."""
    raw = key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return encoding.sha256(raw)


def _verified(data: bytes, keys: Mapping[str, Ed25519PublicKey]) -> Verdict:
    envelope = _envelope(data)
    signature = envelope["signatures"][0]
    key = keys.get(signature["keyid"])
    if key is None:
        raise _BadReceipt(
            "wrong_key",
            "This receipt was signed with a key that is not trusted here. Give the right public key with --key.",
            "signatures[0].keyid",
        )
    body = _decoded(envelope["payload"], "payload")
    try:
        key.verify(_decoded(signature["sig"], "signatures[0].sig"), pre_authentication(body))
    except InvalidSignature as error:
        raise _BadReceipt(
            "bad_signature", "The content and its signature do not belong together: something was changed.", "payload"
        ) from error
    payload = _json(body, "payload")
    return Verdict(ok=True, code="ok", message="The receipt is genuine and unchanged.", payload=payload)


def _envelope(data: bytes) -> dict[str, Any]:
    if len(data) > MAX_BYTES:
        raise _BadReceipt("too_large", f"This file is larger than {MAX_BYTES} bytes, so it is not a receipt.")
    if not data.strip():
        raise _BadReceipt("empty", "This file is empty.")
    envelope = _json(data, "file")
    if not _looks_right(envelope):
        raise _BadReceipt("not_a_receipt", "This is JSON, but not a receipt: its envelope has other fields.")
    if envelope["payloadType"] != PAYLOAD_TYPE:
        raise _BadReceipt("not_a_receipt", "This envelope holds something other than a receipt.", "payloadType")
    try:
        expected = encoding.canonical(envelope)
    except ValueError as error:
        raise _BadReceipt("not_a_receipt", "This file holds characters that no receipt has.") from error
    if data.rstrip(b"\n") != expected or len(data) > len(expected) + 1:
        at = next((i for i, (a, b) in enumerate(zip(data, expected, strict=False)) if a != b), len(expected))
        raise _BadReceipt(
            "changed_byte", f"The file was changed: byte {at + 1} is not as it was issued.", f"byte {at + 1}"
        )
    checked: dict[str, Any] = envelope
    return checked


def _looks_right(envelope: Any) -> bool:
    if not isinstance(envelope, dict) or set(envelope) != {"payloadType", "payload", "signatures"}:
        return False
    signatures = envelope["signatures"]
    if not isinstance(signatures, list) or len(signatures) != 1 or not isinstance(signatures[0], dict):
        return False
    texts = (envelope["payloadType"], envelope["payload"], *signatures[0].values())
    return set(signatures[0]) == {"keyid", "sig"} and all(isinstance(t, str) for t in texts)


def _json(data: bytes, position: str) -> Any:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _BadReceipt(
            "not_text", f"Byte {error.start + 1} is not text (UTF-8).", f"byte {error.start + 1}"
        ) from error
    try:
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_no_twins)
    except json.JSONDecodeError as error:
        if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated"):
            raise _BadReceipt(
                "truncated", "The file ends too early: a part of the receipt is missing.", f"byte {len(data)}"
            ) from error
        raise _BadReceipt(
            "not_json", f"This is not JSON: character {error.pos + 1} does not fit.", f"{position} {error.pos + 1}"
        ) from error
    except (RecursionError, ValueError) as error:
        raise _BadReceipt("not_a_receipt", "This JSON is too deep or too large to be a receipt.") from error


def _no_constant(word: str) -> Any:
    raise _BadReceipt("not_json", f"{word} is not JSON.")


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise _BadReceipt("not_a_receipt", "A field stands twice in this file.")
    return dict(pairs)


def _decoded(text: str, position: str) -> bytes:
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise _BadReceipt("changed_byte", "The file was changed: a part is not valid base64.", position) from error
    if base64.b64encode(data).decode("ascii") != text:
        raise _BadReceipt("changed_byte", "The file was changed: a part is not in its issued form.", position)
    return data
