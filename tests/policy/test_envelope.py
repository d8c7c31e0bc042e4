"""A run's authority in its envelope: what was signed holds, and whatever was done to it does not."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from dataagent.policy.envelope import LIFETIME, Envelope, EnvelopeFault, envelope_of, opened, sealed
from dataagent.policy.principal import Capability, Principal

NOW = datetime(2025, 6, 18, 12, tzinfo=UTC)
KEY = Ed25519PrivateKey.generate()
KEYS = {"k": KEY.public_key()}
ASKER = Principal(
    user="analyst",
    workspace="shop",
    workspace_id=1,
    roles=("analyst",),
    capabilities=frozenset({Capability.ASK, Capability.QUERY}),
    user_id=7,
    policy_version="1@abc",
)
TEXT = sealed(envelope_of(ASKER, "run-1", now=NOW), KEY)


def opens(
    text: str = TEXT, asker_id: int = 7, workspace_id: int = 1, trace_id: str = "run-1", now: datetime = NOW
) -> Envelope | EnvelopeFault:
    return opened(text, KEYS, asker_id=asker_id, workspace_id=workspace_id, trace_id=trace_id, now=now)


def changed(old: str, new: str) -> str:
    parts = json.loads(TEXT)
    assert old in parts["payload"]
    return json.dumps({**parts, "payload": parts["payload"].replace(old, new)})


def test_what_was_signed_opens_and_says_all_that_it_was_given() -> None:
    found = opens()
    assert isinstance(found, Envelope)
    assert (found.principal, found.acting, found.workspace, found.trace_id) == ("analyst", "analyst", "shop", "run-1")
    assert found.capabilities == (Capability.ASK, Capability.QUERY)
    assert found.expires_at == NOW + LIFETIME


@pytest.mark.parametrize(
    "attack",
    [
        lambda: changed('"principal_id":7', '"principal_id":1'),
        lambda: changed('["ask","query"]', '["administer","ask","query"]'),
        lambda: changed("2025-06-18T13", "2035-06-18T13"),
        lambda: changed('"workspace_id":1', '"workspace_id":2'),
        lambda: sealed(envelope_of(ASKER, "run-1", now=NOW), Ed25519PrivateKey.generate()),
        lambda: json.dumps({"payload": json.loads(TEXT)["payload"], "signature": ""}),
        lambda: json.dumps({"payload": json.loads(TEXT)["payload"]}),
        lambda: "[]",
        lambda: "no json",
        lambda: json.dumps({"payload": "{}", "signature": "é"}),
    ],
)
def test_whatever_was_changed_or_signed_by_others_does_not_open(attack: Callable[[], str]) -> None:
    assert opens(attack()) is EnvelopeFault.TAMPERED


def test_a_receipt_signed_with_the_same_key_is_no_authority() -> None:
    payload = json.loads(TEXT)["payload"]
    signature = base64.b64encode(KEY.sign(payload.encode())).decode()
    assert opens(json.dumps({"payload": payload, "signature": signature})) is EnvelopeFault.TAMPERED


def test_an_authority_of_another_run_person_or_workspace_is_foreign() -> None:
    assert opens(trace_id="run-2") is EnvelopeFault.FOREIGN
    assert opens(asker_id=1) is EnvelopeFault.FOREIGN
    assert opens(workspace_id=2) is EnvelopeFault.FOREIGN


def test_an_authority_ends_and_is_not_good_before_it_was_given() -> None:
    assert isinstance(opens(now=NOW + LIFETIME - timedelta(seconds=1)), Envelope)
    assert opens(now=NOW + LIFETIME) is EnvelopeFault.EXPIRED
    assert opens(now=NOW - timedelta(seconds=1)) is EnvelopeFault.EXPIRED


def test_a_run_without_an_authority_has_none() -> None:
    assert opens("") is EnvelopeFault.MISSING


def test_what_was_granted_later_or_taken_meanwhile_is_not_in_what_the_run_may() -> None:
    found = opens()
    assert isinstance(found, Envelope)
    now = replace(ASKER, capabilities=frozenset({Capability.ASK, Capability.EXPORT}))
    assert found.narrowed(now).capabilities == {Capability.ASK}
