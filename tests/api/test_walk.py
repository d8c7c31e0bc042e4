"""Every route of the description, walked by everyone with ids that name nothing: no surprise comes back."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.conftest import Caller
from tests.api.description import PREFIX, Route, description, faults, routes

Cast = Callable[..., Caller]
WHO = {
    "analyst": ("analyst", "shop"),
    "other_team": ("analyst", "other"),
    "nobody": ("nobody", "shop"),
    "anonymous": ("", "shop"),
    "curator": ("curator", "shop"),
    "auditor": ("auditor", "shop"),
    "admin": ("admin", "shop"),
    "evaluator": ("evaluator", "shop"),
}
STRANGE = ("x", "0", "9" * 30, "\0", "ünï", "' OR 1=1 --", "%00", "{}", "-1", "a" * 3000)
IDS = st.one_of(st.uuids().map(str), st.sampled_from(STRANGE), st.text(min_size=1, max_size=12))
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-3, 2**70), st.text(max_size=9)),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(st.text(max_size=4), inner, max_size=2)),
    max_leaves=4,
)


def bodies(route: Route) -> st.SearchStrategy[Any]:
    """Anything, and objects with the right names and any values."""
    schema = route.body_schema()
    if schema is None:
        return st.just({})
    part = description()["components"]["schemas"][schema["$ref"].rsplit("/", maxsplit=1)[-1]]
    named = st.fixed_dictionaries({}, optional=dict.fromkeys(part["properties"], JSON))
    return st.one_of(named, JSON)


def key(route: Route) -> str:
    return f"{route.method} {route.path.removeprefix(PREFIX)}"


@pytest.mark.parametrize("name", WHO)
def test_every_answer_to_any_id_is_one_that_the_description_promises(cast: Cast, name: str) -> None:
    caller = cast(*WHO[name])
    for route in routes():
        if route.path.endswith("/token/revoke"):
            continue
        _walk(route, caller)


def _walk(route: Route, caller: Caller) -> None:
    free = bool(route.parameters() or route.questions()) or route.body_schema() is not None

    @settings(
        max_examples=5 if free else 1,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def answered(data: Any) -> None:
        values = {p: quote(data.draw(IDS), safe="") for p in route.parameters()}
        if any("%2F" in v or v in {".", ".."} for v in values.values()):
            return  # a slash makes another address
        asked = urlencode({q: data.draw(IDS) for q in route.questions()})
        response = caller.send(route.method, f"{route.address(values)}?{asked}", json.dumps(data.draw(bodies(route))))
        assert faults(route, response) == [], (key(route), values)

    answered()


def test_the_walk_would_notice_an_answer_that_was_not_promised(cast: Cast) -> None:
    by_key = {key(route): route for route in routes()}
    me = cast("analyst").get("me")
    assert faults(by_key["get me"], me) == []
    assert faults(by_key["get cards"], me) != []
    assert faults(by_key["get me"], cast("analyst").get("metrics")) != []
    me.status_code = 404
    assert faults(by_key["get me"], me) != []
