"""A metric's SQL over several datasets → aggregates, each over one dataset, and the formula between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from catalog.importers.given import BadPart
from catalog.importers.osi_conditions import conditions_of
from catalog.types import Aggregation, Filter

_WRAPPERS = (exp.Filter, exp.WithinGroup)
_PLAIN: dict[type[exp.Expr], Aggregation] = {
    exp.Sum: Aggregation.SUM,
    exp.Avg: Aggregation.AVERAGE,
    exp.Min: Aggregation.MIN,
    exp.Max: Aggregation.MAX,
    exp.Median: Aggregation.MEDIAN,
    exp.Count: Aggregation.COUNT,
    exp.CountIf: Aggregation.SUM_BOOLEAN,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One aggregate: `expr` over the columns of `dataset`, of the rows under `filters`."""

    dataset: str
    agg: Aggregation
    expr: str
    percentile: Decimal | None = None
    discrete: bool = False
    filters: tuple[Filter, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Calculation:
    """Parts, and the formula over `part_1`, `part_2` …; `is_ratio` where it is one part over another."""

    parts: tuple[Part, ...]
    formula: str
    is_ratio: bool = False

    @property
    def is_single(self) -> bool:
        """Whether it is one aggregate and nothing else."""
        return self.formula == part_name(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """The datasets' fields: their expressions by name.  A column that is no field is a column of the table.

    `keys` are the columns of primary keys: counting one counts rows.  `named` are the
    datasets that the metric at hand reads.  Names are told apart by case only where they must be.
    """

    fields: Mapping[str, Mapping[str, str]]
    dialect: str
    keys: Mapping[str, frozenset[str]] = field(default_factory=dict)
    named: frozenset[str] = frozenset()

    def dataset_of(self, column: exp.Column) -> str:
        """The dataset that a column belongs to."""
        if column.table:
            found = same_name(column.table, self.fields)
            if found is None:
                raise BadPart(f"there is no dataset {column.table}")
            return found
        holders = [name for name, fields in self.fields.items() if same_name(column.name, fields)]
        if len(holders) != 1:
            what = f"stands in {' and '.join(holders)}" if holders else "is a field of no dataset"
            raise BadPart(f"{column.name} {what}; write it as dataset.field")
        return holders[0]

    def over_columns(self, tree: exp.Expr, dataset: str) -> exp.Expr:
        """The expression with each field of the dataset replaced by what it stands for, and no table named."""

        def replaced(node: exp.Expr) -> exp.Expr:
            if not isinstance(node, exp.Column):
                return node
            fields = self.fields[dataset]
            text = fields.get(same_name(node.name, fields) or "", node.name)
            found = parsed(text, self.dialect)
            return found if isinstance(found, exp.Column | exp.Literal) else exp.Paren(this=found)

        return tree.copy().transform(replaced)


def same_name(name: str, names: Iterable[str]) -> str | None:
    """The name among `names`, or the only one that differs by case alone, or None."""
    held = list(names)
    alike = [n for n in held if n.casefold() == name.casefold()]
    return name if name in held else alike[0] if len(alike) == 1 else None


def part_name(place: int) -> str:
    """What the formula calls its part at a 1-based place."""
    return f"part_{place}"


def parsed(text: str, dialect: str) -> exp.Expr:
    """The SQL expression as a tree."""
    try:
        return sqlglot.parse_one(text, dialect=dialect)
    except (SqlglotError, RecursionError) as bad:
        raise BadPart(f'"{text}" is not an expression') from bad


def calculation_of(text: str, world: World) -> Calculation:
    """What an expression computes; a reason why not, where it cannot be computed without counting rows twice."""
    tree = parsed(text, world.dialect)
    odd = next(tree.find_all(exp.Query, exp.Window), None)
    if odd is not None:
        raise BadPart("a metric may hold no subquery and no window")
    world = replace(world, named=frozenset(world.dataset_of(c) for c in tree.find_all(exp.Column)))
    parts: list[Part] = []
    root = exp.Paren(this=tree.copy())
    for node in list(_aggregates(root)):
        part = _part(node, world)
        if part not in parts:
            parts.append(part)
        node.replace(exp.column(part_name(parts.index(part) + 1)))
    if not parts:
        raise BadPart(f'"{text}" aggregates nothing')
    names = {part_name(i) for i, _ in enumerate(parts, 1)}
    loose = next((c for c in root.find_all(exp.Column) if c.name not in names), None)
    if loose is not None:
        raise BadPart(f"{loose.sql()} stands outside an aggregate")
    formula = _unwrapped(root)
    return Calculation(parts=tuple(parts), formula=formula.sql(dialect=world.dialect), is_ratio=_is_ratio(formula))


def _unwrapped(tree: exp.Expr) -> exp.Expr:
    while isinstance(tree, exp.Paren):
        tree = tree.this
    return tree


def _is_ratio(tree: exp.Expr) -> bool:
    if not isinstance(tree, exp.Div):
        return False
    below = _unwrapped(tree.expression)
    if isinstance(below, exp.Nullif) and below.expression.name == "0":
        below = _unwrapped(below.this)
    return isinstance(_unwrapped(tree.this), exp.Column) and isinstance(below, exp.Column)


def _aggregates(node: exp.Expr) -> Iterator[exp.Expr]:
    """The outermost aggregates, with their FILTER or WITHIN GROUP."""
    for child in node.iter_expressions():
        if isinstance(child, (exp.AggFunc, *_WRAPPERS)):
            yield child
        else:
            yield from _aggregates(child)


def _part(node: exp.Expr, world: World) -> Part:
    if next(node.find_all(exp.Filter, bfs=True), None) is not None and not isinstance(node, exp.Filter):
        raise BadPart(f"{node.sql()} aggregates an aggregate")
    where = node.expression.this if isinstance(node, exp.Filter) else None
    inner = node.this if isinstance(node, exp.Filter) else node
    made = _aggregate(inner)
    if next(made.value.find_all(exp.AggFunc), None) is not None:
        raise BadPart(f"{node.sql()} aggregates an aggregate")
    return _over_one_dataset(made, where, world)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Made:
    agg: Aggregation
    value: exp.Expr
    percentile: Decimal | None = None
    discrete: bool = False


def _aggregate(node: exp.Expr) -> _Made:
    if isinstance(node, exp.WithinGroup):
        return _percentile(node)
    agg = _PLAIN.get(type(node))
    if agg is None:
        raise BadPart(f"{node.sql()} is an aggregate that a measure cannot have")
    value = node.this
    if isinstance(value, exp.Distinct):
        if agg is not Aggregation.COUNT or len(value.expressions) != 1:
            raise BadPart(f"{node.sql()} cannot be a measure: only one column can be counted distinct")
        return _Made(agg=Aggregation.COUNT_DISTINCT, value=value.expressions[0])
    if node.args.get("expressions"):
        raise BadPart(f"{node.sql()} aggregates several values")
    return _Made(agg=agg, value=value)


def _percentile(node: exp.WithinGroup) -> _Made:
    order = node.expression.expressions
    share = node.this.this
    discrete = isinstance(node.this, exp.PercentileDisc)
    plain = isinstance(node.this, exp.PercentileCont | exp.PercentileDisc) and isinstance(share, exp.Literal)
    if not plain or len(order) != 1 or order[0].args.get("desc"):
        raise BadPart(f"{node.sql()} is an aggregate that a measure cannot have")
    return _Made(agg=Aggregation.PERCENTILE, value=order[0].this, percentile=Decimal(share.name), discrete=discrete)


def _over_one_dataset(made: _Made, where: exp.Expr | None, world: World) -> Part:
    value, condition = made.value, where
    if where is None and not _is_local(value, world):
        value, condition = _split(value)
    dataset = _dataset(value, condition, world)
    if condition is None:
        return _built(made, value, dataset, world, filters=())
    if {world.dataset_of(c) for c in condition.find_all(exp.Column)} <= {dataset}:
        return _built(made, _only_where(value, condition), dataset, world, filters=())
    return _built(made, value, dataset, world, filters=conditions_of(condition, world.dataset_of))


def _is_local(value: exp.Expr, world: World) -> bool:
    return len({world.dataset_of(c) for c in value.find_all(exp.Column)}) <= 1


def _split(value: exp.Expr) -> tuple[exp.Expr, exp.Expr | None]:
    """`CASE WHEN condition THEN value END` as the value and its condition; anything else as it is."""
    inner = _unwrapped(value)
    other = inner.args.get("default") if isinstance(inner, exp.Case) else None
    is_one = isinstance(inner, exp.Case) and inner.args.get("this") is None and len(inner.args["ifs"]) == 1
    if not is_one or not (other is None or isinstance(other, exp.Null)):
        return value, None
    only = inner.args["ifs"][0]
    return only.args["true"], only.this


def _dataset(value: exp.Expr, condition: exp.Expr | None, world: World) -> str:
    """The dataset whose rows are aggregated."""
    found = sorted({world.dataset_of(c) for c in value.find_all(exp.Column)})
    if len(found) > 1:
        message = f"{value.sql()} reads {' and '.join(found)} in one aggregate; keep its columns in one table"
        raise BadPart(message)
    if found:
        return found[0]
    near = sorted({world.dataset_of(c) for c in condition.find_all(exp.Column)}) if condition is not None else []
    choices = near if len(near) == 1 else sorted(world.named or world.fields)
    if len(choices) != 1:
        raise BadPart("COUNT(*) does not say whose rows it counts; count a key, as in COUNT(orders.order_id)")
    return choices[0]


def _built(made: _Made, value: exp.Expr, dataset: str, world: World, *, filters: tuple[Filter, ...]) -> Part:
    counts_rows = isinstance(value, exp.Star | exp.Literal) or (
        isinstance(value, exp.Column) and isinstance(value.this, exp.Star)
    )
    if counts_rows and made.agg is Aggregation.COUNT:
        text = "1"
    else:
        text = _unwrapped(world.over_columns(value, dataset)).sql(dialect=world.dialect, comments=False)
        if made.agg is Aggregation.COUNT and text in world.keys.get(dataset, ()):
            text = "1"
    return Part(
        dataset=dataset,
        agg=made.agg,
        expr=text,
        percentile=made.percentile,
        discrete=made.discrete,
        filters=filters,
    )


def _only_where(value: exp.Expr, condition: exp.Expr) -> exp.Expr:
    counted = exp.Literal.number(1) if isinstance(value, exp.Star) else value.copy()
    return exp.Case(ifs=[exp.If(this=condition.copy(), true=counted)])
