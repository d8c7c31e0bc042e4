"""What is too large is refused in one sentence, and is never held."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.test import Client

from dataagent.body_limit import limited
from tests.api.conftest import people  # noqa: F401 (a fixture)
from tests.frontend.conftest import browser  # noqa: F401 (a fixture)

LIMIT = 10
TOO_MUCH = "x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)


def passed_on(parts: list[bytes], headers: list[tuple[bytes, bytes]]) -> tuple[bytes, bytes]:
    """The body that arrives behind the limit, and the length that its headers then tell."""
    got: list[tuple[bytes, bytes]] = []

    async def application(scope: Any, receive: Any, _send: Any) -> None:
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message["body"], message.get("more_body", False)
        got.append((body, dict(scope["headers"]).get(b"content-length", b"")))

    waiting = [{"type": "http.request", "body": p, "more_body": n < len(parts)} for n, p in enumerate(parts, start=1)]

    async def receive() -> Any:
        return waiting.pop(0)

    async def send(_message: Any) -> None:
        raise AssertionError("nothing is sent here")

    async_to_sync(limited(application, LIMIT))({"type": "http", "headers": headers}, receive, send)
    assert waiting == [], "the whole body is taken off the line"
    return got[0]


def test_a_body_within_the_limit_arrives_whole() -> None:
    length = [(b"content-length", b"10")]
    assert passed_on([b"01234", b"56789"], length) == (b"0123456789", b"10")


@pytest.mark.parametrize("headers", [[(b"content-length", b"15")], [], [(b"content-length", b"3")]])
def test_a_body_over_the_limit_is_dropped_and_its_length_told(headers: list[tuple[bytes, bytes]]) -> None:
    body, told = passed_on([b"01234", b"56789", b"x", b"more"], headers)
    assert len(body) <= LIMIT
    assert int(told) > LIMIT


def test_a_page_that_is_sent_too_much_answers_in_its_own_words(browser: Any) -> None:  # noqa: F811
    client = browser("analyst")
    refused = client.post("/ask/", {"question": TOO_MUCH})
    assert refused.status_code == 413
    assert "What was sent is larger than this page takes." in refused.content.decode()
    assert 'class="' in refused.content.decode(), "it is the product's own page"
    assert client.post("/ask/", {"question": "net revenue"}).status_code == 302


def test_a_stranger_who_sends_too_much_is_refused_alike(db: None) -> None:
    assert Client(enforce_csrf_checks=True).post("/sign-in/", {"username": TOO_MUCH}).status_code == 413


def test_the_api_that_is_sent_too_much_answers_with_a_problem(people: Any) -> None:  # noqa: F811
    analyst = people("analyst")
    refused = analyst.post("runs", {"question": TOO_MUCH})
    assert (refused.status_code, refused.json()["code"]) == (413, "too_large")
    assert refused["Content-Type"] == "application/problem+json"
    assert analyst.post("runs", {"question": "net revenue"}).status_code == 202


@pytest.mark.parametrize(("day", "status"), [("0001-01-01", 422), ("9999-12-31", 422), ("2025-06-18", 202)])
def test_a_day_out_of_range_is_said_so(people: Any, day: str, status: int) -> None:  # noqa: F811
    answer = people("analyst").post("runs", {"question": "net revenue", "today": day})
    assert answer.status_code == status
    if status == 422:
        assert "must lie between" in answer.json()["title"]


@pytest.mark.django_db(transaction=True)
def test_a_body_in_pieces_without_a_length_is_refused_by_the_whole_application() -> None:
    parts = [b"x" * 400_000] * 4
    waiting = [{"type": "http.request", "body": p, "more_body": n < 4} for n, p in enumerate(parts, start=1)]
    sent: list[Any] = []

    async def receive() -> Any:
        if not waiting:
            await asyncio.Event().wait()  # the client stays and waits for its answer
        return waiting.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "path": "/api/v1/token",
        "query_string": b"",
        "headers": [(b"host", b"localhost"), (b"content-type", b"application/json")],
    }
    application = limited(get_asgi_application(), settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
    async_to_sync(application)(scope, receive, send)
    assert sent[0]["status"] == 413
    assert json.loads(sent[1]["body"])["code"] == "too_large"
