"""A real browser, a real server and a worker whose answers are the samples of the pages."""

from __future__ import annotations

import os
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from django.db import connections

from dataagent.accounts import service as accounts
from dataagent.answering.types import Answer
from dataagent.policy import service as policy
from dataagent.runs.ports import Outcome
from dataagent.runs.service.working import claim_and_work
from dataagent.runs.types import Ask, RunState, StepKind
from tests.frontend import samples
from tests.frontend.conftest import POLICY
from tests.runs.people import FakeWorld, answered

CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
STATES = {"clarify": RunState.WAITING_FOR_PERSON, "deny": RunState.REFUSED, "abstain": RunState.ABSTAINED}
ANSWERS: tuple[tuple[str, Callable[[], Answer]], ...] = (
    ("top", samples.top_products),
    ("region", samples.by_region),
    ("how many", samples.one_number),
    ("revenue last", samples.clarify),
    ("margin", samples.refused),
    ("employee", samples.abstain),
    ("everything", samples.very_large),
)
STEP_S = 0.2


@pytest.fixture(scope="package")
def chromium() -> Iterator[Any]:
    """The browser; without one these tests are skipped, visibly.  It ends with this folder, as its event loop must."""
    if CHROMIUM is None:
        pytest.skip("no chromium on this machine: install it (Debian: apt-get install chromium)")
    # The library runs an event loop in this thread; Django's guard would take the tests for async code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def site(transactional_db: None, tmp_path: Path) -> Iterator[str]:
    """The address of the product with the demo's analyst, and a worker behind it."""
    file = tmp_path / "policy.yaml"
    file.write_text(POLICY, encoding="utf-8")
    place = accounts.create_workspace("demo", name="Demo store")
    policy.load_policy(place.id, file)
    accounts.set_member(place.id, accounts.create_user("analyst", name="Analyst").id, roles=("analyst",))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config = uvicorn.Config("dataagent.asgi:application", port=port, lifespan="off", log_level="error")
    server = uvicorn.Server(config)
    over = threading.Event()
    threads = [threading.Thread(target=server.run), threading.Thread(target=_work, args=(over,))]
    for thread in threads:
        thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{port}"
    over.set()
    server.should_exit = server.force_exit = True
    for thread in threads:
        thread.join()


def _work(over: threading.Event) -> None:
    try:
        while not over.is_set():
            slow = {kind: lambda: time.sleep(STEP_S) for kind in (StepKind.SCOPE, StepKind.INTENT, StepKind.EXECUTE)}
            if not claim_and_work("browser", FakeWorld(outcome=_outcome, before=slow).machine()):
                time.sleep(0.05)
    finally:
        connections.close_all()


def _outcome(ask: Ask) -> Outcome:
    make = next((make for word, make in ANSWERS if word in ask.question), samples.by_month)
    answer = samples.one_number() if ask.choice is not None else make()
    state = STATES.get(answer.decision.value, RunState.ANSWERED)
    shown = answer if answer.question == ask.question else replace(answer, question=ask.question, certificate=())
    return replace(answered(ask), state=state, reason=answer.decision.value, answer=shown)
