"""A page leads only to pages that are there for its reader."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.test import Client

LINK = re.compile(r'href="(/cards/[^"]+/)"')


@pytest.mark.parametrize(("user", "has_cards"), [("other_team", False), ("analyst", True)])
def test_a_metrics_page_leads_only_to_cards_that_open(demo: Path, user: str, has_cards: bool) -> None:
    client = Client()
    assert client.post("/sign-in/demo/", {"username": user}).status_code == 302
    names = set(re.findall(r'href="(/catalog/metrics/[^"]+/)"', client.get("/catalog/").content.decode()))
    assert names
    pages = [client.get(name) for name in sorted(names)]
    assert {page.status_code for page in pages} == {200}
    cards = {link for page in pages for link in LINK.findall(page.content.decode())}
    assert {client.get(link).status_code for link in cards} == ({200} if has_cards else set())
