"""Resolve every table by our own scoping of CTEs, and put the policy's sub-query in its place.

Columns are looked up in what the scope permits; the wall itself is the
projection of the injected sub-queries, in which hidden columns do not exist.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from dataagent.sqlguard.columns import ColumnRules
from dataagent.sqlguard.functions import is_table_function
from dataagent.sqlguard.inject import injection
from dataagent.sqlguard.refusals import Reason, Stop
from dataagent.sqlguard.scopes import Env, Output, Source, union_of
from dataagent.sqlguard.world import World

Ctes = Mapping[str, Output | None]
"""CTEs in reach: their columns; None for one that may not be named yet."""

_REFUSED_TABLE_ARGS = ("when", "version", "only", "hints", "partition", "changes", "format", "pattern", "system_time")
_MOVED_TABLE_ARGS = ("joins", "laterals", "pivots", "sample")
_SELECT_LATE = ("where", "having", "qualify")
_SKIPPED = {"with_", "from_", "joins", "laterals", "expressions", "alias"}


@dataclass(slots=True)
class Resolver:
    """One walk over one tree.  `stand_ins` are the sub-queries that it put in place of base tables, still empty."""

    world: World
    columns: ColumnRules
    stand_ins: list[tuple[tuple[str, str], exp.Select]] = field(default_factory=list)

    def used(self) -> tuple[tuple[str, str], ...]:
        """The base tables that were replaced, each once, in order of first use."""
        return tuple(dict.fromkeys(key for key, _ in self.stand_ins))

    def fill(self, tree: exp.Expr) -> None:
        """Give every stand-in its columns: all permitted ones where the query means all, else those that it names.

        Any name anywhere in the tree counts, whatever it turns out to stand for.
        """
        words = (n.name if isinstance(n, exp.Var) else n for n in tree.find_all(exp.Identifier, exp.Var))
        named = None if self.columns.starred else frozenset(self.world.key(w) for w in words)
        for key, stand_in in self.stand_ins:
            injection(self.world, key).fill(stand_in, named)

    def query(self, node: exp.Expr, parent: Env | None, ctes: Ctes) -> Output:
        """The columns of a query, after everything in it is resolved and replaced.  Raises: Stop."""
        ctes = self._with(node, parent, ctes)
        if isinstance(node, exp.Select):
            return self._select(node, parent, ctes)
        if isinstance(node, exp.SetOperation):
            left = self.query(node.left, parent, ctes)
            right = self.query(node.right, parent, ctes)
            return self._modified(node, parent, ctes, _either(left, right))
        if isinstance(node, exp.Subquery):
            return self._subquery(node, parent, ctes)
        if isinstance(node, exp.Values):
            return self._values(node, parent, ctes)
        if isinstance(node, exp.Pivot):
            return self._pivot_statement(node, parent, ctes)
        raise Stop(Reason.STATEMENT_KIND)

    def _with(self, node: exp.Expr, parent: Env | None, ctes: Ctes) -> Ctes:
        clause = node.args.get("with_")
        if clause is None:
            return ctes
        recursive = bool(clause.args.get("recursive"))
        reach = dict(ctes)
        names = [self.world.key(cte.args["alias"].this) for cte in clause.expressions]
        for n, cte in enumerate(clause.expressions):
            pending = dict(reach)
            if recursive:
                pending.update(dict.fromkeys(names[n + 1 :]))
            reach[names[n]] = self._cte(cte, parent, pending, names[n] if recursive else None)
            search = clause.args.get("search")
            if search is not None:
                reach[names[n]] = _with_names(reach[names[n]], search.find_all(exp.Identifier), self.world)
        return reach

    def _cte(self, cte: exp.Expr, parent: Env | None, ctes: Ctes, own: str | None) -> Output:
        """The columns of one CTE; a recursive one sees itself with the columns of its first arm."""
        listed = cte.args["alias"].args.get("columns") or []
        body = cte.this
        if own is None or not isinstance(body, exp.SetOperation):
            return self._renamed(self.query(body, parent, ctes), listed)
        ctes = self._with(body, parent, ctes)
        first = self._renamed(self.query(body.left, parent, ctes), listed)
        if sum(self.world.key(t.this) == own for t in _bare_tables(body.right)) > 1:
            raise Stop(Reason.RESOURCE)
        self.query(body.right, parent, {**ctes, own: first})
        return self._modified(body, parent, ctes, first)

    def _renamed(self, output: Output, listed: Iterable[exp.Expr]) -> Output:
        """The output under an alias list.  Seen: a list over a star shifts when hidden columns are dropped."""
        names = [self.world.key(item if isinstance(item, exp.Identifier) else item.this) for item in listed]
        if not names:
            return output
        if output.shifted:
            raise Stop(Reason.POSITION)
        return Output(names=None if output.names is None else output.names | set(names))

    def _select(self, node: exp.Select, parent: Env | None, ctes: Ctes) -> Output:
        env = Env(parent=parent)
        unnamed = self._unnamed(node)
        self._sources(node, env, ctes)
        early = self.world.dialect == "postgres"
        if early:
            self._walk_args(node, _SELECT_LATE, env, ctes)
        for item in node.expressions:
            self.walk(item, env, ctes)
            if not early and isinstance(item, exp.Alias):
                env.names.add(self.world.key(item.args["alias"]))
        output = self.columns.outputs(node.expressions, env)
        env.names |= {self.world.key(i.args["alias"]) for i in node.expressions if isinstance(i, exp.Alias)}
        rest = [a for a in node.args if a not in _SKIPPED and not (early and a in _SELECT_LATE)]
        self._walk_args(node, rest, env, ctes)
        for item, name in unnamed:
            named = exp.Alias(alias=exp.Identifier(this=name, quoted=True))
            item.replace(named)
            named.set("this", item)
        return output

    def _unnamed(self, node: exp.Select) -> list[tuple[exp.Expr, str]]:
        """Items that DuckDB would name after their text, which holds the policy's own text once it is rewritten."""
        if self.world.dialect != "duckdb":
            return []
        items = [i for i in node.expressions if not i.alias and i.find(exp.Query)]
        if any(i.find(exp.Columns) for i in items):
            raise Stop(Reason.UNSUPPORTED)
        return [(i, i.sql("duckdb", normalize_functions=False)) for i in items]

    def _sources(self, node: exp.Expr, env: Env, ctes: Ctes) -> None:
        """Add what FROM, JOIN and LATERAL name, in order; then check the join conditions."""
        clause = node.args.get("from_")
        if clause is not None:
            self._source(clause.this, env, ctes)
        for lateral in node.args.get("laterals") or []:
            self._source(lateral, env, ctes)
        self._joins(node.args.get("joins") or [], env, ctes)

    def _joins(self, joins: Iterable[exp.Expr], env: Env, ctes: Ctes) -> None:
        for join in list(joins):
            before = list(env.sources)
            self.columns.starred |= join.args.get("method") == "NATURAL"
            self._source(join.this, env, ctes)
            for used in join.args.get("using") or []:
                name = used if isinstance(used, exp.Identifier) else used.this
                self.columns.joined(name, before, env.sources[len(before) :])
        for join in joins:
            if join.args.get("on") is not None:
                self.walk(join.args["on"], env, ctes)
            if join.args.get("match_condition") is not None:
                self.walk(join.args["match_condition"], env, ctes)

    def _source(self, node: exp.Expr, env: Env, ctes: Ctes) -> None:
        if isinstance(node, exp.Table):
            self._table(node, env, ctes)
        elif isinstance(node, exp.Subquery):
            self._derived(node, env, ctes)
        elif isinstance(node, exp.Lateral):
            self._lateral(node, env, ctes)
        elif isinstance(node, exp.Unnest | exp.Values):
            self._listed(node, env, ctes)
        else:
            raise Stop(Reason.UNSUPPORTED)

    def _table(self, node: exp.Table, env: Env, ctes: Ctes) -> None:
        if any(node.args.get(arg) for arg in _REFUSED_TABLE_ARGS):
            raise Stop(Reason.UNSUPPORTED)
        joins = list(node.args.get("joins") or [])
        if isinstance(node.this, exp.Identifier):
            self._named_table(node, env, ctes)
        else:
            self._table_function(node, env, ctes)
        self._joins(joins, env, ctes)

    def _named_table(self, node: exp.Table, env: Env, ctes: Ctes) -> None:
        key = self.world.key(node.this)
        alias = node.args.get("alias")
        listed = (alias.args.get("columns") if alias is not None else None) or []
        name = self.world.key(alias.this) if alias is not None and alias.this is not None else key
        if node.args.get("db") is None and node.args.get("catalog") is None and key in ctes:
            found = ctes[key]
            if found is None:
                raise Stop(Reason.UNSUPPORTED)
            output, base = self._renamed(found, listed), None
        else:
            output, base = self._replaced(node, listed), None
            if alias is None or alias.this is None:
                schema = node.args.get("db")
                base = (self.world.key(schema) if schema is not None else self.world.default_schema, key)
        pivots = node.args.get("pivots") or []
        source = Source(alias=name, output=output, base=base)
        env.sources.append(self._pivoted(pivots, source, env, ctes))

    def _replaced(self, node: exp.Table, listed: list[exp.Expr]) -> Output:
        """Put the policy's sub-query where the table stood.  Unknown and ungranted tables are refused alike."""
        grant = self.world.grant(node)
        if grant is None:
            raise Stop(Reason.TABLE)
        if node.args.get("sample") is not None and self.world.dialect != "duckdb":
            raise Stop(Reason.UNSUPPORTED)
        key = (self.world.key(grant.schema), self.world.key(grant.table))
        output = Output(names=frozenset(self.world.key(c.name) for c in grant.columns), shifted=grant.dropped)
        renamed = self._renamed(output, listed)
        alias = node.args.get("alias")
        if alias is None or alias.this is None:
            alias = exp.TableAlias(this=node.this.copy())
        inner = exp.Select()
        self.stand_ins.append((key, inner))
        stand_in = exp.Subquery(this=inner, alias=alias)
        for arg in _MOVED_TABLE_ARGS:
            if node.args.get(arg):
                stand_in.set(arg, node.args[arg])
        node.replace(stand_in)
        return renamed

    def _table_function(self, node: exp.Table, env: Env, ctes: Ctes) -> None:
        calls = [t.this for t in node.args.get("rows_from") or []] or [node.this]
        for call in calls:
            if not is_table_function(call, self.world.dialect):
                raise Stop(self.columns.refused(call))
            self._walk_children(call, env, ctes)
        pivots = node.args.get("pivots") or []
        source = self.columns.function_source(node, calls)
        env.sources.append(self._pivoted(pivots, source, env, ctes))

    def _derived(self, node: exp.Subquery, env: Env, ctes: Ctes) -> None:
        alias = node.args.get("alias")
        if alias is None and isinstance(node.this, exp.Table) and not node.args.get("pivots"):
            self._table(node.this, env, ctes)
            self._joins(node.args.get("joins") or [], env, ctes)
            return
        joins = node.args.get("joins") or []
        output = self.query(node, env, ctes)
        listed = (alias.args.get("columns") if alias is not None else None) or []
        name = self.world.key(alias.this) if alias is not None and alias.this is not None else None
        source = Source(alias=name, output=self._renamed(output, listed))
        env.sources.append(source)
        if not isinstance(node.this, exp.Table):
            self._joins(joins, env, ctes)

    def _lateral(self, node: exp.Lateral, env: Env, ctes: Ctes) -> None:
        inner = node.this
        alias = node.args.get("alias")
        listed = (alias.args.get("columns") if alias is not None else None) or []
        if isinstance(inner, exp.Subquery):
            output = self._renamed(self.query(inner, env, ctes), listed)
            name = self.world.key(alias.this) if alias is not None and alias.this is not None else None
            env.sources.append(Source(alias=name, output=output))
            return
        if not is_table_function(inner, self.world.dialect):
            raise Stop(self.columns.refused(inner))
        self._walk_children(inner, env, ctes)
        env.sources.append(self.columns.function_source(node, [inner]))

    def _listed(self, node: exp.Expr, env: Env, ctes: Ctes) -> None:
        self._walk_children(node, env, ctes)
        env.sources.append(self.columns.function_source(node, [node]))

    def _subquery(self, node: exp.Subquery, parent: Env | None, ctes: Ctes) -> Output:
        inner = node.this
        if isinstance(inner, exp.Table):
            env = Env(parent=parent)
            self._table(inner, env, ctes)
            self._joins(node.args.get("joins") or [], env, ctes)
            output = union_of(env.sources)
        else:
            output = self.query(inner, parent, ctes)
        pivots = node.args.get("pivots") or []
        if pivots:
            env = Env(parent=parent)
            output = self._pivoted(pivots, Source(alias=None, output=output), env, ctes).output
        return self._modified(node, parent, ctes, output)

    def _modified(self, node: exp.Expr, parent: Env | None, ctes: Ctes, output: Output) -> Output:
        """Check ORDER BY, LIMIT and the like of a set operation or a sub-query against its own output."""
        env = Env(parent=parent, sources=[Source(alias=None, output=output)])
        rest = [a for a in node.args if a not in _SKIPPED and a not in {"this", "expression", "pivots"}]
        self._walk_args(node, rest, env, ctes)
        return output

    def _values(self, node: exp.Values, parent: Env | None, ctes: Ctes) -> Output:
        env = Env(parent=parent)
        self._walk_children(node, env, ctes)
        return self.columns.function_source(node, [node]).output

    def _pivot_statement(self, node: exp.Pivot, parent: Env | None, ctes: Ctes) -> Output:
        env = Env(parent=parent)
        self._source(node.this, env, ctes)
        return self._pivoted([node], env.sources.pop(), env, ctes).output

    def _pivoted(self, pivots: list[exp.Expr], source: Source, env: Env, ctes: Ctes) -> Source:
        """The source after its pivots.  What they read must exist in it; only the engine knows what they make."""
        self.columns.starred |= bool(pivots)
        for pivot in pivots:
            inner = Env(parent=env.parent, sources=[source])
            for read in self.columns.pivot_reads(pivot):
                self.walk(read, inner, ctes)
            alias = pivot.args.get("alias")
            name = self.world.key(alias.this) if alias is not None and alias.this is not None else source.alias
            source = Source(alias=name, output=Output(names=None, shifted=source.output.shifted))
        return source

    def walk(self, node: exp.Expr, env: Env, ctes: Ctes) -> None:
        """Check one expression and everything in it.  Raises: Stop."""
        if isinstance(node, exp.Query | exp.Pivot):
            self.query(node, env, ctes)
        elif isinstance(node, exp.Table):
            raise Stop(Reason.TABLE)
        elif isinstance(node, exp.Column):
            self.columns.column(node, env)
        elif isinstance(node, exp.Dot):
            self._dot(node, env, ctes)
        elif isinstance(node, exp.Lambda | exp.Comprehension):
            self._binder(node, env, ctes)
        else:
            self.columns.whole_row_access(node, env)
            self._walk_children(node, env, ctes)

    def _dot(self, node: exp.Dot, env: Env, ctes: Ctes) -> None:
        """DuckDB's method calls and struct fields; a schema before a call is refused."""
        self.columns.whole_row_access(node, env)
        if isinstance(node.this, exp.Identifier):
            self.columns.bare(node.this, env)
        else:
            self.walk(node.this, env, ctes)
        if not isinstance(node.expression, exp.Identifier):
            self.walk(node.expression, env, ctes)

    def _binder(self, node: exp.Expr, env: Env, ctes: Ctes) -> None:
        """Lambdas and comprehensions name variables of their own."""
        bound = node.expressions if isinstance(node, exp.Lambda) else [node.args["expression"]]
        names = {self.world.key(i) for b in bound for i in b.find_all(exp.Identifier)}
        self._walk_children(node, Env(parent=env, names=names), ctes)

    def _walk_args(self, node: exp.Expr, names: Iterable[str], env: Env, ctes: Ctes) -> None:
        for name in names:
            value = node.args.get(name)
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, exp.Expr):
                    self.walk(item, env, ctes)

    def _walk_children(self, node: exp.Expr, env: Env, ctes: Ctes) -> None:
        self._walk_args(node, [a for a in node.args if a != "alias"], env, ctes)


def _either(left: Output, right: Output) -> Output:
    """A set operation has the names of its left arm; BY NAME adds those of the right one."""
    names = None if left.names is None or right.names is None else left.names | right.names
    return Output(names=names, shifted=left.shifted or right.shifted)


def _bare_tables(node: exp.Expr) -> list[exp.Table]:
    tables = node.find_all(exp.Table)
    return [t for t in tables if isinstance(t.this, exp.Identifier) and t.args.get("db") is None]


def _with_names(output: Output | None, identifiers: Iterable[exp.Expr], world: World) -> Output | None:
    if output is None or output.names is None:
        return output
    return Output(names=output.names | {world.key(i) for i in identifiers}, shifted=output.shifted)
