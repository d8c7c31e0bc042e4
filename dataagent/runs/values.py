"""Which members of dimensions to read from the warehouse, as queries that still have to pass the guard."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from catalog.access import AccessScope
from catalog.expressions import row_expression
from catalog.lookup import Held, lookup
from catalog.types import CatalogSnapshot, DimensionType
from catalog.visible import values_visible

MAX_MEMBERS = 5_000
"""A dimension with more members is read page by page, and not while somebody waits."""

PAGE_ROWS = 50_000
AFTER = "after"
"""The parameter of a page: the last member of the page before."""

WORDED = frozenset({DimensionType.CATEGORICAL, DimensionType.ORDINAL, DimensionType.GEO, DimensionType.TEXT})
"""Kinds of dimension whose members people name; personal and free text are marked not indexable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueQuery:
    """Queries for the members of one dimension, by its public name.

    `sql` gives all of them, one more than MAX_MEMBERS at most.  `first_page` and `next_page`, which
    takes AFTER, give them in the engine's order.
    """

    dimension: str
    sql: str
    first_page: str
    next_page: str


def value_queries(snapshot: CatalogSnapshot, scope: AccessScope, dialect: str) -> tuple[ValueQuery, ...]:
    """A query in `dialect` per dimension whose members this scope may name, in catalog order."""
    names = lookup(snapshot)
    return tuple(
        _queries(names.canonical(held), held, snapshot.dialect, dialect)
        for model in snapshot.models
        for held in (Held(model, d) for d in model.dimensions if d.type in WORDED)
        if values_visible(snapshot, scope, held)
    )


def _queries(name: str, held: Held, written: str, dialect: str) -> ValueQuery:
    value = row_expression(held.dimension.expr, "t", written)
    *spaces, table = (exp.to_identifier(part, quoted=True) for part in held.model.table.split("."))
    source = exp.Table(this=table, db=spaces[-1] if spaces else None).as_("t", quoted=True)
    query = exp.select(value.as_("value", quoted=True)).distinct().from_(source)
    query = query.where(value.copy().is_(exp.null()).not_())
    page = query.order_by(exp.Literal.number(1)).limit(PAGE_ROWS)
    later = page.where(exp.GT(this=value.copy(), expression=exp.Placeholder(this=AFTER)))
    texts = (made.sql(dialect=dialect) for made in (query.limit(MAX_MEMBERS + 1), page, later))
    few, first_page, next_page = texts
    return ValueQuery(dimension=name, sql=few, first_page=first_page, next_page=next_page)
