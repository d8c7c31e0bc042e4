"""Another site's page in the browser of somebody who is signed in can do nothing with their session."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import URLPattern

from frontend.urls import urlpatterns as pages
from tests.api.conftest import Caller
from tests.api.description import Route, routes

Cast = Callable[..., Caller]
EVERYTHING = ("analyst", "curator", "admin", "auditor", "evaluator")


@pytest.fixture
def victim(cast: Cast) -> Client:
    """The browser of somebody who may do everything."""
    cast("everyone", "shop", EVERYTHING)
    client = Client(enforce_csrf_checks=True)
    client.get("/sign-in/")
    token = client.cookies["csrftoken"].value
    entered = client.post("/sign-in/demo/", {"username": "everyone_shop", "csrfmiddlewaretoken": token})
    assert entered.status_code == 302
    return client


def address(template: str) -> str:
    return re.sub(r"[<{](?:(\w+):)?\w+[>}]", lambda found: "1" if found[1] == "int" else "x", template)


def test_no_page_takes_a_form_that_did_not_come_from_us(victim: Client) -> None:
    taken = {}
    for pattern in pages:
        assert isinstance(pattern, URLPattern)
        response = victim.post(f"/{address(str(pattern.pattern))}", {"question": "orders", "choice": "0"})
        if "This form has expired" not in response.content.decode():
            taken[str(pattern.pattern)] = response.status_code
    assert taken == {}


def test_a_form_of_ours_is_taken_and_one_from_another_origin_is_not(victim: Client) -> None:
    form = {"question": "orders", "csrfmiddlewaretoken": victim.cookies["csrftoken"].value}
    assert victim.post("/ask/", form, headers={"Origin": "https://evil.example"}).status_code == 403
    assert victim.post("/ask/", form, headers={"Origin": "null"}).status_code == 403
    assert victim.post("/ask/", form).status_code == 302


def test_the_api_takes_a_session_for_nobody(victim: Client) -> None:
    def status(route: Route) -> int:
        kind = "application/json"
        answer = (
            victim.get(address(route.path)) if route.method == "get" else victim.post(address(route.path), {}, kind)
        )
        return answer.status_code

    told = {f"{r.method} {r.path}": status(r) for r in routes() if not r.path.endswith("/token")}
    assert {name for name, code in told.items() if code != 401} == set()
    assert len(told) > 40


def test_the_api_lets_no_other_site_read_its_answers(victim: Client) -> None:
    asked = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    for response in (victim.options("/api/v1/runs", headers=asked), victim.get("/api/v1/me", headers=asked)):
        assert not [name for name in response.headers if name.lower().startswith("access-control-")]
