"""The API as a program meets it."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient

from dataagent.accounts import service as accounts
from dataagent.runs import service
from dataagent.runs.service.working import claim_and_work
from tests.api.conftest import Caller
from tests.runs.people import SECRET, FakeWorld, answered, asked_back

People = Callable[..., Caller]


def asked(caller: Caller, world: FakeWorld | None = None) -> dict[str, Any]:
    """A run after a worker has had it, as the API shows it."""
    started = caller.post("runs", {"question": "net revenue", "today": "2025-06-18"})
    assert started.status_code == 202, started.content
    claim_and_work("w", (world or FakeWorld(outcome=answered)).machine())
    run: dict[str, Any] = caller.get(f"runs/{started.json()['run_id']}").json()
    return run


def problem(response: Any) -> tuple[int, str]:
    assert response["Content-Type"] == "application/problem+json"
    body = response.json()
    assert body["status"] == response.status_code
    return response.status_code, body["code"]


def test_a_question_is_accepted_and_answered(people: People) -> None:
    analyst = people("analyst")
    run = asked(analyst)
    assert (run["state"], run["decision"], run["ended"]) == ("answered", "answer", True)
    assert run["columns"][0]["type"] == "decimal"
    assert run["sql"] == "SELECT 1"


def test_numbers_keep_every_digit(people: People) -> None:
    analyst = people("analyst")
    run_id = asked(analyst)["run_id"]
    text = analyst.get(f"runs/{run_id}").content.decode()
    assert f"[[{SECRET}]]" in text
    assert json.loads(text, parse_float=Decimal)["rows"] == [[Decimal(SECRET)]]


def test_events_are_polled_after_a_number(people: People) -> None:
    analyst = people("analyst")
    run_id = asked(analyst)["run_id"]
    events = analyst.get(f"runs/{run_id}/events").json()
    assert [e["number"] for e in events] == list(range(1, len(events) + 1))
    assert analyst.get(f"runs/{run_id}/events?after={len(events) - 1}").json() == events[-1:]
    assert problem(analyst.get(f"runs/{run_id}/events?after=-1")) == (422, "invalid_input")


def test_a_clarification_is_chosen_by_its_number(people: People) -> None:
    analyst = people("analyst")
    run = asked(analyst, FakeWorld(outcome=asked_back))
    assert (run["decision"], [o["number"] for o in run["options"]]) == ("clarify", [1, 2])
    assert problem(analyst.post(f"runs/{run['run_id']}/choose", {"option": 3})) == (422, "invalid_input")
    assert analyst.post(f"runs/{run['run_id']}/choose", {"option": 2}).status_code == 202
    claim_and_work("w", FakeWorld(outcome=asked_back).machine())
    assert analyst.get(f"runs/{run['run_id']}").json()["decision"] == "answer"


def test_a_run_is_cancelled(people: People) -> None:
    analyst = people("analyst")
    run_id = analyst.post("runs", {"question": "net revenue"}).json()["run_id"]
    cancelled = analyst.post(f"runs/{run_id}/cancel").json()
    assert (cancelled["state"], cancelled["decision"]) == ("cancelled", "failure")


def test_a_second_question_in_a_busy_conversation_goes_where_its_policy_says(people: People) -> None:
    analyst = people("analyst")
    first = analyst.post("runs", {"question": "net revenue"}).json()
    again = {"question": "orders", "session_id": first["session_id"]}
    assert problem(analyst.post("runs", {**again, "meanwhile": "refuse"})) == (409, "run_active")
    assert problem(analyst.post("runs", {**again, "meanwhile": "perhaps"})) == (422, "invalid_input")
    assert analyst.post("runs", {**again, "meanwhile": "queue"}).json()["state"] == "waiting_for_turn"
    assert analyst.post("runs", {**again, "meanwhile": "redirect"}).json()["state"] == "queued"


def test_the_downloaded_receipt_verifies(people: People) -> None:
    analyst = people("analyst")
    run = asked(analyst)
    file = analyst.get(f"runs/{run['run_id']}/receipt").content
    assert service.check_receipt(file).ok
    assert problem(analyst.get(f"runs/{run['run_id']}/receipt?audience=auditor")) == (403, "not_permitted")


ROUTES = (
    ("get", ""),
    ("get", "/events"),
    ("get", "/stream"),
    ("get", "/receipt"),
    ("post", "/cancel"),
    ("post", "/choose"),
)


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_a_run_of_another_workspace_looks_like_a_missing_one(people: People, method: str, path: str) -> None:
    run_id = asked(people("analyst"))["run_id"]
    stranger = people("analyst", workspace="other")
    body = ({"option": 1},) if path == "/choose" else ()
    theirs = getattr(stranger, method)(f"runs/{run_id}{path}", *body)
    absent = getattr(stranger, method)(f"runs/00000000-0000-4000-8000-000000000000{path}", *body)
    assert problem(theirs) == (404, "not_found")
    assert theirs.content == absent.content


@pytest.mark.parametrize("path", ["runs/x", "catalog/search", "cards", "runs/x/events"])
def test_a_stranger_is_asked_for_a_token(people: People, path: str) -> None:
    response = people("").get(path)
    assert problem(response) == (401, "not_signed_in")
    assert response["WWW-Authenticate"] == "Bearer"


def test_a_wrong_token_opens_nothing(people: People) -> None:
    people("analyst")
    assert problem(Caller("dat_1_wrong").get("cards")) == (401, "not_signed_in")


def test_a_role_without_the_capability_is_refused(people: People) -> None:
    assert problem(people("auditor").post("runs", {"question": "net revenue"})) == (403, "not_permitted")
    assert people("analyst").post("runs", {"question": "net revenue"}).status_code == 202


@pytest.mark.parametrize(
    ("body", "code"), [({}, "invalid_input"), ({"question": " "}, "invalid_input"), ("not json", "invalid_input")]
)
def test_a_bad_request_is_told_in_plain_words(people: People, body: object, code: str) -> None:
    assert problem(people("analyst").post("runs", body)) == (422, code)


def test_demo_users_get_a_token_without_a_password(people: People, settings: Any) -> None:
    settings.DEMO = True
    people("analyst")
    signed_in = people("").post("token", {"username": "analyst_shop", "workspace": "shop"})
    assert signed_in.status_code == 201
    assert Caller(signed_in.json()["token"]).post("runs", {"question": "x"}).status_code == 202


def test_outside_demo_mode_no_account_opens_without_its_password(people: People, settings: Any) -> None:
    settings.DEMO = False
    people("analyst")
    accounts.create_user("keyed", password="a long password")
    place = accounts.workspace("shop")
    account = accounts.user("keyed")
    assert place is not None
    assert account is not None
    accounts.set_member(place.id, account.id, roles=("analyst",))
    refused = [
        people("").post("token", {"username": name, "workspace": slug, "password": password})
        for name, slug, password in (
            ("analyst_shop", "shop", ""),
            ("keyed", "shop", "wrong"),
            ("keyed", "other", "a long password"),
            ("ghost", "shop", "x"),
        )
    ]
    assert {problem(r) for r in refused} == {(401, "not_signed_in")}
    assert len({r.content for r in refused}) == 1
    right = {"username": "keyed", "workspace": "shop", "password": "a long password"}
    assert people("").post("token", right).status_code == 201


def test_an_auditor_reads_a_run_without_its_data(people: People) -> None:
    run_id = asked(people("analyst"))["run_id"]
    seen = people("auditor").get(f"runs/{run_id}")
    assert seen.json()["sql"] == "SELECT 1"
    assert SECRET not in seen.content.decode()


def test_the_api_describes_itself(people: People) -> None:
    text = people("").get("schema", Accept="application/vnd.oai.openapi+json").content.decode()
    paths = json.loads(text)["paths"]
    assert "/api/v1/runs/{run_id}/receipt" in paths
    assert "/api/v1/catalog/search" in paths


@pytest.mark.django_db(transaction=True)
def test_a_stream_goes_on_after_the_last_event_and_ends_with_the_run(people: People) -> None:
    analyst = people("analyst")
    run_id = asked(analyst)["run_id"]
    text = async_to_sync(_streamed)(run_id, {**analyst.headers, "Last-Event-ID": "2", "Accept": "text/event-stream"})
    numbers = [int(line[4:]) for line in text.splitlines() if line.startswith("id: ")]
    assert numbers == list(range(3, numbers[-1] + 1))
    assert "event: finished" in text


async def _streamed(run_id: str, headers: dict[str, str]) -> str:
    response: Any = await AsyncClient().get(f"/api/v1/runs/{run_id}/stream", headers=headers)
    assert response["Content-Type"] == "text/event-stream"
    return b"".join([piece async for piece in response.streaming_content]).decode()
