"""The authority of a run, written down and signed when it was asked for.  Pure.

Whoever works on a run gets no more than this says, and no more than the policy grants at that moment.  The rows of a
run say who asks; somebody who can write them could ask in another's name, but cannot sign for it.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from pydantic import AwareDatetime, BaseModel, ConfigDict, ValidationError

from dataagent.policy.principal import Capability, Principal

LIFETIME = timedelta(hours=1)
"""How long after it was asked, or after its question back was answered, a run may still begin and go on."""
_DOMAIN = b"dataagent.authority.v1\n"
"""Goes before what is signed: the same key signs receipts, and neither can pass for the other."""


class Purpose(StrEnum):
    """What an authority is for."""

    ANSWER = "answer"


class Destination(StrEnum):
    """Where what is found out may go."""

    ASKER = "asker"


class MemoryScope(StrEnum):
    """What of earlier questions may be read."""

    SESSION = "session"


class EnvelopeFault(StrEnum):
    """Why an authority does not hold."""

    MISSING = "missing"
    TAMPERED = "tampered"
    EXPIRED = "expired"
    FOREIGN = "foreign"


class Envelope(BaseModel):
    """Who asks (`principal`), as whom it is worked on (`acting`), where, what for, with what, and until when.

    `trace_id` is the run: an authority is good for one run only.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    principal: str
    principal_id: int
    acting: str
    workspace: str
    workspace_id: int
    purpose: Purpose
    capabilities: tuple[Capability, ...]
    destinations: tuple[Destination, ...]
    memory_scope: MemoryScope
    policy_version: str
    issued_at: AwareDatetime
    expires_at: AwareDatetime
    trace_id: str

    def narrowed(self, now: Principal) -> Principal:
        """The principal as it is now, with no capability that it did not have when it asked."""
        return replace(now, capabilities=now.capabilities & frozenset(self.capabilities))


def envelope_of(principal: Principal, trace_id: str, *, now: datetime) -> Envelope:
    """The authority to answer one question of that principal.  Raises: ValueError for a principal without a login."""
    if principal.user_id is None:
        raise ValueError("Only a login can be worked for.")
    return Envelope(
        principal=principal.user,
        principal_id=principal.user_id,
        acting=principal.user,
        workspace=principal.workspace,
        workspace_id=principal.workspace_id,
        purpose=Purpose.ANSWER,
        capabilities=tuple(sorted(principal.capabilities)),
        destinations=(Destination.ASKER,),
        memory_scope=MemoryScope.SESSION,
        policy_version=principal.policy_version,
        issued_at=now,
        expires_at=now + LIFETIME,
        trace_id=trace_id,
    )


def sealed(envelope: Envelope, key: Ed25519PrivateKey) -> str:
    """The envelope as signed text."""
    payload = envelope.model_dump_json()
    signature = base64.b64encode(key.sign(_DOMAIN + payload.encode())).decode("ascii")
    return json.dumps({"payload": payload, "signature": signature})


def opened(
    text: str, keys: Mapping[str, Ed25519PublicKey], *, asker_id: int, workspace_id: int, trace_id: str, now: datetime
) -> Envelope | EnvelopeFault:
    """The envelope, where one of the keys signed it, for exactly this asker, workspace and run, and it has not expired.

    Nothing of it is read before its signature holds.
    """
    if not text:
        return EnvelopeFault.MISSING
    found = _verified(text, keys)
    if found is None:
        return EnvelopeFault.TAMPERED
    meant = (found.principal_id, found.workspace_id, found.trace_id) == (asker_id, workspace_id, trace_id)
    if not meant or found.acting != found.principal:
        return EnvelopeFault.FOREIGN
    return found if found.issued_at <= now < found.expires_at else EnvelopeFault.EXPIRED


def _verified(text: str, keys: Mapping[str, Ed25519PublicKey]) -> Envelope | None:
    try:
        parts = json.loads(text)
        payload, signature = str(parts["payload"]), base64.b64decode(parts["signature"], validate=True)
        if not any(_signed(key, _DOMAIN + payload.encode(), signature) for key in keys.values()):
            return None
        return Envelope.model_validate_json(payload)
    except (ValueError, KeyError, TypeError, binascii.Error, ValidationError):
        return None


def _signed(key: Ed25519PublicKey, content: bytes, signature: bytes) -> bool:
    try:
        key.verify(signature, content)
    except InvalidSignature:
        return False
    return True
