"""Sides that meet on their groups: the rows of a question before any condition on the result."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import count

from sqlglot import exp

from catalog.compiler.bindings import Bindings
from catalog.compiler.keeping import Timekeeping, timekeeping_of
from catalog.compiler.plan import Leaf, Value, leaves_of, value_of
from catalog.compiler.question import Question, question_of
from catalog.compiler.recount import Reach
from catalog.compiler.relation import Queries
from catalog.compiler.scans import scans
from catalog.compiler.side import Side
from catalog.compiler.sql import column, cte_table, named, select_from
from catalog.compiler.values import expression
from catalog.query import QuerySpec
from catalog.types import CatalogSnapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The sides of a question and what is made of them; `all_groups` names the query that joins them."""

    question: Question
    keeping: Timekeeping
    values: dict[str, Value]
    names: dict[Leaf, str]
    sides: tuple[tuple[tuple[Leaf, ...], Side], ...]
    all_groups: str

    @property
    def meets(self) -> bool:
        """Whether leaves that count different rows stand beside each other, so that a group may lack some."""
        return len({leaf.side() for leaf in self.names}) > 1

    def column(self, leaf: Leaf) -> exp.Column:
        """The leaf's column in its side."""
        side = next(s for leaves, s in self.sides if leaf in leaves)
        return column(side.name, self.names[leaf])


def plan_of(
    spec: QuerySpec, snapshot: CatalogSnapshot, bindings: Bindings, *, prefix: str = "", reach: Reach | None = None
) -> Plan:
    """The sides of the spec's metrics; their queries' names begin with `prefix`."""
    values = {name: value_of(snapshot, name) for name in spec.metrics}
    leaves = list(dict.fromkeys(leaf for v in values.values() for leaf in leaves_of(v)))
    question = question_of(spec, snapshot, tuple(dict.fromkeys(leaf.model for leaf in leaves)))
    question = replace(question, reach=reach)
    keeping = timekeeping_of(snapshot)
    make = keeping.sides(question, bindings)
    names = _leaf_names(leaves)
    taken: set[str] = set()
    sides = []
    # what is counted anew from its rows is so under one set of conditions
    for held in scans(leaves, (lambda _: None) if reach else keeping.joins(question)):
        name = _free(f"{prefix}{held[0].model}_totals", taken)
        given = tuple(replace(x, name=names[x]) for x in held)
        sides.append((held, make(given, name)))
    return Plan(
        question=question,
        keeping=keeping,
        values=values,
        names=names,
        sides=tuple(sides),
        all_groups=f"{prefix}all_groups",
    )


def plan_queries(plan: Plan) -> tuple[Queries, exp.Select]:
    """The named queries of the plan, and the rows that read them: each group with each metric."""
    queries: list[tuple[str, exp.Query]] = [(n, query) for _, side in plan.sides for n, query in side.ctes]
    aliases = [g.alias for g in plan.question.groups]
    home = plan.sides[0][1].name
    if len(plan.sides) > 1 and aliases:
        home = plan.all_groups
        queries.append((home, _spine(plan, aliases)))
    groups = [named(column(home, a), a) for a in aliases]
    fills = plan.meets and plan.keeping.fills
    metrics = [named(expression(v, plan.column, joined=fills), n) for n, v in plan.values.items()]
    return tuple(queries), _joined(plan, home, aliases).select(*groups, *metrics, copy=False)


def _leaf_names(leaves: Iterable[Leaf]) -> dict[Leaf, str]:
    taken: set[str] = set()
    return {leaf: _free(leaf.name, taken) for leaf in leaves}


def _free(name: str, taken: set[str]) -> str:
    tried = (f"{name}_{i}" for i in count(2))
    found = name if name not in taken else next(n for n in tried if n not in taken)
    taken.add(found)
    return found


def _joined(plan: Plan, home: str, aliases: list[str]) -> exp.Select:
    select = select_from(exp.to_identifier(home, quoted=True))
    for _, side in plan.sides:
        if side.name == home:
            continue
        on = [exp.NullSafeEQ(this=column(home, a), expression=column(side.name, a)) for a in aliases]
        table = cte_table(side.name)
        made = exp.Join(this=table, side="LEFT", on=exp.and_(*on)) if on else exp.Join(this=table, kind="CROSS")
        select.append("joins", made)
    return select


def _spine(plan: Plan, aliases: list[str]) -> exp.Query:
    """Every group of any side, once; UNION treats missing values as equal.

    A side that looks back would add periods after the last one that there is.
    """
    time = next((g.alias for g in plan.question.groups if g.held is None), None)
    base = next((side.name for leaves, side in plan.sides if not leaves[0].shifts), None)
    whole: exp.Query | None = None
    for leaves, side in plan.sides:
        query = select_from(exp.to_identifier(side.name, quoted=True))
        query = query.select(*(column(side.name, a) for a in aliases), copy=False)
        if leaves[0].shifts and not plan.keeping.keeps_later and time and base:
            latest = exp.Select(expressions=[exp.Max(this=column(base, time))])
            latest = latest.from_(exp.to_identifier(base, quoted=True))
            within = exp.LTE(this=column(side.name, time), expression=exp.Subquery(this=latest))
            query = query.where(within, copy=False)
        whole = query if whole is None else exp.Union(this=whole, expression=query, distinct=True)
    return whole or exp.Select()
