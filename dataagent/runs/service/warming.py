"""Does before the first question what would otherwise make it slow."""

from __future__ import annotations

import logging

from django.db import DatabaseError

from catalog import service as catalog
from catalog.collector import set_apart
from contextcards.service import embeddings
from dataagent.accounts import service as accounts
from dataagent.policy import service as policy
from dataagent.runs.service.words import term_index
from dataagent.warehouse.pool import warehouse_for
from dataagent.warehouse.port import WarehouseFault

log = logging.getLogger(__name__)


def warm(workspace: str) -> bool:
    """Whether the workspace's engine, catalog and words are ready; the words of its demo people are read."""
    try:
        warehouse = warehouse_for(workspace)
        schema = warehouse.schema()
        embeddings.warm()
        for member in accounts.demo_members(workspace):
            snapshot = catalog.current_snapshot(member.workspace.id)
            asker = policy.principal_of_member(member)
            scope = policy.scope(asker, schema, tuple(m.name for m in snapshot.metrics))
            term_index(workspace, snapshot, scope)
        set_apart()
    except (DatabaseError, WarehouseFault, catalog.NoCatalog) as error:
        log.info("Workspace %s could not be warmed: %s", workspace, error)
        return False
    return True
