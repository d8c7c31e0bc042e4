"""Streams that stay open while the access of whoever listens ends: nothing that happens later is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient
from django.utils import timezone

from dataagent.accounts import service as accounts
from dataagent.accounts.models import User, Workspace
from dataagent.runs.service.working import claim_and_work
from tests.api.conftest import Caller
from tests.open_streams import after_taking, be_nothing, leave
from tests.runs.people import FakeWorld, answered

pytestmark = pytest.mark.django_db(transaction=True)
People = Callable[..., Caller]
PROBLEM = "event: problem"


def revoke_tokens(name: str, workspace: str) -> None:
    place, who = Workspace.objects.get(slug=workspace).pk, User.objects.get(username=name).pk
    for token in accounts.tokens(place, who):
        accounts.revoke_token(place, who, token.id, now=timezone.now())


@pytest.mark.parametrize("attack", [leave, revoke_tokens, be_nothing])
def test_a_stream_of_the_api_ends_within_a_second_of_the_access(people: People, attack: Any) -> None:
    analyst = people("analyst")
    run_id = analyst.post("runs", {"question": "net revenue"}).json()["run_id"]
    headers = {**analyst.headers, "Accept": "text/event-stream"}
    took, text = async_to_sync(after_taking)(
        AsyncClient(), f"/api/v1/runs/{run_id}/stream", headers, lambda: attack("analyst_shop", "shop")
    )
    assert took < 1.5  # a second, and a busy machine
    assert PROBLEM in text
    assert "event: finished" not in text


def test_a_stream_of_the_api_goes_on_where_nothing_is_taken(people: People) -> None:
    analyst = people("analyst")
    run_id = analyst.post("runs", {"question": "net revenue"}).json()["run_id"]
    headers = {**analyst.headers, "Accept": "text/event-stream"}
    _, text = async_to_sync(after_taking)(
        AsyncClient(),
        f"/api/v1/runs/{run_id}/stream",
        headers,
        lambda: claim_and_work("w", FakeWorld(outcome=answered).machine()),
    )
    assert "event: finished" in text
    assert PROBLEM not in text
