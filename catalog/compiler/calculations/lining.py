"""Rows of several relations side by side: each source's values in columns of their own, one row per group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from catalog.compiler.relation import Queries
from catalog.compiler.sql import column, cte_table, named, select_from, subquery
from catalog.query import ResultColumn

LINED_UP, FILLED, KEPT = "lined_up", "filled", "kept"
_STACKED, _SOURCE = "stacked", "source"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Rows to line up: those of `table` that meet `where`, with `groups` by alias; an absent group is missing.

    The source's values stand in columns that end in `suffix`.  `keeps`: its groups
    belong to the answer.  `inside` tells, for a row, whether its time lies within the
    data, so that having no rows means 0; None: nothing is ever filled.  With `spread`
    each row's values hold for all rows that are equal in those groups.  `adds_up`: its values are
    only added up over periods, so one without rows is 0 even where gaps are kept.
    """

    suffix: str
    table: str
    groups: tuple[tuple[str, exp.Expr], ...]
    metrics: tuple[str, ...] = ()
    where: tuple[exp.Expr, ...] = ()
    keeps: bool = False
    inside: exp.Expr | None = None
    spread: tuple[str, ...] | None = None
    adds_up: bool = False

    def column(self, metric: str) -> str:
        """The column of the metric's values from this source."""
        return f"{metric}__{self.suffix}" if self.suffix else metric

    @property
    def flag(self) -> str:
        """The column that is 1 where the source has the group."""
        return f"in_{self.suffix or 'asked'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A value of the calculated rows: its column, and what it is over the filled rows."""

    column: ResultColumn
    value: exp.Expr
    shown: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Addition:
    """What one calculation adds to a statement."""

    queries: Queries = ()
    sources: tuple[Source, ...] = ()
    values: tuple[Value, ...] = ()
    tables: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()


def read_from(table: str) -> exp.Select:
    """`SELECT … FROM` a query of this statement."""
    return select_from(exp.to_identifier(table, quoted=True))


def line_up(sources: Sequence[Source], aliases: Sequence[str]) -> exp.Select:
    """The sources' rows under each other, then one row per group; missing members are equal to each other."""
    metrics = tuple(dict.fromkeys(m for s in sources for m in s.metrics))
    whole: exp.Query | None = None
    for number, source in enumerate(sources, 1):
        arm = _arm(source, number, aliases, metrics=metrics)
        whole = arm if whole is None else exp.Union(this=whole, expression=arm, distinct=False)
    select = select_from(subquery(whole or exp.Select(), _STACKED))
    groups = [named(column(_STACKED, a), a) for a in aliases]
    values = [
        named(_where_from(number, column(_STACKED, m)), source.column(m))
        for number, source in enumerate(sources, 1)
        for m in source.metrics
    ]
    flags = [named(_where_from(n, exp.Literal.number(1)), s.flag) for n, s in enumerate(sources, 1)]
    keeping = [exp.Literal.number(n) for n, s in enumerate(sources, 1) if s.keeps]
    keeps = exp.In(this=column(_STACKED, _SOURCE), expressions=keeping)
    kept = named(exp.Max(this=exp.Case(ifs=[exp.If(this=keeps, true=exp.Literal.number(1))])), KEPT)
    made = select.select(*groups, *values, *flags, kept, copy=False)
    return made.group_by(*(exp.Literal.number(i) for i, _ in enumerate(aliases, 1)), copy=False) if aliases else made


def _arm(source: Source, number: int, aliases: Sequence[str], *, metrics: tuple[str, ...]) -> exp.Select:
    groups = dict(source.groups)
    select = read_from(source.table).select(
        named(exp.Literal.number(number), _SOURCE),
        *(named(groups[a].copy() if a in groups else exp.null(), a) for a in aliases),
        *(named(column(source.table, m) if m in source.metrics else exp.null(), m) for m in metrics),
        copy=False,
    )
    return select.where(*source.where, copy=False) if source.where else select


def _where_from(number: int, value: exp.Expr) -> exp.Expr:
    mine = exp.EQ(this=column(_STACKED, _SOURCE), expression=exp.Literal.number(number))
    return exp.Max(this=exp.Case(ifs=[exp.If(this=mine, true=value)]))


def own_groups(table: str, aliases: Sequence[str]) -> tuple[tuple[str, exp.Expr], ...]:
    """The groups as the table has them."""
    return tuple((a, column(table, a)) for a in aliases)


def members(sources: Sequence[Source], aliases: Sequence[str]) -> exp.Query:
    """Each combination of the groups that a source has, once."""
    whole: exp.Query | None = None
    for source in sources:
        groups = dict(source.groups)
        arm = read_from(source.table).select(*(named(groups[a].copy(), a) for a in aliases), copy=False)
        arm = arm.where(*(w.copy() for w in source.where), copy=False) if source.where else arm
        whole = arm if whole is None else exp.Union(this=whole, expression=arm, distinct=True)
    return whole.distinct(copy=False) if isinstance(whole, exp.Select) else whole or exp.Select()


def cross(select: exp.Select, table: str) -> exp.Select:
    """The select with every row of the table beside every row."""
    select.append("joins", exp.Join(this=cte_table(table), kind="CROSS"))
    return select


def over(value: exp.Expr, table: str, aliases: Sequence[str]) -> exp.Window:
    """The aggregate over all rows of the table that are equal in the groups; missing members are equal."""
    return exp.Window(this=value, partition_by=[column(table, a) for a in aliases] or None)
