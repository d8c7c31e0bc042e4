"""Rows of a workspace are read only within it: by one manager, in the stores."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from django.apps import apps
from django.db import models

from catalog.workspace import WorkspaceRow
from tests.architecture.sources import ROOMS, functions, product_files, tree_of

WITHOUT_WORKSPACE = {
    "accounts.User": "one login may be a member of several workspaces",
    "accounts.Workspace": "it is the workspace",
    "accounts.SignInAttempt": "who signs in has no workspace yet",
}
CREATING = {"create", "bulk_create", "update_or_create", "get_or_create"}
ACROSS_WORKSPACES = {
    "dataagent/accounts/store.py:end_everything": "who signs out everywhere means every workspace",
    "dataagent/accounts/store.py:sealed_warehouses": "a new key seals what every workspace keeps",
    "dataagent/accounts/store.py:warehouse_of": "the workspace is named by its slug, in one query",
    "dataagent/accounts/store.py:warehouse_places": "whoever runs the product sees which warehouses are kept",
    "dataagent/accounts/store.py:memberships": "which workspaces a login has, before one is chosen",
    "dataagent/policy/store.py:audited_workspaces": "the audit is verified in every workspace",
    "dataagent/runs/store/moves.py:cancelled_in_silence": "the worker ends cancelled runs, wherever they are",
    "dataagent/runs/store/moves.py:expired": "the worker finds runs whose lease has ended, wherever they are",
    "dataagent/runs/store/moves.py:held_by": "a worker that stops gives up its runs, wherever they are",
    "dataagent/runs/store/turns.py:turns_due": "the worker gives turns that nobody gave, wherever they are",
    "dataagent/runs/store/reading.py:workspaces_with_runs": "the audit verifies the chain of every workspace",
}
OBJECTS = {"User", "Workspace", "SignInAttempt"}


def own_models() -> list[type[models.Model]]:
    return [m for m in apps.get_models() if m.__module__.split(".")[0] in ROOMS]


def is_store(path: Path) -> bool:
    return path.stem == "store" or "store" in path.parts


def rows_uses(path: Path) -> Iterator[tuple[str, ast.Attribute, str]]:
    """Function name, the attribute after `.rows`, and its place, for every use of a model's rows."""
    models_here = {m.__name__ for m in own_models()}
    for function in functions(tree_of(path)):
        for node in ast.walk(function):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute) and node.value.attr == "rows":
                owner = node.value.value
                if isinstance(owner, ast.Name) and owner.id in models_here:
                    yield function.name, node, f"{path}:{node.lineno}"


def test_every_row_that_belongs_to_a_workspace_says_so() -> None:
    found = {m._meta.label for m in own_models() if not issubclass(m, WorkspaceRow)}
    assert found == set(WITHOUT_WORKSPACE)


def test_rows_are_read_through_their_workspace() -> None:
    across = [
        f"{path}:{name}"
        for path in product_files()
        for name, node, _ in rows_uses(path)
        if node.attr not in {"of", *CREATING}
    ]
    assert sorted(set(across)) == sorted(ACROSS_WORKSPACES)


def test_rows_are_touched_in_stores_only() -> None:
    assert [place for path in product_files() if not is_store(path) for _, _, place in rows_uses(path)] == []


def test_the_unscoped_manager_is_used_for_logins_and_workspaces_only() -> None:
    found = [
        f"{path}:{node.lineno}"
        for path in product_files()
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Attribute)
        and node.attr in {"objects", "_default_manager", "_base_manager"}
        and not (is_store(path) and isinstance(node.value, ast.Name) and node.value.id in OBJECTS)
    ]
    assert found == []
