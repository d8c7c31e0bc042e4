"""The tables of one side: its own and, many-to-one, those that its dimensions need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, count

from sqlglot import exp

from catalog.compiler.relying import relying
from catalog.compiler.sql import as_timestamp, table, truncated
from catalog.compiler.stop import stop
from catalog.expressions import BadExpression, row_expression
from catalog.issues import IssueCode
from catalog.lookup import lookup
from catalog.paths import Hop, JoinPath
from catalog.query import ReliedKey
from catalog.types import CatalogSnapshot, Dimension, SemanticModel, Validity

Now = Callable[[], exp.Expr | None]
"""The time of the side's own rows, at which a slowly changing table is looked up; None where there is none."""


class Tables:
    """Collects the joins of one side, each once, under readable aliases."""

    def __init__(self, snapshot: CatalogSnapshot, root: SemanticModel, now: Now = lambda: None) -> None:
        self._snapshot = snapshot
        self._root = root
        self._now = now
        self._aliases: dict[tuple[Hop, ...], str] = {(): root.name}
        self._joins: list[exp.Join] = []
        self.read: set[str] = {root.table}
        self.crosses_bridge = False

    def column(self, path: JoinPath, expr: str) -> exp.Expr:
        """The expression over the model at the end of `path`, joined if it is not yet."""
        return over(self._snapshot, self._alias(path.hops), expr)

    def own(self, expr: str) -> exp.Expr:
        """The expression over the side's own table."""
        return over(self._snapshot, self._root.name, expr)

    @property
    def joined(self) -> frozenset[tuple[Hop, ...]]:
        """The ways to all tables that are joined so far."""
        return frozenset(self._aliases)

    def select(self) -> exp.Select:
        """`SELECT` without columns from the table and its joins."""
        found = exp.Select().from_(table(self._root.table, self._root.name))
        for join in self._joins:
            found.append("joins", join)
        return found

    def _alias(self, hops: tuple[Hop, ...]) -> str:
        if hops in self._aliases:
            return self._aliases[hops]
        self._alias(hops[:-1])
        last = hops[-1]
        taken = set(self._aliases.values())
        tried = chain((last.right,), (f"{last.right}_{n}" for n in count(2)))
        alias = next(a for a in tried if a not in taken)
        self._aliases[hops] = alias
        models = lookup(self._snapshot).models
        names = (self._root.name, *(h.right for h in hops))
        before = [(self._aliases[hops[:i]], models[names[i]]) for i in range(len(hops))]
        meets = meeting(self._snapshot, last, alias, before, self._now)
        model = models[last.right]
        joined = exp.Join(this=table(model.table, alias), side="LEFT", on=exp.and_(*meets, copy=False))
        self._joins.append(relying(joined, key_of(self._snapshot, last, before)))
        self.read.add(model.table)
        self.crosses_bridge |= last.bridge
        return alias


def over(snapshot: CatalogSnapshot, alias: str, expr: str) -> exp.Expr:
    """An expression of the catalog over the columns of one table, or a typed stop."""
    try:
        return row_expression(expr, alias, snapshot.dialect)
    except BadExpression as bad:
        raise stop(IssueCode.INVALID_CATALOG, f"{bad}.", subject=expr) from bad


def meeting(
    snapshot: CatalogSnapshot, hop: Hop, alias: str, before: Sequence[tuple[str, SemanticModel]], now: Now
) -> list[exp.Expr]:
    """What a row of the next table, called `alias`, must share with the tables before it, nearest last."""
    model = lookup(snapshot).models[hop.right]
    left = before[-1][0]
    pairs = zip(hop.left_columns, hop.right_columns, strict=True)
    same = [exp.EQ(this=over(snapshot, left, a), expression=over(snapshot, alias, b)) for a, b in pairs]
    return [*same, *_partitions(snapshot, model, alias, before), *_validity(snapshot, model, alias, now)]


def key_of(snapshot: CatalogSnapshot, hop: Hop, before: Sequence[tuple[str, SemanticModel]]) -> ReliedKey | None:
    """What has to tell rows apart for none to count twice: those of the next table, of which a row may meet one.

    Over a bridge a row meets several and is counted once by its own key; None where its table names none.
    """
    model = lookup(snapshot).models[hop.right]
    if hop.bridge:
        own = before[0][1]
        key = own.primary_entity()
        observed = key is not None and (key.observed or _is_observed(hop, before[-1][1], model))
        return ReliedKey(model=own.name, table=own.table, columns=key.columns(), observed=observed) if key else None
    shared = tuple(mine.name for _, _, mine in _shared_partitions(snapshot, model, before))
    return ReliedKey(
        model=model.name,
        table=model.table,
        columns=hop.right_columns,
        partitions=shared,
        observed=_is_observed(hop, before[-1][1], model),
    )


def _is_observed(hop: Hop, left: SemanticModel, right: SemanticModel) -> bool:
    """Whether no constraint declares the join, on either side."""
    return any(e.observed for m in (left, right) for e in m.entities if e.name == hop.entity)


def _partitions(
    snapshot: CatalogSnapshot, model: SemanticModel, alias: str, before: Sequence[tuple[str, SemanticModel]]
) -> list[exp.Expr]:
    """Rows of a partition meet rows of the same partition, of the nearest table before that is partitioned so."""
    return [
        _equal_partition(over(snapshot, other, theirs.expr), theirs, over(snapshot, alias, mine.expr), mine)
        for other, theirs, mine in _shared_partitions(snapshot, model, before)
    ]


def _shared_partitions(
    snapshot: CatalogSnapshot, model: SemanticModel, before: Sequence[tuple[str, SemanticModel]]
) -> list[tuple[str, Dimension, Dimension]]:
    """The alias of a table before, its partition, and the same partition of the next table, in its order."""
    found: list[tuple[str, Dimension, Dimension]] = []
    apart = lookup(snapshot).kept_apart
    for mine in (d for d in apart.get(model.name, ()) if d.is_partition):
        for other_alias, other in reversed(before):
            others = apart.get(other.name, ())
            same = next((d for d in others if d.is_partition and d.name == mine.name), None)
            if same is not None:
                found.append((other_alias, same, mine))
                break
    return found


def _equal_partition(left: exp.Expr, left_time: Dimension, right: exp.Expr, right_time: Dimension) -> exp.Expr:
    if left_time.granularity is None or right_time.granularity is None:
        return exp.EQ(this=left, expression=right)
    return exp.EQ(this=truncated(left, left_time.granularity), expression=truncated(right, right_time.granularity))


def _validity(snapshot: CatalogSnapshot, model: SemanticModel, alias: str, now: Now) -> list[exp.Expr]:
    """Of a slowly changing table only the row that was valid at the rows' own time."""
    apart = lookup(snapshot).kept_apart.get(model.name, ())
    start = next((d for d in apart if d.validity is Validity.START), None)
    end = next((d for d in apart if d.validity is Validity.END), None)
    if start is None or end is None:
        return []
    at = now()
    if at is None:
        message = f"{model.name} changes over time; without a metric that has a time there is no day to look it up at."
        raise stop(IssueCode.UNSUPPORTED, message, subject=model.name)
    until = over(snapshot, alias, end.expr)
    after = exp.GTE(this=at, expression=as_timestamp(over(snapshot, alias, start.expr)))
    until_end = exp.LT(this=at.copy(), expression=as_timestamp(until))
    return [after, exp.paren(exp.or_(until_end, exp.Is(this=until.copy(), expression=exp.Null())), copy=False)]
