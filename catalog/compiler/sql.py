"""Small SQL trees that the compiler's steps share."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlglot import exp

from catalog.compiler.stop import stop
from catalog.issues import IssueCode
from catalog.types import TimeGranularity

_PARTS = {"dow": "isodow"}
"""Days of the week count from Monday = 1."""


def quoted(name: str) -> exp.Identifier:
    """`"name"`."""
    return exp.Identifier(this=name, quoted=True)


def column(table: str, name: str) -> exp.Column:
    """`"table"."name"`."""
    return exp.Column(this=quoted(name), table=quoted(table))


def unplaced(tree: exp.Expr) -> exp.Expr:
    """The tree itself where it stands nowhere yet, else a copy of it."""
    return tree if tree.parent is None else tree.copy()


def cast(value: exp.Expr, to: exp.DType) -> exp.Cast:
    """`CAST(value AS to)`."""
    return exp.Cast(this=value, to=exp.DataType(this=to))


def named(value: exp.Expr, name: str) -> exp.Alias:
    """`value AS "name"`."""
    return exp.Alias(this=value, alias=quoted(name))


def table(qualified: str, alias: str) -> exp.Table:
    """`"schema"."table" AS "alias"`."""
    *schema, name = qualified.split(".")
    return exp.Table(
        this=quoted(name),
        db=quoted(schema[-1]) if schema else None,
        catalog=quoted(schema[0]) if len(schema) > 1 else None,
        alias=exp.TableAlias(this=quoted(alias)),
    )


def cte_table(name: str) -> exp.Table:
    """A query of this statement by its name."""
    return exp.Table(this=quoted(name))


def subquery(query: exp.Query, alias: str) -> exp.Subquery:
    """`(query) AS "alias"`."""
    return exp.Subquery(this=query, alias=exp.TableAlias(this=quoted(alias)))


def join(source: exp.Expr, on: Sequence[exp.Expr], *, side: str = "LEFT") -> exp.Join:
    """A join on all of `on`; a cross join where there is nothing to join on."""
    if not on:
        return exp.Join(this=source, kind="CROSS")
    kind = {"INNER": {"kind": "INNER"}}.get(side, {"side": side})
    return exp.Join(this=source, on=exp.and_(*(unplaced(o) for o in on), copy=False), **kind)


def select_from(source: exp.Expr, joins: Sequence[exp.Join] = ()) -> exp.Select:
    """`SELECT … FROM source` with its joins."""
    made = exp.Select().from_(source)
    for one in joins:
        made.append("joins", one)
    return made


def grouped(select: exp.Select, groups: Sequence[exp.Expr], columns: Sequence[exp.Expr]) -> exp.Select:
    """The columns for each group; without columns, the groups once."""
    made = select.select(*groups, *columns, copy=False)
    return made.group_by(*(exp.Literal.number(i) for i, _ in enumerate(groups, 1)), copy=False) if groups else made


def truncated(value: exp.Expr, grain: str) -> exp.Expr:
    """The start of the period in which `value` lies, as a timestamp."""
    return exp.TimestampTrunc(this=as_timestamp(value), unit=exp.var(grain.upper()))


def extracted(value: exp.Expr, part: str) -> exp.Expr:
    """A part of a time as a number."""
    return exp.Extract(this=exp.var(_PARTS.get(part, part)), expression=as_timestamp(value))


def as_timestamp(value: exp.Expr) -> exp.Expr:
    """The value as a timestamp, so that a date and a text of a date meet as equals."""
    return cast(unplaced(value), exp.DType.TIMESTAMP)


def literal(moment: datetime) -> exp.Expr:
    """A timestamp literal."""
    return cast(exp.Literal.string(moment.isoformat(sep=" ")), exp.DType.TIMESTAMP)


def before(value: exp.Expr, count: int, granularity: TimeGranularity) -> exp.Expr:
    """The time `count` periods earlier."""
    if granularity is TimeGranularity.QUARTER:
        count, granularity = count * 3, TimeGranularity.MONTH
    if granularity is TimeGranularity.NANOSECOND:
        raise stop(IssueCode.UNSUPPORTED, "Windows of nanoseconds cannot be computed.", subject="nanosecond")
    amount = exp.Interval(this=exp.Literal.string(str(count)), unit=exp.var(granularity.value.upper()))
    return exp.Sub(this=unplaced(value), expression=amount)


def where(select: exp.Select, conditions: Sequence[exp.Expr]) -> exp.Select:
    """The select under all conditions."""
    return select.where(*conditions, copy=False) if conditions else select
