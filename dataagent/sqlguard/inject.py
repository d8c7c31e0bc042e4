"""The sub-query that stands in for a table: permitted columns by name, masks applied, the row filter inside.

Everything injected is fully qualified and quoted.  Seen on both engines:
`WITH customers AS (...)` captures an unqualified name inside an injected
filter and returns another tenant's rows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from catalog.access import Mask, MaskKind
from catalog.query import Parameter
from dataagent.sqlguard.groups import grouped
from dataagent.sqlguard.refusals import Reason, Stop
from dataagent.sqlguard.world import Grant, World

RESERVED = "policy_"
_ATTRIBUTE = re.compile(r"('(?:[^']|'')*'|\"(?:[^\"]|\"\")*\")|(?<!:):([A-Za-z_][A-Za-z0-9_]*)")
_PLACEHOLDERS = {"duckdb": "$", "postgres": ":"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Injection:
    """The sub-query's tree (to be copied), its columns by compared name, and the parameters that it may need."""

    select: exp.Select
    keys: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    bases: frozenset[tuple[str, str, str]]

    def fill(self, target: exp.Select, named: frozenset[str] | None) -> None:
        """Make `target` a copy, with only the `named` columns; with all of them for None.  Never with none at all."""
        wanted = [e for k, e in zip(self.keys, self.select.expressions, strict=True) if named is None or k in named]
        target.set("expressions", [e.copy() for e in wanted or self.select.expressions[:1]])
        for name, value in self.select.args.items():
            if name != "expressions" and isinstance(value, exp.Expr):
                target.set(name, value.copy())


@lru_cache(maxsize=2048)
def injection(world: World, key: tuple[str, str]) -> Injection:
    """What replaces a reference to the granted table.  Raises: Stop(policy_invalid) rather than leave a filter out."""
    grant = world.grants[key]
    masks = {mask.column: mask for mask in grant.access.masks}
    parameters: list[Parameter] = []
    select = exp.Select(
        expressions=[
            _masked(world, grant, column.name, masks[column.name], parameters)
            if column.name in masks
            else _column(grant, column.name)
            for column in grant.columns
        ]
    ).from_(_base(world, grant), copy=False)
    if grant.access.row_filter is not None:
        predicate = _predicate(world, grant, parameters)
        select = select.where(predicate, copy=False)
        if world.dialect != "duckdb" or predicate.find(exp.Query):
            select = select.offset(0, copy=False)
    if grant.access.minimum_group is not None:
        select = grouped(world, grant, grant.access.minimum_group, select)
    return Injection(
        select=select,
        keys=tuple(world.key(column.name) for column in grant.columns),
        parameters=tuple(parameters),
        bases=frozenset((t.catalog, t.db, t.name) for t in select.find_all(exp.Table)),
    )


def _base(world: World, grant: Grant) -> exp.Table:
    """The table itself, fully qualified, under its bare name: the name that predicates may use."""
    return exp.Table(
        this=_name(grant.table),
        db=_name(grant.schema),
        catalog=_name(world.catalog) if world.catalog else None,
        alias=exp.TableAlias(this=_name(grant.table)),
    )


def _column(grant: Grant, name: str) -> exp.Column:
    return exp.Column(this=_name(name), table=_name(grant.table))


def _name(text: str) -> exp.Identifier:
    return exp.Identifier(this=text, quoted=True)


def _predicate(world: World, grant: Grant, parameters: list[Parameter]) -> exp.Expr:
    """The row filter's tree: attributes as parameters, own columns qualified, other tables known and qualified."""
    rule = grant.access.row_filter
    if rule is None:
        raise Stop(Reason.POLICY)
    values = dict(rule.parameters)
    mark = _PLACEHOLDERS[world.dialect]
    text = _ATTRIBUTE.sub(lambda m: m.group(1) or f"{mark}{_parameter_name(grant, m.group(2))}", rule.predicate)
    try:
        tree = sqlglot.parse_one(text, read=world.dialect, into=exp.Condition)
    except (SqlglotError, RecursionError, ValueError):
        raise Stop(Reason.POLICY) from None
    for placeholder in tree.find_all(exp.Placeholder):
        name = placeholder.name.removeprefix(_parameter_name(grant, ""))
        if name not in values:
            raise Stop(Reason.POLICY)
        _add(parameters, Parameter(name=placeholder.name, value=values[name]))
    for table in tree.find_all(exp.Table):
        _qualify_table(world, table)
    for column in list(tree.find_all(exp.Column)):
        _qualify_column(world, grant, column)
    return tree


def _parameter_name(grant: Grant, attribute: str) -> str:
    return f"{RESERVED}{grant.number}_{attribute}"


def _add(parameters: list[Parameter], parameter: Parameter) -> None:
    if parameter not in parameters:
        parameters.append(parameter)


def _table_key(world: World, table: exp.Table) -> tuple[str, str]:
    schema = table.args.get("db")
    if schema is None or not isinstance(table.this, exp.Identifier):
        raise Stop(Reason.POLICY)
    return (world.key(schema), world.key(table.this))


def _qualify_table(world: World, table: exp.Table) -> None:
    """A table inside a predicate must be named with its schema and must exist; it gets the catalog too."""
    key = _table_key(world, table)
    if key not in world.schema:
        raise Stop(Reason.POLICY)
    if world.catalog and table.args.get("catalog") is None:
        table.set("catalog", _name(world.catalog))


def _qualify_column(world: World, grant: Grant, column: exp.Column) -> None:
    """An unqualified column belongs to the innermost table of the predicate that has it, else to the filtered table."""
    if column.args.get("table") is not None:
        return
    key = world.key(column.this)
    around = column.find_ancestor(exp.Select)
    while around is not None:
        inner = [t for t in around.find_all(exp.Table) if t.find_ancestor(exp.Select) is around]
        if any(key == world.key(c.name) for t in inner for c in world.schema[_table_key(world, t)].columns):
            return
        around = around.find_ancestor(exp.Select)
    if all(key != world.key(c.name) for c in grant.all_columns):
        raise Stop(Reason.POLICY)
    column.set("table", _name(grant.table))


def _masked(world: World, grant: Grant, name: str, mask: Mask, parameters: list[Parameter]) -> exp.Alias:
    """The masked value under the column's own name."""
    column = _column(grant, name)
    kind = next(c.type for c in grant.columns if c.name == name)
    if mask.kind is MaskKind.NULL:
        value: exp.Expr = exp.Cast(this=exp.Null(), to=_type(world, kind))
    elif mask.kind is MaskKind.CONSTANT:
        value = exp.Cast(this=exp.Literal.string(mask.argument), to=_type(world, kind))
    elif mask.kind is MaskKind.PARTIAL:
        kept = exp.Literal.number(_whole(mask.argument or "1"))
        start = exp.Substring(this=_text(world, column), start=exp.Literal.number(1), length=kept)
        value = exp.DPipe(this=start, expression=exp.Literal.string("***"))
    elif mask.kind is MaskKind.BUCKET:
        value = _bucket(column, mask.argument)
    else:
        value = _hash(world, grant, column, mask, parameters)
    return exp.Alias(this=value, alias=_name(name))


def _bucket(column: exp.Column, argument: str) -> exp.Expr:
    """The lower end of the bucket that holds the value."""
    try:
        width = Decimal(argument)
    except InvalidOperation:
        raise Stop(Reason.POLICY) from None
    if not width.is_finite() or width <= 0:
        raise Stop(Reason.POLICY)
    number = exp.Literal.number(format(width, "f"))
    share = exp.Paren(this=exp.Div(this=column, expression=number, typed=False, safe=False))
    return exp.Mul(this=exp.Floor(this=share), expression=number.copy())


def _hash(world: World, grant: Grant, column: exp.Column, mask: Mask, parameters: list[Parameter]) -> exp.Expr:
    """A keyed digest: without the workspace's key, hashing guesses would find the value."""
    if not mask.argument:
        raise Stop(Reason.POLICY)
    key = Parameter(name=f"{RESERVED}{grant.number}_mask_key", value=mask.argument)
    _add(parameters, key)
    salted = exp.DPipe(this=exp.Placeholder(this=key.name), expression=_text(world, column))
    if world.dialect == "duckdb":
        return exp.func("sha256", salted, dialect=world.dialect)
    octets = exp.func("convert_to", salted, exp.Literal.string("UTF8"), dialect=world.dialect)
    digest = exp.func("sha256", octets, dialect=world.dialect)
    return exp.func("encode", digest, exp.Literal.string("hex"), dialect=world.dialect)


def _text(world: World, column: exp.Column) -> exp.Expr:
    return exp.Cast(this=column, to=_type(world, "TEXT" if world.dialect == "postgres" else "VARCHAR"))


def _type(world: World, kind: str) -> exp.DataType:
    try:
        return exp.DataType.build(kind, dialect=world.dialect)
    except (SqlglotError, ValueError):
        raise Stop(Reason.POLICY) from None


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise Stop(Reason.POLICY)
    return int(text)
