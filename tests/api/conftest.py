"""A workspace with a policy, people with tokens, and a client that speaks for them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from dataagent.accounts import service as accounts
from dataagent.policy import service as policy
from tests.api.shop import open_shops

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
  auditor:
    capabilities: [sign_in, read_own_runs, read_all_runs, verify_audit]
    metrics: {allow: []}
    tables: {}
"""


class Caller:
    """A client with a token."""

    def __init__(self, token: str) -> None:
        self._client = Client()
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def get(self, path: str, **headers: str) -> Any:
        return self._client.get(f"/api/v1/{path}", headers={**self.headers, **headers})

    def send(self, method: str, path: str, body: object = None) -> Any:
        """A request as a description of the API would have it made."""
        return self.post(path, body) if method == "post" else self.get(path)

    def post(self, path: str, body: object = None) -> Any:
        return self._client.post(
            f"/api/v1/{path}", data=body or {}, content_type="application/json", headers=self.headers
        )


def caller(role: str, workspace: str = "shop", roles: tuple[str, ...] | None = None) -> Caller:
    """A caller with that role in that workspace; a stranger without a role."""
    if not role:
        return Caller("")
    place = accounts.workspace(workspace)
    assert place is not None
    name = f"{role}_{workspace}"
    account = accounts.user(name) or accounts.create_user(name)
    accounts.set_member(place.id, account.id, roles=(role,) if roles is None else roles)
    return Caller(accounts.mint_token(place.id, account.id, name="test").plain)


@pytest.fixture
def people(db: None, tmp_path: Path) -> Callable[..., Caller]:
    """Makes a caller: `people("analyst")`, `people("analyst", workspace="other")`, `people("")` for a stranger."""
    file = tmp_path / "policy.yaml"
    file.write_text(POLICY, encoding="utf-8")
    for slug in ("shop", "other"):
        policy.load_policy(accounts.create_workspace(slug, name=slug).id, file)
    return caller


@pytest.fixture
def cast(db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Caller]:
    """As `people`, in two shops with a catalog, cards and suites, and with every role."""
    open_shops(tmp_path, monkeypatch)
    return caller
