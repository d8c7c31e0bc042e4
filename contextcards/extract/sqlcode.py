"""SQL text → what it does, with the line of each statement about it.  Reads trees; runs nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from contextcards.extract.behaviour import Behaviour, Deduplication, JoinUse, Predicate, stems

Ctes = dict[str, exp.Expr]


@dataclass(slots=True)
class _Walk:
    """One walk through a query: where it goes, and what it has collected so far."""

    ctes: Ctes
    file: str
    predicates: list[Predicate] = field(default_factory=list)
    deduplications: list[Deduplication] = field(default_factory=list)
    joins: list[JoinUse] = field(default_factory=list)
    narrowing: list[str] = field(default_factory=list)
    grain: tuple[str, ...] = ()
    start: str = ""
    joined: bool = False


def behaviour_of(table: str, sql: str, file: str, dialect: str = "duckdb") -> Behaviour | None:
    """What the SELECT that makes `table` does, or None when the text is not one query that can be read."""
    try:
        tree = sqlglot.parse_one(sql, read=dialect)
    except (SqlglotError, RecursionError):
        return None
    if not isinstance(tree, exp.Query):
        return None
    ctes: Ctes = {cte.alias: cte.this for cte in tree.find_all(exp.CTE)}
    walk = _Walk(ctes=ctes, file=file)
    _query(tree, walk, own=True, seen=frozenset())
    return Behaviour(
        table=table,
        pointer=f"{file}:1",
        predicates=tuple(dict.fromkeys(walk.predicates)),
        deduplications=tuple(dict.fromkeys(walk.deduplications)),
        joins=tuple(dict.fromkeys(walk.joins)),
        grain=walk.grain,
        columns=tuple(n for n in tree.named_selects if n != "*"),
        reads=tuple(dict.fromkeys(_name(t) for t in tree.find_all(exp.Table) if t.name and t.name not in ctes)),
        narrowing=tuple(dict.fromkeys(walk.narrowing)),
        start=walk.start,
        joined=walk.joined,
        windows=frozenset(_windows(tree)),
    )


def _query(query: exp.Expr, walk: _Walk, *, own: bool, seen: frozenset[str]) -> None:
    """Collect along the rows' way: the query itself, then what its FROM and inner joins read.

    `own` holds on the way of FROM alone: there, equal rows that become one are this table's rows.
    """
    if isinstance(query, exp.Subquery):
        query = query.this
    if isinstance(query, exp.SetOperation):
        if own and query.args.get("distinct"):
            walk.deduplications.append(Deduplication(how="UNION", columns=(), pointer=_at(query, walk.file)))
        walk.joined = walk.joined or own  # its rows are those of both sides: neither side's grain is its own
        for side in (query.left, query.right):
            _query(side, walk, own=False, seen=seen)
    elif isinstance(query, exp.Select):
        _select(query, walk, own=own, seen=seen)


def _select(query: exp.Select, walk: _Walk, *, own: bool, seen: frozenset[str]) -> None:
    walk.predicates += _predicates(query, walk)
    if own:
        distinct = (*_ranked(query, walk), *_distinct(query, walk.file))
        walk.deduplications += distinct
        if distinct and not walk.grain and not walk.joined:
            walk.grain = distinct[0].columns
        walk.joined = walk.joined or bool(query.args.get("joins"))
    for source, join in _sources(query):
        if join is not None:
            walk.joins.append(_join(join, source, walk.file))
        if join is None or _is_inner(join):
            _source(source, walk, own=own and join is None, seen=seen)


def _source(source: exp.Expr, walk: _Walk, *, own: bool, seen: frozenset[str]) -> None:
    if isinstance(source, exp.Subquery):
        _query(source.this, walk, own=own, seen=seen)
    elif isinstance(source, exp.Table) and source.name in walk.ctes and not source.db:
        if source.name not in seen:
            _query(walk.ctes[source.name], walk, own=own, seen=seen | {source.name})
    elif isinstance(source, exp.Table):
        walk.narrowing.append(_name(source))
        walk.start = _name(source) if own else walk.start


def _sources(query: exp.Select) -> Iterator[tuple[exp.Expr, exp.Join | None]]:
    start = query.args.get("from_") or query.args.get("from")
    if start is not None:
        yield start.this, None
    for join in query.args.get("joins") or ():
        yield join.this, join


def _is_inner(join: exp.Join) -> bool:
    return join.side in ("", "RIGHT") and join.kind in ("", "INNER", "SEMI")


def _join(join: exp.Join, source: exp.Expr, file: str) -> JoinUse:
    on = join.args.get("on")
    using = ", ".join(column.name for column in join.args.get("using") or ())
    return JoinUse(
        table=_name(source) if isinstance(source, exp.Table) else source.alias_or_name,
        kind=" ".join(word for word in (join.side, join.kind, "join") if word).lower(),
        condition=on.sql("duckdb") if on is not None else using,
        pointer=_at(join, file),
    )


def _conditions(query: exp.Select) -> Iterator[exp.Expr]:
    for clause in ("where", "having", "qualify"):
        node = query.args.get(clause)
        if node is not None:
            yield from node.this.flatten() if isinstance(node.this, exp.And) else (node.this,)


def _predicates(query: exp.Select, walk: _Walk) -> Iterator[Predicate]:
    """Conditions on rows; keeping the first row of a group is none, it makes rows distinct."""
    for part in _conditions(query):
        if _row_number(part, query, walk.ctes) is None:
            yield _predicate(part, walk.file)


def _ranked(query: exp.Select, walk: _Walk) -> Iterator[Deduplication]:
    for part in _conditions(query):
        ranked = _row_number(part, query, walk.ctes)
        if ranked is not None:
            columns = tuple(c.name for c in ranked.args.get("partition_by") or ())
            how = f"keeps the first row per {', '.join(columns) or 'table'} ({ranked.sql('duckdb')} = 1)"
            yield Deduplication(how=how, columns=columns, pointer=_at(part, walk.file))


def _row_number(part: exp.Expr, query: exp.Select, ctes: Ctes) -> exp.Window | None:
    """The window behind a condition `row_number = 1`, written in place or by an alias further in."""
    if not (isinstance(part, exp.EQ) and part.expression.name == "1"):
        return None
    left = part.this
    if isinstance(left, exp.Window):
        return left if isinstance(left.this, exp.RowNumber) else None
    scope = (query, *(s.this if isinstance(s, exp.Subquery) else ctes.get(s.name) for s, _ in _sources(query)))
    for inner in scope:
        for alias in inner.find_all(exp.Alias) if inner is not None else ():
            if alias.alias == left.name and isinstance(alias.this, exp.Window):
                return alias.this if isinstance(alias.this.this, exp.RowNumber) else None
    return None


def _distinct(query: exp.Select, file: str) -> Iterator[Deduplication]:
    names = tuple(n for n in query.named_selects if n != "*")
    if query.args.get("distinct"):
        yield Deduplication(how="DISTINCT", columns=names, pointer=_at(query, file))
    group = query.args.get("group")
    if group is not None:
        columns = tuple(_group_column(item, query) for item in group.expressions) or _group_all(query)
        how = f"one row per {', '.join(columns)} (GROUP BY)"
        yield Deduplication(how=how, columns=columns, pointer=_at(group, file, query))


def _group_column(item: exp.Expr, query: exp.Select) -> str:
    """The output name of a GROUP BY item; a number stands for that column of the SELECT list."""
    if isinstance(item, exp.Literal) and item.is_int and 0 < int(item.name) <= len(query.selects):
        return query.selects[int(item.name) - 1].alias_or_name
    same = next((s.alias for s in query.selects if isinstance(s, exp.Alias) and s.this == item), "")
    return same or item.alias_or_name or item.sql("duckdb")


def _group_all(query: exp.Select) -> tuple[str, ...]:
    return tuple(s.alias_or_name for s in query.selects if not s.find(exp.AggFunc))


def _predicate(part: exp.Expr, file: str) -> Predicate:
    words = [i.name for i in part.find_all(exp.Identifier)]
    words += [x.name for x in part.find_all(exp.Literal) if x.is_string]
    drops, keeps = _polarity(part)
    return Predicate(
        sql=part.sql("duckdb", comments=False),
        pointer=_at(part, file),
        mentions=frozenset().union(*(stems(w) for w in words)),
        drops=drops,
        keeps=keeps,
    )


def _polarity(part: exp.Expr, negated: bool = False) -> tuple[frozenset[str], frozenset[str]]:
    """Stems of what a condition drops, and of what it restricts the rows to."""
    none: frozenset[str] = frozenset()
    if isinstance(part, exp.Paren):
        return _polarity(part.this, negated)
    if isinstance(part, exp.Not):
        return _polarity(part.this, not negated)
    if isinstance(part, exp.Coalesce | exp.Column):
        words = stems(part.this.name if isinstance(part, exp.Coalesce) else part.name)
    elif isinstance(part, exp.Is | exp.EQ | exp.NEQ) and isinstance(part.expression, exp.Boolean | exp.Null):
        words = _column_words(part)
        isnt = isinstance(part, exp.NEQ) != (isinstance(part.expression, exp.Null) or not part.expression.this)
        negated = negated != isnt
    elif isinstance(part, exp.EQ | exp.NEQ | exp.In):
        words = frozenset().union(none, *(stems(x.name) for x in part.find_all(exp.Literal) if x.is_string))
        negated = negated != isinstance(part, exp.NEQ)
    else:
        return none, none
    return (words, none) if negated else (none, words)


def _column_words(part: exp.Expr) -> frozenset[str]:
    column = part.find(exp.Column)
    return stems(column.name) if column is not None else frozenset()


def _windows(tree: exp.Expr) -> Iterator[tuple[int, str]]:
    for interval in tree.find_all(exp.Interval):
        number, unit = interval.this, interval.args.get("unit")
        if isinstance(number, exp.Literal) and number.name.isdigit() and unit is not None:
            yield int(number.name), unit.name.lower().rstrip("s")


def _name(table: exp.Table) -> str:
    return f"{table.db}.{table.name}" if table.db else table.name


def _at(node: exp.Expr, file: str, fallback: exp.Expr | None = None) -> str:
    """file:line of the first name in a node; line 1 where the tree has none."""
    for one in (node, fallback):
        lines = [i.meta["line"] for i in one.find_all(exp.Identifier) if "line" in i.meta] if one is not None else []
        if lines:
            return f"{file}:{min(lines)}"
    return f"{file}:1"
