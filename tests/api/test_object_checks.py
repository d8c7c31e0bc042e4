"""What lies in one workspace is as absent from another as what never was, at every address that takes an id."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern

from dataagent.accounts import service as accounts
from frontend.urls import urlpatterns as pages
from tests.api.conftest import Caller
from tests.api.description import PREFIX, routes
from tests.api.shop import ORDERS
from tests.api.test_pages_twin import TURNOVER, asked, eval_finished, good, proposed
from tests.runs.people import SECRET

Cast = Callable[..., Caller]
EVERYTHING = ("analyst", "curator", "admin", "auditor", "evaluator")
ABSENT = "00000000-0000-4000-8000-000000000000"
NUMBERS = {"proposal_id", "request_id", "version", "token_id"}
BOTH_HAVE = {"table": ORDERS, "slot": "purpose", "case_id": "one"}
"""Parts of addresses that name something in every workspace."""
FORM = {"text": "x", "slot": "purpose", "choice": "0", "option": "1", "verdict": "decline", "reason": "x", "note": "x"}
FIELDS = (
    *("question", "session", "choice", "workspace", "theme", "note", "run", "verdict", "role", "days", "reason"),
    *("text", "slot", "word", "kind", "target", "target_kind", "name", "old", "new", "again", "username", "password"),
    *("next", "q", "chart", "for", "state", "after"),
)
Ids = dict[tuple[str, str], str]


@pytest.fixture
def ids(cast: Cast) -> Ids:
    """An id of each kind that only the shop has, by the first part of the address and the parameter's name."""
    for slug in ("shop", "other"):
        cast("everyone", slug, EVERYTHING)
        cast("evaluator", slug)
    everyone, curator = cast("everyone", "shop", EVERYTHING), cast("curator")
    run = asked(everyone)
    good(curator.post(f"proposals/{proposed(curator)['id']}/publish", {"note": "x"}))
    word = good(curator.post("words/propose", TURNOVER), 201)
    request = good(cast("analyst").post("access/request", {"note": "margin"}), 201)
    mine = accounts.member("everyone_shop", "shop")
    assert mine is not None
    return {
        ("runs", "run_id"): run["run_id"],
        ("conversations", "session_id"): run["session_id"],
        ("evals", "run_id"): eval_finished("shop"),
        ("evals", "suite"): "shop",
        ("cards", "proposal_id"): str(proposed(curator, "Another text.")["id"]),
        ("cards", "version"): "2",
        ("words", "proposal_id"): str(word["id"]),
        ("access", "request_id"): str(request["id"]),
        ("catalog", "name"): "shop_orders",
        ("account", "token_id"): str(accounts.mint_token(mine.workspace.id, mine.account.id, name="x").token.id),
    }


def filled(template: str, ids: Ids, *, real: bool) -> str:
    """The address with ids of the shop, or with such that nobody has."""
    place = template.removeprefix(PREFIX).lstrip("/").split("/")[0].replace("proposals", "cards")

    def part(found: re.Match[str]) -> str:
        name = found[1]
        if name in BOTH_HAVE:
            return BOTH_HAVE[name]
        if real:
            return ids.get((place, name), "region")
        return "987654321" if name in NUMBERS else ABSENT

    return re.sub(r"[<{](?:\w+:)?(\w+)[>}]", part, template)


def page_templates() -> Iterator[str]:
    for pattern in pages:
        if (
            isinstance(pattern, URLPattern)
            and set(pattern.pattern.regex.groupindex) - set(BOTH_HAVE)
            and (
                pattern.name != "dimension"  # both shops have the same ones
            )
        ):
            yield f"/{pattern.pattern}"


def plain(response: Any, ids: Ids) -> tuple[int, str, str]:
    """Status, words and where it leads, without form tokens and the ids themselves."""
    body = getattr(response, "content", b"").decode("utf-8", "replace")
    body = re.sub(r'value="[A-Za-z0-9]{64}"', "", body)
    body = re.sub(rf'(&quot;|\\?")(shop|{ABSENT})(&quot;|\\?")', "", body)
    for known in (*ids.values(), ABSENT, "987654321"):
        body = body.replace(known, "") if len(known) > 5 else body
    return response.status_code, body, response.headers.get("Location", "")


def test_every_page_with_an_id_answers_for_a_foreign_one_as_for_a_missing_one(ids: Ids) -> None:
    stranger = Client()
    stranger.post("/sign-in/demo/", {"username": "everyone_other"})
    different = []
    for template in page_templates():
        for send in (stranger.get, lambda at: stranger.post(at, FORM)):
            theirs, missing = (send(filled(template, ids, real=real)) for real in (True, False))
            if plain(theirs, ids) != plain(missing, ids) or SECRET in str(theirs.content):
                different.append((template, theirs.status_code, missing.status_code))
            if theirs.status_code not in {404, 405}:
                different.append((template, theirs.status_code, missing.status_code))
    assert different == []


def test_every_route_with_an_id_answers_for_a_foreign_one_as_for_a_missing_one(cast: Cast, ids: Ids) -> None:
    stranger = cast("everyone", "other", EVERYTHING)
    different = []
    for route in routes():
        if not set(route.parameters()) - set(BOTH_HAVE) or "dimensions" in route.path:
            continue
        told = []
        for real in (True, False):
            address = filled(route.path, ids, real=real).removeprefix(PREFIX)
            told.append(stranger.send(route.method, address, body_of(route)))
        if plain(told[0], ids) != plain(told[1], ids) or told[0].status_code != 404:
            different.append((route.method, route.path, told[0].status_code, told[1].status_code, told[0].content[:90]))
    assert different == []


def body_of(route: Any) -> dict[str, Any]:
    """A body that the route takes."""
    names = (route.body_schema() or {}).get("$ref", "")
    given: dict[str, dict[str, Any]] = {
        "Choice": {"option": 1},
        "Decided": {"verdict": "decline", "reason": "x"},
        "Review": {"note": "x"},
    }
    return next((body for name, body in given.items() if names.endswith(f"/{name}")), {})


def test_the_own_workspace_finds_what_the_other_does_not(cast: Cast, ids: Ids) -> None:
    mine, me = Client(), cast("everyone", "shop", EVERYTHING)
    mine.post("/sign-in/demo/", {"username": "everyone_shop"})
    pages_found = {t: mine.get(filled(t, ids, real=True)).status_code for t in page_templates()}
    assert {t for t, status in pages_found.items() if status == 404} == set()
    named = [r for r in routes() if set(r.parameters()) - set(BOTH_HAVE) and "dimensions" not in r.path]
    read = [r for r in named if r.method == "get"]
    found = {r.path: me.get(filled(r.path, ids, real=True).removeprefix(PREFIX)).status_code for r in read}
    assert {path for path, status in found.items() if status == 404} == set()


def test_an_id_in_a_form_or_a_body_is_looked_up_in_the_own_workspace_alone(cast: Cast, ids: Ids) -> None:
    stranger, page = cast("everyone", "other", EVERYTHING), Client()
    page.post("/sign-in/demo/", {"username": "everyone_other"})
    session, run = ids["conversations", "session_id"], ids["runs", "run_id"]
    asked_in = [stranger.post("runs", {"question": "orders", "session_id": at}) for at in (session, ABSENT)]
    on_page = [page.post("/ask/", {"question": "orders", "session": at}) for at in (session, ABSENT)]
    audited = [page.get(f"/audit/?run={at}") for at in (run, ABSENT)]
    for theirs, missing in (asked_in, on_page, audited):
        assert plain(theirs, ids) == plain(missing, ids)
        assert theirs.status_code == 404
    own = cast("everyone", "shop", EVERYTHING)
    assert own.post("runs", {"question": "orders", "session_id": session}).status_code == 202


@pytest.mark.parametrize("bad", ["\0", "x\0y", "x" * 50_000])
def test_no_text_in_a_form_or_behind_an_address_breaks_a_page(ids: Ids, bad: str) -> None:
    mine = Client(raise_request_exception=False)
    mine.post("/sign-in/demo/", {"username": "everyone_shop"})
    choices = ({}, {"verdict": "grant", "days": "3"}, {"target_kind": "metric", "target": "shop_amount"})
    broken = []
    for pattern in pages:
        address = filled(f"/{pattern.pattern}", ids, real=True)
        if "sign-out" in address or address == "/account/end/":
            continue
        answers = [mine.post(address, {**dict.fromkeys(FIELDS, bad), **chosen}) for chosen in choices]
        answers.append(mine.get(address, dict.fromkeys(FIELDS, bad[:2000])))
        broken += [(address, answer.status_code) for answer in answers if answer.status_code >= 500]
    assert broken == []
