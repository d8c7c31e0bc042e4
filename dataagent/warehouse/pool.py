"""The warehouses of this process: one per workspace, opened on first use."""

from __future__ import annotations

import atexit
import re
import threading
from pathlib import Path

from django.conf import settings

from dataagent.warehouse.duckdb import DuckDBWarehouse
from dataagent.warehouse.process import fault

_open: dict[Path, DuckDBWarehouse] = {}
_lock = threading.Lock()
_SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")


def warehouse_for(workspace_slug: str) -> DuckDBWarehouse:
    """The workspace's warehouse.  A missing file shows on first use, as WarehouseFault(unreachable).

    Raises: WarehouseFault for a slug that could name a file elsewhere.
    """
    if not _SLUG.fullmatch(workspace_slug):
        raise fault("unreachable")
    path = Path(settings.HOME) / "warehouse" / f"{workspace_slug}.duckdb"
    with _lock:
        if path not in _open:
            _open[path] = DuckDBWarehouse(path)
        return _open[path]


def close_all() -> None:
    """End every engine process of this process."""
    with _lock:
        doomed = list(_open.values())
        _open.clear()
    for warehouse in doomed:
        warehouse.close()


atexit.register(close_all)
