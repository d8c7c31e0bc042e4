"""The small shop of these tests: its catalog, its scopes and its rows."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from catalog.access import AccessScope
from catalog.importers.own import load_folder
from catalog.types import CatalogSnapshot

FOLDER = Path(__file__).parent / "store"


@cache
def shop() -> CatalogSnapshot:
    return load_folder(FOLDER)


def everything(snapshot: CatalogSnapshot | None = None) -> AccessScope:
    """A scope that may use every metric and hides no table."""
    held = snapshot or shop()
    return AccessScope(
        workspace="test",
        principal="analyst",
        policy_version="1",
        digest="all",
        without_warehouse=True,
        metrics=frozenset(m.name for m in held.metrics),
    )
