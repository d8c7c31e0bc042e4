"""Which column names may stand where.  An unknown and a hidden column are refused alike."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from sqlglot import exp

from dataagent.sqlguard.functions import refused_function, spelled
from dataagent.sqlguard.refusals import Reason, Stop
from dataagent.sqlguard.scopes import Env, Output, Source, union_of
from dataagent.sqlguard.world import World

_FIELD_ACCESS = {"struct_extract", "struct_extract_at", "array_extract", "list_extract", "list_element", "element_at"}


@dataclass(slots=True)
class ColumnRules:
    """The column checks of one walk.  `named` are the names it saw; `starred` that all columns were meant."""

    world: World
    named: set[str] = field(default_factory=set)
    starred: bool = False

    def column(self, node: exp.Column, env: Env) -> None:
        """Check one column reference; a schema before an unaliased table's name is dropped.  Raises: Stop."""
        parts = [p for p in node.parts if not isinstance(p, exp.Star)]
        keys = [self.world.key(p) for p in parts]
        if isinstance(node.this, exp.Star):
            self._star_of(keys, env)
            return
        self.named.update(keys)
        if len(keys) == 1:
            self.bare(parts[0], env)
            return
        if self._in_source(keys, env) or self._in_base(node, keys, env):
            return
        if self.world.dialect == "duckdb" and env.sees_column(keys[0]):
            return
        raise Stop(Reason.COLUMN)

    def bare(self, identifier: exp.Expr, env: Env) -> None:
        """Check a name that stands alone: a column, an alias, or a source as a whole row.  Raises: Stop."""
        key = self.world.key(identifier)
        self.named.add(key)
        if not env.sees(key):
            raise Stop(Reason.COLUMN)
        if env.source(key) is not None or not env.sees_column(key):
            self.starred = True

    def joined(self, identifier: exp.Expr, left: Iterable[Source], right: Iterable[Source]) -> None:
        """Check a USING column: both sides must have it.  Raises: Stop."""
        key = self.world.key(identifier)
        self.named.add(key)
        if not any(s.has(key) for s in left) or not any(s.has(key) for s in right):
            raise Stop(Reason.COLUMN)

    def whole_row_access(self, node: exp.Expr, env: Env) -> None:
        """Check reads of one field of a whole row: by a visible name, never by position.  Raises: Stop."""
        if isinstance(node, exp.Star) and not isinstance(node.parent, exp.Count):
            self.starred = True
        if isinstance(node, exp.Columns):
            self._listed_columns(node, env)
        target, index = _field_access(node)
        if not isinstance(target, exp.Column) or len(target.parts) != 1:
            return
        key = self.world.key(target.this)
        source = env.source(key)
        if source is None or env.knows_column(key):
            return
        if not (isinstance(index, exp.Literal) and index.is_string):
            raise Stop(Reason.POSITION)
        if not source.has(self.world.key(index.name)):
            raise Stop(Reason.COLUMN)

    def outputs(self, items: list[exp.Expr], env: Env) -> Output:
        """The column names that a select list makes."""
        names: set[str] = set()
        unknown, shifted = False, False
        for item in items:
            made = self._output(item, env)
            shifted = shifted or made.shifted
            unknown = unknown or made.names is None
            names |= made.names or frozenset()
        return Output(names=None if unknown else frozenset(names), shifted=shifted)

    def function_source(self, node: exp.Expr, calls: list[exp.Expr]) -> Source:
        """A table function, UNNEST or VALUES as a source.

        On PostgreSQL its columns are always known: a free name after its alias
        could call a function (`g.pg_sleep`).
        """
        alias = node.args.get("alias")
        listed = (alias.args.get("columns") if alias is not None else None) or []
        name = self.world.key(alias.this) if alias is not None and alias.this is not None else None
        names = {self.world.key(i if isinstance(i, exp.Identifier) else i.this) for i in listed}
        offset = calls[0].args.get("offset")
        if isinstance(offset, exp.Identifier):
            names.add(self.world.key(offset))
        if self.world.dialect == "duckdb":
            return Source(alias=name or self._function_name(calls[0]), output=Output(names=None))
        names |= {name} if name else set()
        names |= {self._function_name(call) for call in calls} | {"ordinality", "key", "value"}
        names |= {f"column{n}" for n in range(1, 65)} if isinstance(calls[0], exp.Values) else set()
        names |= {i.name for call in calls for d in call.find_all(exp.JSONColumnDef, exp.ColumnDef) for i in [d.this]}
        return Source(alias=name or self._function_name(calls[0]), output=Output(names=frozenset(names)))

    def refused(self, call: exp.Expr) -> Reason:
        """Why something that is no table function may not stand in FROM."""
        return refused_function(call) if isinstance(call, exp.Func) else Reason.FUNCTION

    def pivot_reads(self, pivot: exp.Expr) -> list[exp.Expr]:
        """What a PIVOT or UNPIVOT reads from its source, as opposed to the names it makes."""
        reads: list[exp.Expr] = []
        for clause in pivot.args.get("fields") or []:
            if isinstance(clause, exp.In):
                wanted = clause.expressions if pivot.args.get("unpivot") else [clause.this]
                reads += [w.this if isinstance(w, exp.PivotAlias) else w for w in wanted]
            else:
                reads.append(clause)
        if not pivot.args.get("unpivot") or not pivot.args.get("fields"):
            reads += pivot.expressions
        reads += pivot.args.get("using") or []
        group = pivot.args.get("group")
        return [*reads, *([group] if isinstance(group, exp.Expr) else [])]

    def _star_of(self, keys: list[str], env: Env) -> None:
        self.starred = True
        found = env.source(keys[-1]) if len(keys) == 1 else env.base((keys[-2], keys[-1]))
        if found is None:
            raise Stop(Reason.COLUMN)

    def _in_source(self, keys: list[str], env: Env) -> bool:
        source = env.source(keys[0])
        if source is None:
            return False
        if len(keys) > 2 and self.world.dialect != "duckdb":
            return False
        return source.has(keys[1])

    def _in_base(self, node: exp.Column, keys: list[str], env: Env) -> bool:
        """Whether `schema.table.column` names an unaliased base table here; the stand-in has no schema."""
        if len(keys) < 3:
            return False
        source = env.base((keys[-3], keys[-2]))
        if source is None or not source.has(keys[-1]):
            return False
        node.set("db", None)
        node.set("catalog", None)
        return True

    def _listed_columns(self, node: exp.Expr, env: Env) -> None:
        """COLUMNS(['a', 'b']) names columns in text."""
        self.starred = True
        if isinstance(node.this, exp.Array):
            for item in node.this.expressions:
                if not item.is_string or not env.sees_column(self.world.key(item.name)):
                    raise Stop(Reason.COLUMN)

    def _output(self, item: exp.Expr, env: Env) -> Output:
        if isinstance(item, exp.Star):
            return union_of(env.sources)
        if isinstance(item, exp.Column) and isinstance(item.this, exp.Star):
            found = env.source(self.world.key(item.args["table"]))
            return found.output if found is not None else Output(names=None)
        if item.find(exp.Star, exp.Columns) and not isinstance(item, exp.Alias):
            return Output(names=None, shifted=any(s.output.shifted for s in env.sources))
        if isinstance(item, exp.Alias):
            return Output(names=frozenset({self.world.key(item.args["alias"])}))
        if isinstance(item, exp.Column):
            return Output(names=frozenset({self.world.key(item.this)}))
        if self.world.dialect == "duckdb":
            return Output(names=None)
        return Output(names=frozenset({self._implicit_name(item)}))

    def _implicit_name(self, item: exp.Expr) -> str:
        """PostgreSQL's own name for an expression without an alias."""
        if isinstance(item, exp.Cast | exp.Paren | exp.Window | exp.Filter | exp.WithinGroup | exp.Collate):
            inner = item.this
            return self.world.key(inner.this) if isinstance(inner, exp.Column) else self._implicit_name(inner)
        return self._function_name(item) if isinstance(item, exp.Func) else "?column?"

    def _function_name(self, call: exp.Expr) -> str:
        if isinstance(call, exp.Anonymous):
            return spelled(call) or ""
        known = {"GenerateSeries": "generate_series", "ExplodingGenerateSeries": "generate_series", "Explode": "unnest"}
        name = type(call).__name__
        return known.get(name, call.sql_name().lower() if isinstance(call, exp.Func) else name.lower())


def _field_access(node: exp.Expr) -> tuple[exp.Expr | None, exp.Expr | None]:
    """The value and the field of `row['a']`, `struct_extract(row, 'a')` and their kin, or nothing."""
    if isinstance(node, exp.Dot) and isinstance(node.expression, exp.Identifier):
        return node.this.unnest(), exp.Literal.string(node.expression.name)
    if isinstance(node, exp.Bracket):
        return node.this, node.expressions[0] if node.expressions else None
    if isinstance(node, exp.StructExtract):
        return node.this, node.expression
    if isinstance(node, exp.JSONExtract | exp.JSONExtractScalar):
        return node.this, _path_name(node.expression)
    if isinstance(node, exp.Anonymous) and spelled(node) in _FIELD_ACCESS and node.expressions:
        return node.expressions[0], node.expressions[1] if len(node.expressions) > 1 else None
    return None, None


def _path_name(path: exp.Expr | None) -> exp.Expr | None:
    """The first key of a JSON path as a literal; anything else stays as it is."""
    if isinstance(path, exp.JSONPath):
        key = path.find(exp.JSONPathKey)
        return exp.Literal.string(key.name) if key is not None else None
    return path
