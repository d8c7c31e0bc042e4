"""What a principal may see of the catalog and the cards."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

from catalog import service as catalog
from catalog.access import AccessScope
from catalog.detail import DimensionDetail, MetricDetail, dimension_detail, metric_detail
from catalog.explaining import Explanation, explain
from catalog.spec_text import BadText, spec_of
from catalog.types import CatalogSnapshot
from contextcards import service as contextcards
from contextcards.types import ContextCard
from dataagent.errors import ShownError
from dataagent.policy import service as policy
from dataagent.policy.doors import permit
from dataagent.policy.principal import Capability, Principal
from dataagent.runs.search import Found
from dataagent.runs.search import search as search_catalog
from dataagent.runs.service.reading import not_found
from dataagent.warehouse.pool import warehouse_for
from dataagent.warehouse.port import WarehouseFault

MOST_PARTS = 10
"""Groupings, and conditions, of one explanation."""


def sight(principal: Principal) -> tuple[CatalogSnapshot, AccessScope]:
    """The workspace's current catalog, and what the principal may see of it.

    Raises: ShownError(unavailable) where there is no catalog or no warehouse.
    """
    try:
        snapshot = catalog.current_snapshot(principal.workspace_id)
        schema = warehouse_for(principal.workspace).schema()
    except (catalog.NoCatalog, WarehouseFault) as error:
        raise ShownError("unavailable", "This workspace has no catalog or no data yet.") from error
    scope = policy.scope(principal, schema, tuple(m.name for m in snapshot.metrics))
    return (snapshot if scope.tables else _blank(snapshot)), scope


def _blank(snapshot: CatalogSnapshot) -> CatalogSnapshot:
    """The catalog of one who is granted no table: nothing.  (A vocabulary's scope has no tables and hides none.)"""
    return replace(snapshot, models=(), metrics=(), entities=(), bridges=(), events=(), lineage=())


def search(principal: Principal, words: str, limit: int = 50) -> tuple[Found, ...]:
    """Metrics, dimensions and entities that fit the words.  Raises: ShownError."""
    permit(principal, Capability.READ_CATALOG)
    return search_catalog(*sight(principal), words[:200], limit)


def metric(principal: Principal, name: str) -> MetricDetail:
    """A metric's contract.  Raises: ShownError(not_found) for absent and hidden metrics alike."""
    permit(principal, Capability.READ_CATALOG)
    found = metric_detail(*sight(principal), name)
    if found is None:
        raise not_found("metric")
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a metric is to be explained under, as text: see `spec_of`."""

    by: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    start: str = ""
    end: str = ""
    compare: str = ""
    top: int = 0


def explanation(principal: Principal, name: str, parts: Parts) -> Explanation:
    """How a metric is computed under groupings, conditions and a period.

    Raises: ShownError(not_found) for absent and hidden metrics alike, ShownError(invalid_input) for the rest.
    """
    permit(principal, Capability.READ_CATALOG)
    snapshot, scope = sight(principal)
    if metric_detail(snapshot, scope, name) is None:
        raise not_found("metric")
    if max(len(parts.by), len(parts.where)) > MOST_PARTS:
        raise ShownError("invalid_input", f"At most {MOST_PARTS} groupings and {MOST_PARTS} conditions can be shown.")
    try:
        found = explain(spec_of((name,), **asdict(parts)), snapshot, scope)
    except BadText as bad:
        raise ShownError("invalid_input", str(bad)) from bad
    if not isinstance(found, Explanation):
        choices = f" Choose one of {', '.join(found[0].choices)}." if found[0].choices else ""
        raise ShownError("invalid_input", f"{found[0].message}{choices}")
    return found


def dimension(principal: Principal, name: str) -> DimensionDetail:
    """A dimension's contract.  Raises: ShownError(not_found) for absent and hidden dimensions alike."""
    permit(principal, Capability.READ_CATALOG)
    found = dimension_detail(*sight(principal), name)
    if found is None:
        raise not_found("dimension")
    return found


def cards(principal: Principal) -> tuple[ContextCard, ...]:
    """The context cards that the principal may read.  Raises: ShownError."""
    permit(principal, Capability.READ_CARDS)
    return contextcards.cards(principal.workspace_id, sight(principal)[1])


def card(principal: Principal, table: str) -> ContextCard:
    """One table's card.  Raises: ShownError(not_found) for absent and hidden tables alike."""
    permit(principal, Capability.READ_CARDS)
    found = contextcards.card(principal.workspace_id, table, sight(principal)[1])
    if found is None:
        raise not_found("card")
    return found
