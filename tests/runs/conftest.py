"""A workspace with an analyst, and runs in it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from dataagent.accounts.models import User, Workspace
from dataagent.runs import store
from dataagent.runs.types import NewRun, RunFacts


@pytest.fixture
def workspace(db: None) -> Workspace:
    return Workspace.objects.create(slug="shop", name="Shop")


@pytest.fixture
def analyst(db: None) -> User:
    return User.objects.create(username="analyst")


@pytest.fixture
def session_id(workspace: Workspace, analyst: User) -> str:
    return store.create_session(workspace.pk, analyst.pk, "net revenue")


@pytest.fixture
def enqueue(workspace: Workspace, analyst: User) -> Callable[..., RunFacts]:
    """Enqueues a question, each in a conversation of its own unless told otherwise."""

    def make(question: str = "net revenue", session_id: str = "", workspace_id: int = 0) -> RunFacts:
        home = workspace_id or workspace.pk
        session = session_id or store.create_session(home, analyst.pk, question)
        return store.enqueue(
            NewRun(
                workspace_id=home,
                workspace="shop",
                session_id=session,
                asker_id=analyst.pk,
                asker="analyst",
                roles=("analyst",),
                question=question,
                today=date(2025, 6, 18),
            )
        )

    return make
