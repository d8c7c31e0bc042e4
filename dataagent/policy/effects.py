"""What a change of policy does to people: who gains and who loses what.  Pure.

Each person's access is made twice, under the policy before and the one after, from the same tables and
metrics, and compared part by part.  A part that only changes (other rows, another mask) is told as such:
whether a condition lets more or fewer rows through is not guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from catalog.access import AccessScope, TableAccess
from dataagent.policy.decide import TableShape, capabilities_of, scope_of
from dataagent.policy.document import PolicyDocument
from dataagent.policy.principal import Principal

NOBODY = PolicyDocument(version="none", roles={})
"""The policy of a workspace that has none: everything is denied."""


class Change(StrEnum):
    """What happens to a part of somebody's access."""

    GAINS = "gains"
    LOSES = "loses"
    CHANGES = "changes"


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyEffect:
    """One difference for one person: of what kind, on which thing, and how it was and will be."""

    user: str
    change: Change
    kind: str
    name: str
    before: str = ""
    after: str = ""


def effects(
    before: PolicyDocument | None,
    after: PolicyDocument,
    people: Sequence[Principal],
    schema: Sequence[TableShape],
    metrics: Sequence[str],
) -> tuple[PolicyEffect, ...]:
    """Every difference for every person, by person, in a fixed order."""
    found: list[PolicyEffect] = []
    for person in people:
        old, new = (_parts(policy or NOBODY, person, schema, metrics) for policy in (before, after))
        found += _differences(person.user, old, new)
    return tuple(found)


def unknown_names(document: PolicyDocument, schema: Sequence[TableShape], metrics: Sequence[str]) -> tuple[str, ...]:
    """Tables, columns and metrics that the policy names and that do not exist: rules without any effect."""
    tables = {table.name: {column.name for column in table.columns} for table in schema}
    return tuple(dict.fromkeys(sorted(_unknown(document, tables, frozenset(metrics)))))


def _unknown(document: PolicyDocument, tables: Mapping[str, set[str]], metrics: frozenset[str]) -> Iterator[str]:
    for role in document.roles.values():
        allowed = () if role.metrics.allow == "*" else role.metrics.allow
        yield from (f"metric {name}" for name in (*allowed, *role.metrics.deny) if name not in metrics)
        yield from (f"table {name}" for name in (*role.tables, *role.deny_tables) if name not in tables)
        for name, grant in role.tables.items():
            named = () if grant.columns == "*" else grant.columns
            columns = (*named, *grant.except_, *(mask.column for mask in grant.masks))
            yield from (f"column {name}.{c}" for c in columns if name in tables and c not in tables[name])


def _parts(
    policy: PolicyDocument, person: Principal, schema: Sequence[TableShape], metrics: Sequence[str]
) -> dict[tuple[str, str], str]:
    """Everything that a person has, by kind and name; the text is what may change about it."""
    capabilities = capabilities_of(policy, person.roles)
    held = replace(person, capabilities=capabilities, policy_version=policy.label())
    scope: AccessScope = scope_of(policy, held, schema, metrics)
    parts = {("capability", c.value): "" for c in capabilities}
    parts |= {("metric", name): "" for name in scope.metrics}
    for table in scope.tables:
        parts |= _of_table(table)
    return parts


def _of_table(table: TableAccess) -> dict[tuple[str, str], str]:
    masks = {mask.column: mask.kind.value for mask in table.masks}
    rows = f"{table.row_filter.predicate} {table.row_filter.parameters}" if table.row_filter else "all"
    group = table.minimum_group
    parts = {("table", table.table): "", ("rows", table.table): rows}
    if group is not None:
        parts["minimum group", table.table] = f"{group.at_least} of {', '.join(group.of)} by {', '.join(group.columns)}"
    return parts | {("column", f"{table.table}.{name}"): masks.get(name, "plain") for name in table.columns}


def _differences(
    user: str, old: Mapping[tuple[str, str], str], new: Mapping[tuple[str, str], str]
) -> Iterator[PolicyEffect]:
    for kind, name in sorted({*old, *new}):
        key = (kind, name)
        if key not in old:
            yield PolicyEffect(user=user, change=Change.GAINS, kind=kind, name=name, after=new[key])
        elif key not in new:
            yield PolicyEffect(user=user, change=Change.LOSES, kind=kind, name=name, before=old[key])
        elif old[key] != new[key]:
            yield PolicyEffect(user=user, change=Change.CHANGES, kind=kind, name=name, before=old[key], after=new[key])
