"""Nothing of one workspace opens from another, whatever a person may do there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from catalog.wordchanges import ChangeKind, TargetKind, WordChange
from dataagent.accounts import service as accounts
from dataagent.policy import service as policy
from dataagent.policy.principal import Capability
from dataagent.runs import service as runs
from evals import service as evals
from evals.service import registry
from tests.demo.conftest import Asking
from tests.demo.test_proof import signed_in

TABLE, METRIC, DIMENSION = "warehouse.fct_tickets", "tickets", "ticket_priority"

NOWHERE = "api-nowhere"
"""The API's answer to addresses that lead nowhere."""
BODY = {"choice": 0, "option": 1, "slot": "caveats", "text": "Bots are left out."}
BODIES = {
    "access-decide": {"verdict": "decline", "reason": "not now"},
    "api-access-decide": {"verdict": "decline", "reason": "not now"},
    "api-card-propose": {"slot": "caveats", "text": "Bots are left out."},
    "api-proposal-reject": {"reason": "Bots are left in."},
    "api-word-reject": {"reason": "Nobody says so."},
    "api-word-withdraw": {"reason": "Nobody says so."},
    "api-run-choose": {"option": 1},
}
"""Of the addresses of the API that take a body: they refuse any field that they do not know."""


def with_parameters(patterns: list[URLPattern | URLResolver]) -> dict[str, tuple[str, ...]]:
    """The parameters of each named address that has any."""
    found: dict[str, tuple[str, ...]] = {}
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            found |= with_parameters(pattern.url_patterns)
        elif pattern.pattern.converters:
            found[str(pattern.name)] = tuple(pattern.pattern.converters)
    return found


ROUTES = {name: given for name, given in with_parameters(get_resolver().url_patterns).items() if name != NOWHERE}


@pytest.fixture(scope="module")
def things(ask: Asking) -> dict[str, Any]:
    """One of everything in the demo that an address can name, made by its administrator."""
    run = ask("admin", "tickets last month")
    edited = signed_in("admin").post(f"/cards/{TABLE}/edit/caveats/", {"text": "Bots are left out."})
    evaluator = policy.principal("admin", "demo")
    word = WordChange(kind=ChangeKind.SYNONYM, word="helpdesk cases", target_kind=TargetKind.METRIC, target=METRIC)
    proposed = runs.propose_word(evaluator, word)
    whole = registry.read(registry.source("demo"))
    eval_run, suite = evals.begin(evaluator, replace(whole, cases=whole.cases[:1]))
    assert len(list(evals.work(evaluator, eval_run, suite))) == 1
    place, admin = accounts.workspace("demo"), accounts.user("admin")
    assert place is not None
    assert admin is not None
    return {
        "token_id": accounts.mint_token(place.id, admin.id, name="of the admin").token.id,
        "run_id": run.id,
        "session_id": run.session_id,
        "table": TABLE,
        "version": 1,
        "slot": "caveats",
        "proposal_id": int(edited["Location"].rstrip("/").rsplit("/", 1)[-1]),
        "request_id": policy.request_access(policy.principal("analyst", "demo"), "the margin").id,
        "word_proposal_id": proposed.id,
        "suite": "demo",
        "eval_run_id": eval_run,
        "case_id": suite.cases[0].id,
    }


@pytest.fixture(scope="module")
def stranger(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of somebody who may do everything in the other workspace."""
    place = accounts.workspace("other")
    assert place is not None
    written = yaml.safe_load(Path("fixtures/policies/other.yaml").read_text(encoding="utf-8"))
    written["roles"]["other_admin"] = written["roles"]["other_team"] | {"capabilities": [c.value for c in Capability]}
    file = tmp_path_factory.mktemp("policy") / "other.yaml"
    file.write_text(yaml.safe_dump(written), encoding="utf-8")
    policy.load_policy(place.id, file)
    accounts.set_member(place.id, accounts.create_user("other_admin").id, roles=("other_admin",))
    return "other_admin"


def address(route: str, things: dict[str, Any]) -> str:
    given = {"name": METRIC if "metric" in route else DIMENSION, **things}
    if "eval-" in route:
        given["run_id"] = things["eval_run_id"]
    if "word-" in route:
        given["proposal_id"] = things["word_proposal_id"]
    return reverse(route, kwargs={name: given[name] for name in ROUTES[route]})


def called(user: str, route: str, things: dict[str, Any]) -> HttpResponse:
    """The response to a request in whichever of the two methods the address takes."""
    client, path, json = signed_in(user), address(route, things), {}
    if route.startswith("api-"):
        json = {"content_type": "application/json"}
        place = "demo" if user == "admin" else "other"
        token = client.post("/api/v1/token", {"username": user, "workspace": place}, **json).json()["token"]
        client = Client(headers={"Authorization": f"Bearer {token}"})
    response = client.get(path)
    return response if response.status_code != 405 else client.post(path, BODIES.get(route, BODY), **json)


@pytest.mark.parametrize("route", sorted(ROUTES))
def test_a_thing_of_another_workspace_looks_like_a_missing_page(
    route: str, things: dict[str, Any], stranger: str
) -> None:
    assert called(stranger, route, things).status_code == 404


@pytest.mark.parametrize("route", sorted(set(ROUTES) - {"eval-start", "api-eval-start"}))
def test_the_same_address_opens_for_those_of_the_workspace(route: str, things: dict[str, Any]) -> None:
    assert called("admin", route, things).status_code != 404


def test_the_stranger_has_pages_of_their_own(stranger: str, demo: Path) -> None:
    client = signed_in(stranger)
    assert [client.get(p).status_code for p in ("/ask/", "/catalog/", "/cards/", "/words/", "/evals/", "/audit/")] == [
        200
    ] * 6
