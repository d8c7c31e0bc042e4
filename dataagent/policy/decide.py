"""The only yes or no, and what a principal may see.  Pure: documents in, values out.

How several roles add up:
- capabilities and metrics: the union of what the roles grant, minus what any role denies;
- tables: a table that any role denies is not granted.  Where at least one role
  grants the table without a row filter, those unfiltered grants alone decide
  (their columns, no filter).  Where every granting role filters, all filters
  stay, joined by AND, over the union of the columns.  Either way each visible
  row is one that every counted role may see, so no role lends its columns to
  rows that only another role may see;
- a metric that a role denies by name is announced: it may be named in a refusal.
  What no role mentions looks as if it did not exist;
- masks: a column is unmasked where a counted role grants it unmasked, else the
  strictest of its masks applies;
- minimum groups: those of all counted roles hold together, over all their columns and with the largest size;
- engine roles: at most one can be taken, so whoever holds roles with several sees no table.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Protocol

from catalog.access import AccessScope, Mask, MaskKind, MinimumGroup, RowFilter, TableAccess
from catalog.types import Scalar
from dataagent.policy.document import FilterRule, MaskRule, PolicyDocument, Role, TableGrant
from dataagent.policy.principal import Capability, Effect, PolicyDecision, Principal

_STRICTEST_FIRST = (MaskKind.NULL, MaskKind.CONSTANT, MaskKind.HASH, MaskKind.BUCKET, MaskKind.PARTIAL)


class ColumnShape(Protocol):
    """A column's name, as any room describes it."""

    @property
    def name(self) -> str:
        """The column's name."""


class TableShape(Protocol):
    """A table's qualified name and columns, as any room describes them."""

    @property
    def name(self) -> str:
        """The qualified name, `schema.table`."""

    @property
    def columns(self) -> Sequence[ColumnShape]:
        """The columns in order."""


def decide(principal: Principal | None, capability: Capability) -> PolicyDecision:
    """The decision on one capability.  Nobody, and whatever no role grants, is denied."""
    if principal is None:
        return PolicyDecision(effect=Effect.DENY, rule="identity", reason="not_signed_in", policy_version="")
    version = principal.policy_version
    if not version:
        return PolicyDecision(effect=Effect.DENY, rule="policy", reason="no_policy", policy_version="")
    if not principal.has(capability):
        return PolicyDecision(effect=Effect.DENY, rule="capability", reason="not_granted", policy_version=version)
    return PolicyDecision(effect=Effect.ALLOW, rule="capability", reason="granted", policy_version=version)


def capabilities_of(document: PolicyDocument | None, roles: Sequence[str]) -> frozenset[Capability]:
    """What the roles may do: the union of their grants minus everything that one of them denies."""
    held = _roles(document, roles)
    granted = {c for role in held for c in role.capabilities}
    return frozenset(granted - {c for role in held for c in role.deny_capabilities})


def scope_of(
    document: PolicyDocument,
    principal: Principal,
    schema: Sequence[TableShape],
    metrics: Sequence[str],
) -> AccessScope:
    """What the principal may see of this schema and these metrics; everything else does not exist for it."""
    held = _roles(document, principal.roles)
    attributes = dict(principal.attributes)
    found = tuple(_access(table, held, attributes) for table in sorted(schema, key=lambda t: t.name))
    engine_roles = sorted({role.engine_role for role in held} - {""})
    tables = tuple(t for t in found if t is not None) if len(engine_roles) < 2 else ()
    engine_role = "".join(engine_roles[:1])
    usable = _metrics(held, metrics)
    version = document.label()
    return AccessScope(
        workspace=principal.workspace,
        principal=principal.user,
        policy_version=version,
        digest=_digest(principal, (version, engine_role), tables, usable),
        tables=tables,
        metrics=usable,
        announced=_announced(held, metrics) - usable,
        engine_role=engine_role,
    )


def _roles(document: PolicyDocument | None, names: Sequence[str]) -> tuple[Role, ...]:
    known = document.roles if document is not None else {}
    return tuple(known[name] for name in sorted(set(names)) if name in known)


def _metrics(held: Sequence[Role], metrics: Sequence[str]) -> frozenset[str]:
    denied = {name for role in held for name in role.metrics.deny}
    return frozenset(
        name
        for name in metrics
        if name not in denied and any(role.metrics.allow == "*" or name in role.metrics.allow for role in held)
    )


def _announced(held: Sequence[Role], metrics: Sequence[str]) -> frozenset[str]:
    """The metrics that a role denies by name: a refusal may confirm that they exist."""
    denied = {name for role in held for name in role.metrics.deny}
    return frozenset(name for name in metrics if name in denied)


def _access(table: TableShape, held: Sequence[Role], attributes: Mapping[str, Scalar]) -> TableAccess | None:
    if any(table.name in role.deny_tables for role in held):
        return None
    grants = [role.tables[table.name] for role in held if table.name in role.tables]
    counted = [g for g in grants if g.row_filter is None] or [g for g in grants if _satisfiable(g, attributes)]
    columns = {name for grant in counted for name in _columns(grant, table)}
    if not columns:
        return None
    filters = tuple(dict.fromkeys(g.row_filter for g in counted if g.row_filter is not None))
    return TableAccess(
        table=table.name,
        columns=frozenset(columns),
        row_filter=_joined(filters, attributes) if filters else None,
        masks=tuple(m for m in (_mask(name, counted, table) for name in sorted(columns)) if m is not None),
        minimum_group=_minimum_group(counted),
    )


def _minimum_group(counted: Sequence[TableGrant]) -> MinimumGroup | None:
    """The strictest of the grants' rules together: a role without one lifts nobody else's."""
    rules = [g.minimum_group for g in counted if g.minimum_group is not None]
    if not rules:
        return None
    return MinimumGroup(
        columns=tuple(dict.fromkeys(name for rule in rules for name in rule.columns)),
        at_least=max(rule.at_least for rule in rules),
        of=tuple(dict.fromkeys(rule.of for rule in rules)) if any(rule.of for rule in rules) else (),
    )


def _satisfiable(grant: TableGrant, attributes: Mapping[str, Scalar]) -> bool:
    """Whether the principal has every attribute that the grant's filter needs; without it there is no grant."""
    needed = grant.row_filter.attributes() if grant.row_filter is not None else ()
    return all(attributes.get(name) is not None for name in needed)


def _columns(grant: TableGrant, table: TableShape) -> tuple[str, ...]:
    return tuple(
        column.name
        for column in table.columns
        if (grant.columns == "*" or column.name in grant.columns) and column.name not in grant.except_
    )


def _joined(filters: Sequence[FilterRule], attributes: Mapping[str, Scalar]) -> RowFilter:
    names = dict.fromkeys(name for rule in filters for name in rule.attributes())
    predicates = [rule.predicate for rule in filters]
    return RowFilter(
        id=" + ".join(rule.id for rule in filters),
        predicate=predicates[0] if len(predicates) == 1 else " AND ".join(f"({p})" for p in predicates),
        label=" and ".join(rule.label for rule in filters),
        parameters=tuple((name, attributes[name]) for name in names),
    )


def _mask(column: str, counted: Sequence[TableGrant], table: TableShape) -> Mask | None:
    granting = [g for g in counted if column in _columns(g, table)]
    rules = [_rule(grant, column) for grant in granting]
    masks = [rule for rule in rules if rule is not None]
    if not masks or len(masks) < len(rules):
        return None
    strictest = min(masks, key=lambda rule: _STRICTEST_FIRST.index(rule.kind))
    return Mask(column=column, kind=strictest.kind, argument=strictest.argument)


def _rule(grant: TableGrant, column: str) -> MaskRule | None:
    """The strictest mask that one grant puts on a column, or None."""
    mine = [rule for rule in grant.masks if rule.column == column]
    return min(mine, key=lambda rule: _STRICTEST_FIRST.index(rule.kind)) if mine else None


def _digest(
    principal: Principal, under: tuple[str, str], tables: tuple[TableAccess, ...], metrics: frozenset[str]
) -> str:
    parts = [principal.workspace, principal.user, *under, repr(sorted(metrics))]
    parts += [repr((t.table, sorted(t.columns), t.row_filter, t.masks, t.minimum_group)) for t in tables]
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()
