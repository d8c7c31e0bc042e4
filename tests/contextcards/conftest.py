"""Workspaces with the tiny shop loaded."""

from __future__ import annotations

import pytest
from django.apps import apps

from contextcards import service
from tests.contextcards.world import DATA


def make_workspace(slug: str) -> int:
    return int(apps.get_model("accounts", "Workspace").objects.create(slug=slug, name=slug).pk)


@pytest.fixture
def shop(db: None) -> int:
    workspace_id = make_workspace("shop")
    service.load_demo(workspace_id, DATA)
    return workspace_id
