"""The warehouses of this process: one per workspace, opened on first use."""

from __future__ import annotations

import atexit
import re
import threading
from pathlib import Path

from django.conf import settings

from dataagent.accounts.service import warehouses
from dataagent.errors import ShownError
from dataagent.warehouse.duckdb import DuckDBWarehouse
from dataagent.warehouse.port import WarehouseFault
from dataagent.warehouse.postgres import PostgresWarehouse
from dataagent.warehouse.process import fault

_open: dict[str, DuckDBWarehouse | PostgresWarehouse] = {}
_lock = threading.Lock()
_SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")


def warehouse_for(workspace_slug: str, *, timezone: str = "") -> DuckDBWarehouse | PostgresWarehouse:
    """The workspace's warehouse: the one in the settings, else the kept one, else its file in the data folder.

    `timezone` is the zone of the workspace's calendar: from then on days and hours of moments
    are those of that zone.  A warehouse that is missing or unreachable shows on first use, as
    WarehouseFault(unreachable).

    Raises: WarehouseFault for a slug that could name a file elsewhere, and for an address that is none.
    """
    if not _SLUG.fullmatch(workspace_slug):
        raise fault("unreachable")
    url = settings.WAREHOUSES.get(workspace_slug) or _kept(workspace_slug)
    place = url or str(file_of(workspace_slug))
    with _lock:
        if place not in _open:
            _open[place] = PostgresWarehouse(url) if url else DuckDBWarehouse(Path(place))
        held = _open[place]
        if timezone:
            held.timezone = timezone
        return held


def file_of(workspace_slug: str) -> Path:
    """Where the workspace's DuckDB file is, or would be."""
    return Path(settings.HOME) / "warehouse" / f"{workspace_slug}.duckdb"


def known() -> tuple[str, ...]:
    """The workspaces that have a warehouse, by name."""
    files = {p.stem for p in (Path(settings.HOME) / "warehouse").glob("*.duckdb")}
    kept = {place.workspace for place in warehouses.warehouse_places()}
    return tuple(sorted(files | kept | set(settings.WAREHOUSES)))


def _kept(workspace_slug: str) -> str:
    """The address that is kept sealed in the database; empty where there is none.  Raises: WarehouseFault."""
    try:
        return warehouses.warehouse_url(workspace_slug)
    except ShownError as error:
        raise WarehouseFault("unreachable", error.message) from None


def close_all() -> None:
    """End every engine process and connection of this process."""
    with _lock:
        doomed = list(_open.values())
        _open.clear()
    for warehouse in doomed:
        warehouse.close()


atexit.register(close_all)
