"""A workspace with a policy, and browsers signed in as people of the cast."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client
from hypothesis import HealthCheck, settings

from dataagent.accounts import service as accounts
from dataagent.policy import service as policy

POLICY = """
version: "1"
roles:
  analyst:
    capabilities: [sign_in, ask, query, read_catalog, read_cards, read_own_runs]
    metrics: {allow: "*"}
    tables: {}
  exporter:
    capabilities: [sign_in, ask, query, read_catalog, read_own_runs, export]
    metrics: {allow: "*"}
    tables: {}
  auditing_exporter:
    capabilities: [sign_in, read_own_runs, read_all_runs, export]
    metrics: {allow: "*"}
    tables: {}
  auditor:
    capabilities: [sign_in, read_catalog, read_own_runs, read_all_runs, verify_audit]
    metrics: {allow: []}
    tables: {}
  nobody:
    capabilities: []
    metrics: {allow: []}
    tables: {}
"""
Browsers = Callable[..., Client]

# A busy machine is no finding.
settings.register_profile("calm", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("calm")


@pytest.fixture
def browser(db: None, tmp_path: Path) -> Browsers:
    """Makes a signed-in client: `browser("analyst")`, `browser("analyst", "other")`, `browser("")` for a stranger."""
    file = tmp_path / "policy.yaml"
    file.write_text(POLICY, encoding="utf-8")
    for slug in ("demo", "other"):
        policy.load_policy(accounts.create_workspace(slug, name=slug.title()).id, file)

    def signed_in(role: str, workspace: str = "demo") -> Client:
        client = Client()
        if role:
            place = accounts.workspace(workspace)
            assert place is not None
            name = role if workspace == "demo" else f"{role}_{workspace}"
            account = accounts.user(name) or accounts.create_user(name)
            accounts.set_member(place.id, account.id, roles=(role,))
            assert client.post("/sign-in/demo/", {"username": name}).status_code == 302
        return client

    return signed_in
