"""Leaves that one pass over the same rows computes, each under the conditions that are its own."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from sqlglot import exp

from catalog.compiler.measures import aggregate
from catalog.compiler.plan import COUNTS, Leaf
from catalog.compiler.sql import named

T = TypeVar("T")
JoinsOf = Callable[[Leaf], Hashable]
"""What stands for the tables that a leaf's side joins; None where it has to stay alone."""


def scans(leaves: Iterable[Leaf], joins_of: JoinsOf) -> tuple[tuple[Leaf, ...], ...]:
    """The leaves of each side, in order of the first of each.

    Leaves whose conditions differ share a scan only where each alone would read the same
    joins: a join that one of them does not need must not touch its rows, whatever the data.
    """
    given = tuple(leaves)
    several: dict[Hashable, set[Hashable]] = {}
    for leaf in given:
        several.setdefault(leaf.scan(), set()).add(leaf.side())
    found: dict[Hashable, list[Leaf]] = {}
    for leaf in given:
        joins = joins_of(leaf) if len(several[leaf.scan()]) > 1 else ()
        found.setdefault(leaf.side() if joins is None else (leaf.scan(), joins), []).append(leaf)
    return tuple(tuple(held) for held in found.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What a leaf's aggregate needs: its column, and the condition of its own where it has one."""

    name: str
    leaf: Leaf
    column: exp.Expr
    when: exp.Expr | None = None


def own_part(given: Sequence[T], shared: Sequence[T]) -> tuple[T, ...]:
    """What is not shared, in order."""
    return tuple(x for x in given if x not in shared)


def shared_part(all_given: Sequence[Sequence[T]]) -> tuple[T, ...]:
    """What stands in every one, in the order of the first."""
    first, *rest = all_given
    return tuple(x for x in first if all(x in other for other in rest))


def rows_of_any(kept: Sequence[Kept]) -> list[exp.Expr]:
    """The condition of rows that count for a leaf; none where all rows count for one of them."""
    conditions = tuple(dict.fromkeys(k.when for k in kept))
    if None in conditions:
        return []
    return [exp.paren(exp.or_(*(c.copy() for c in conditions if c is not None), copy=False), copy=False)]


def aggregates(kept: Sequence[Kept], *, grouped: bool) -> list[exp.Expr]:
    """Each leaf's aggregate.  A group in which no row meets a leaf's own condition has nothing, not a count of 0."""
    return [named(_aggregate(k, grouped=grouped), k.name) for k in kept]


def _aggregate(kept: Kept, *, grouped: bool) -> exp.Expr:
    made = aggregate(kept.leaf.measure, kept.column, when=kept.when)
    if kept.when is None or not grouped or kept.leaf.measure.agg not in COUNTS:
        return made
    rows = exp.Count(this=exp.Case(ifs=[exp.If(this=kept.when.copy(), true=exp.Literal.number(1))]))
    if rows == made:
        return exp.Nullif(this=made, expression=exp.Literal.number(0))
    present = exp.GT(this=rows, expression=exp.Literal.number(0))
    return exp.Case(ifs=[exp.If(this=present, true=made)])
