"""Our own description of the API turned against it: requests made from it, right and wrong, find no fault, no leak."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote, urlencode

import pytest
import schemathesis
from django.conf import settings as product
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.core import NotSet

from dataagent.runs.service.working import claim_and_work
from tests.api.conftest import Caller
from tests.api.description import Route, description, faults, routes
from tests.runs.people import SECRET, FakeWorld, answered

Cast = Callable[..., Caller]
WITHIN = ("Traceback", "psycopg", "django.", 'File "', str(product.BASE_DIR), str(product.HOME), product.SECRET_KEY)
"""What stands in no answer whatever is asked, and by whom."""
OF_THE_SHOP = (SECRET, "shop_orders", "shop_amount", "_shop", "Shop")
"""What stands in no answer to somebody of the other workspace."""
MODES = {"POSITIVE", "NEGATIVE"}
NOT_FUZZED = {"post /api/v1/token/revoke"}
"""What would end the token that the next request carries."""


@pytest.fixture
def shop_run(cast: Cast) -> str:
    """An answered run of the shop, with a cell that only its asker may see."""
    run: str = cast("analyst").post("runs", {"question": "orders", "today": "2025-06-18"}).json()["run_id"]
    claim_and_work("w", FakeWorld(outcome=answered).machine())
    return run


def operations() -> Iterator[Any]:
    for found in schemathesis.openapi.from_dict(description()).get_all_operations():
        operation = found.ok()
        if f"{operation.method} {operation.path}" not in NOT_FUZZED and not operation.path.endswith("/schema"):
            yield operation


def send(caller: Caller, case: Any, run_id: str) -> Any:
    """The answer to a made request; where `run_id` is given, every id in the address is that of the real run."""
    parts = {name: run_id or str(value) for name, value in (case.path_parameters or {}).items()}
    path = case.path.format(**{name: quote(value, safe="", errors="replace") for name, value in parts.items()})
    asked = urlencode({str(k): v for k, v in (case.query or {}).items()}, doseq=True, errors="replace")
    headers = {str(k): str(v).encode("latin-1", "replace").decode("latin-1") for k, v in (case.headers or {}).items()}
    return Client().generic(
        case.method,
        f"{path}?{asked}",
        _body(case.body),
        content_type="application/json",
        headers={**headers, **caller.headers},
    )


def _body(made: Any) -> bytes:
    if isinstance(made, NotSet):
        return b""
    return made if isinstance(made, bytes) else json.dumps(made).encode()


def leaks(response: Any, canaries: tuple[str, ...], asked: str) -> list[str]:
    """Canaries in an answer that were not in the request itself."""
    text = getattr(response, "content", b"").decode("utf-8", "replace") + str(dict(response.headers))
    return [canary for canary in canaries if canary in text and canary not in asked]


def attack(caller: Caller, ids: tuple[str, ...], canaries: tuple[str, ...], *, examples: int, only: str = "") -> None:
    for operation in operations():
        if not operation.path.endswith(only):
            continue
        route = next(r for r in routes() if (r.method, r.path) == (operation.method.lower(), operation.path))
        _attack(operation, route, caller, ids=ids, canaries=canaries, examples=examples)


def _attack(
    operation: Any, route: Route, caller: Caller, *, ids: tuple[str, ...], canaries: tuple[str, ...], examples: int
) -> None:
    kinds = [operation.as_strategy(generation_mode=mode) for mode in GenerationMode if mode.name in MODES]

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.explicit, Phase.generate),
    )
    @given(st.one_of(kinds), st.sampled_from(ids))
    def holds(case: Any, run_id: str) -> None:
        response = send(caller, case, run_id)
        assert response.status_code != 500, (route.method, route.path, case.body, response.content)
        assert leaks(response, canaries, repr(case)) == []
        assert faults(route, response) == [], (route.method, route.path, case.body)

    holds()


def test_the_other_workspace_meets_no_fault_and_nothing_of_ours(cast: Cast, shop_run: str) -> None:
    attack(cast("analyst", "other"), ("", shop_run), (*WITHIN, *OF_THE_SHOP), examples=4)


def test_the_attack_would_notice_a_leak(cast: Cast, shop_run: str) -> None:
    with pytest.raises(AssertionError):
        attack(cast("analyst"), (shop_run,), (*WITHIN, SECRET), examples=1, only="/runs/{run_id}")


@pytest.mark.slow
@pytest.mark.parametrize("role", ["", "analyst", "curator", "auditor", "admin", "evaluator", "nobody"])
def test_everybody_meets_no_fault_in_a_long_run(cast: Cast, shop_run: str, role: str) -> None:
    attack(cast(role, "other"), ("", shop_run), (*WITHIN, *OF_THE_SHOP), examples=40)
    attack(cast(role), ("", shop_run), WITHIN, examples=40)
