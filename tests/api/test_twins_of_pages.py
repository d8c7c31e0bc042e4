"""Everything a page can do, the API can do: each page stands beside its routes, under the same capability."""

from __future__ import annotations

import re

from django.urls import URLPattern, get_resolver

from frontend.urls import urlpatterns as pages
from tests.api.description import PREFIX, routes
from tests.architecture.test_doors import addresses, capability_of

TWINS: dict[str, tuple[str, ...]] = {
    "ask": ("POST runs",),
    "complete": ("POST complete",),
    "sign-in": ("POST token",),
    "sign-in-demo": ("POST token",),
    "sign-out": ("POST token/revoke",),
    "workspace": ("GET me", "POST token"),
    "conversation": ("GET conversations/{session_id}", "GET conversations"),
    "run": ("GET runs/{run_id}",),
    "events": ("GET runs/{run_id}/events", "GET runs/{run_id}/stream"),
    "choose": ("POST runs/{run_id}/choose",),
    "cancel": ("POST runs/{run_id}/cancel",),
    "receipt": ("GET runs/{run_id}/audiences", "GET runs/{run_id}/receipt"),
    "receipt-file": ("GET runs/{run_id}/receipt",),
    "result-file": ("GET runs/{run_id}/result.csv",),
    "account": ("GET me",),
    "access": ("GET access/own", "POST access/request"),
    "access-as": ("GET access/as",),
    "access-waiting": ("GET access/waiting",),
    "access-decide": ("POST access/requests/{request_id}/decide",),
    "operate": ("GET operate/runs",),
    "operate-act": ("POST operate/act",),
    "audit": ("GET audit/entries", "POST audit/verify"),
    "catalog": ("GET catalog/search",),
    "metric": ("GET catalog/metrics/{name}", "GET catalog/metrics/{name}/explanation"),
    "dimension": ("GET catalog/dimensions/{name}",),
    "cards": ("GET cards",),
    "proposal": ("GET proposals/{proposal_id}",),
    "proposal-publish": ("POST proposals/{proposal_id}/publish",),
    "proposal-reject": ("POST proposals/{proposal_id}/reject",),
    "card": ("GET cards/{table}",),
    "card-version": ("GET cards/{table}/versions/{version}",),
    "card-edit": ("POST cards/{table}/proposals",),
    "words": ("GET words/open", "GET words/proposals"),
    "word-teach": ("GET words/meant", "POST words/propose"),
    "word-proposal": ("GET words/proposals/{proposal_id}",),
    "word-publish": ("POST words/proposals/{proposal_id}/publish",),
    "word-reject": ("POST words/proposals/{proposal_id}/reject",),
    "word-withdraw": ("POST words/proposals/{proposal_id}/withdraw",),
    "evals": ("GET evals/suites", "GET evals/runs"),
    "eval-start": ("POST evals/suites/{suite}/start",),
    "eval-run": ("GET evals/runs/{run_id}",),
    "eval-case": ("GET evals/runs/{run_id}/cases/{case_id}",),
}
WITHOUT = {
    "home": "leads to the first page that is open",
    "theme": "colours of a page",
    "account-password": "passwords are changed by people in a browser",
    "account-end": "ends what people have left signed in, and the tokens too",
    "account-token": "a token makes no tokens: a stolen one would live on in them",
    "account-token-end": "a program ends its own token with token/revoke",
}
"""Pages that show nothing and do nothing that a program could want, or should be able to."""
ALSO = {"GET proposals"}
"""Routes whose page is a part of another: the open proposals stand on the page of the cards, for curators."""


def by_page() -> dict[str, object]:
    """The capability of each page by its name."""
    return {str(p.name): capability_of(p.callback) for p in pages if isinstance(p, URLPattern)}


def by_route() -> dict[str, object]:
    """The capability of each route by method and address."""
    views = {re.sub(r"<\w+:(\w+)>", r"{\1}", path): view for path, view in addresses(get_resolver().url_patterns)}
    return {
        f"{r.method.upper()} {r.path.removeprefix(PREFIX)}": capability_of(views[r.path.removeprefix("/")])
        for r in routes()
    }


def test_every_page_has_its_routes_or_a_reason_to_have_none() -> None:
    assert set(by_page()) == set(TWINS) | set(WITHOUT)
    assert not set(TWINS) & set(WITHOUT)


def test_every_route_is_the_twin_of_a_page() -> None:
    assert {route for twins in TWINS.values() for route in twins} | ALSO == set(by_route())


def test_a_page_and_its_routes_need_the_same_capability() -> None:
    open_to_all = {"sign-in", "sign-in-demo", "sign-out", "workspace"}
    found = by_route()
    different = {
        (page, route): (needed, found[route])
        for page, needed in by_page().items()
        for route in TWINS.get(page, ())
        if page not in open_to_all and found[route] != needed
    }
    assert different == {}
