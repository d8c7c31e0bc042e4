"""Why somebody may or may not see what there is: which roles grant it, which deny it, what is missing.  Pure.

Whether it is seen is decided in decide.py alone; here it is only put into words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from catalog.access import AccessScope
from dataagent.policy.decide import TableShape, capabilities_of, scope_of
from dataagent.policy.document import PolicyDocument, Role
from dataagent.policy.principal import Capability, Principal

Held = tuple[tuple[str, Role], ...]


class Thing(StrEnum):
    """What access is explained for."""

    CAPABILITY = "capability"
    TABLE = "table"
    METRIC = "metric"


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """Whether one thing is open to a person, and because of what."""

    thing: Thing
    name: str
    seen: bool
    because: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """A person's access as of now, and the reason of each part of it and of what is kept from them."""

    person: Principal
    scope: AccessScope
    reasons: tuple[Why, ...]


def explain(
    document: PolicyDocument, person: Principal, schema: Sequence[TableShape], metrics: Sequence[str]
) -> tuple[Why, ...]:
    """Every capability, table and metric by name, with its reason: for those who may see the whole policy."""
    scope = scope_of(document, person, schema, metrics)
    held: Held = tuple((n, document.roles[n]) for n in sorted(set(person.roles)) if n in document.roles)
    may = capabilities_of(document, person.roles)
    tables = {table.table for table in scope.tables}
    found: list[Why] = []
    for c in Capability:
        words = _because([n for n, r in held if c in r.capabilities], [n for n, r in held if c in r.deny_capabilities])
        found.append(Why(thing=Thing.CAPABILITY, name=c.value, seen=c in may, because=words))
    for name in sorted(t.name for t in schema):
        words = _of_table(name, held, person, seen=name in tables)
        found.append(Why(thing=Thing.TABLE, name=name, seen=name in tables, because=words))
    for name in sorted(metrics):
        granting = [n for n, r in held if r.metrics.allow == "*" or name in r.metrics.allow]
        words = _because(granting, [n for n, r in held if name in r.metrics.deny])
        found.append(Why(thing=Thing.METRIC, name=name, seen=name in scope.metrics, because=words))
    return tuple(found)


def _because(granting: Sequence[str], denying: Sequence[str]) -> str:
    if denying:
        return f"denied by {', '.join(denying)}"
    return f"granted by {', '.join(granting)}" if granting else "no role grants it"


def _of_table(name: str, held: Held, person: Principal, *, seen: bool) -> str:
    granting = [(n, r.tables[name].row_filter) for n, r in held if name in r.tables]
    words = _because([n for n, _ in granting], [n for n, r in held if name in r.deny_tables])
    if seen:
        unfiltered = [n for n, f in granting if f is None]
        return f"all rows by {', '.join(unfiltered)}" if unfiltered and len(unfiltered) < len(granting) else words
    missing = list(_missing(name, held, person))
    if not words.startswith("granted"):
        return words
    if missing:
        return f"{words}, but the person has no {', '.join(missing)}"
    if len({r.engine_role for _, r in held} - {""}) > 1:
        return f"{words}, but the roles take several roles of the engine"
    return f"{words}, but no column of it"


def _missing(name: str, held: Held, person: Principal) -> Iterator[str]:
    """Attributes that the row filters need and the person does not have, once each."""
    has = {key for key, value in person.attributes if value is not None}
    filters = [r.tables[name].row_filter for _, r in held if name in r.tables]
    needed = dict.fromkeys(a for f in filters if f is not None for a in f.attributes())
    return (attribute for attribute in needed if attribute not in has)
