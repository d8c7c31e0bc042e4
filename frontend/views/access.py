"""What the principal of a request may see: its catalog and its scope."""

from __future__ import annotations

from catalog import service as catalog
from catalog.access import AccessScope
from catalog.types import CatalogSnapshot
from dataagent.errors import ShownError
from dataagent.policy import service as policy
from dataagent.policy.principal import Principal
from dataagent.warehouse.pool import warehouse_for
from dataagent.warehouse.port import WarehouseFault


def snapshot_of(principal: Principal) -> CatalogSnapshot:
    """The workspace's current catalog.

    Raises: ShownError(unavailable) where none was published yet.
    """
    try:
        return catalog.current_snapshot(principal.workspace_id)
    except catalog.NoCatalog as error:
        raise ShownError("unavailable", "This workspace has no catalog yet.", action="Ask its admin.") from error


def scope_of(principal: Principal) -> AccessScope:
    """What the principal may see of the workspace's tables and metrics.

    Raises: ShownError(unavailable) where the warehouse cannot be reached.
    """
    metrics = tuple(metric.name for metric in snapshot_of(principal).metrics)
    try:
        schema = warehouse_for(principal.workspace).schema()
    except WarehouseFault as error:
        raise ShownError("unavailable", "The warehouse cannot be reached now.", action="Try again shortly.") from error
    return policy.scope(principal, schema, metrics)
