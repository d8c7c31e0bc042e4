"""What of a snapshot one scope may see.  A hidden thing is treated exactly like an absent one."""

from __future__ import annotations

from catalog.access import AccessScope, TableAccess
from catalog.expressions import BadExpression, columns_of
from catalog.lookup import Held, lookup
from catalog.types import CatalogSnapshot, EntityInfo, SemanticModel


def metric_visible(snapshot: CatalogSnapshot, scope: AccessScope, metric: str) -> bool:
    """Whether the metric exists and may be named."""
    held = lookup(snapshot).metrics.get(metric)
    return held is not None and not held.hidden and scope.may_use_metric(metric)


def table_visible(scope: AccessScope, table: str) -> bool:
    """Whether the table is granted.  A vocabulary's scope hides none."""
    return not scope.judged_by_tables() or scope.table(table) is not None


def dimension_visible(snapshot: CatalogSnapshot, scope: AccessScope, held: Held) -> bool:
    """Whether every column behind the dimension is granted.  A vocabulary's scope hides none."""
    return not scope.judged_by_tables() or expression_visible(snapshot, scope, held.model, held.dimension.expr)


def visible_dimensions(snapshot: CatalogSnapshot, scope: AccessScope, reference: str) -> tuple[Held, ...]:
    """The dimensions behind a reference, or the keys of an entity, that the scope may see."""
    name = reference.rsplit("__", maxsplit=1)[-1]
    parts = lookup(snapshot)
    known = parts.dimensions.get(name) or parts.entities.get(name, ())
    return tuple(h for h in known if dimension_visible(snapshot, scope, h))


def expression_visible(snapshot: CatalogSnapshot, scope: AccessScope, model: SemanticModel, expr: str) -> bool:
    """Whether the model's table is granted with every column that the expression reads."""
    if not scope.judged_by_tables():
        return True
    granted = scope.table(model.table)
    if granted is None:
        return False
    try:
        read = {c.lower() for c in columns_of(expr, snapshot.dialect)}
    except BadExpression:
        return False
    return read <= {c.lower() for c in granted.columns}


def values_visible(snapshot: CatalogSnapshot, scope: AccessScope, held: Held) -> bool:
    """Whether members of the dimension may be listed at all: never personal data, free text or masked columns."""
    dimension = held.dimension
    if dimension.pii or not dimension.indexable or not dimension_visible(snapshot, scope, held):
        return False
    granted = scope.table(held.model.table)
    return granted is None or not _masked(snapshot, granted, dimension.expr)


def _masked(snapshot: CatalogSnapshot, granted: TableAccess, expr: str) -> bool:
    masked = {m.column.lower() for m in granted.masks}
    return bool(masked & {c.lower() for c in columns_of(expr, snapshot.dialect)})


def declared_values_visible(scope: AccessScope, held: Held) -> bool:
    """Whether the catalog's declared members may stand in for what the warehouse shows.

    Not where rows of the table are filtered: the list would name what the filter hides.
    """
    granted = scope.table(held.model.table)
    return not scope.judged_by_tables() or (granted is not None and granted.row_filter is None)


def value_visible(scope: AccessScope, names: tuple[str, ...], value: str) -> bool:
    """Whether a member may be named, under each of the dimension's names."""
    return all(scope.may_name_value(name, value) for name in names)


def entity_visible(snapshot: CatalogSnapshot, scope: AccessScope, entity: EntityInfo) -> bool:
    """Whether some granted table holds the entity's key."""
    if not scope.judged_by_tables():
        return True
    return any(
        e.name == entity.name and all(expression_visible(snapshot, scope, model, c) for c in e.columns())
        for model in snapshot.models
        for e in model.entities
    )
