"""A metric → one SQL expression over datasets, where one expression says all of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from catalog.expressions import BadExpression, formula, row_expression
from catalog.importers.osi_formula import Part
from catalog.importers.osi_metrics import plain_text
from catalog.lookup import lookup
from catalog.types import (
    CatalogSnapshot,
    Filter,
    Measure,
    Metric,
    MetricInput,
    MetricType,
    Operator,
    Scalar,
    SemanticModel,
)

_COMPARED = {
    Operator.EQ: exp.EQ,
    Operator.NE: exp.NEQ,
    Operator.GT: exp.GT,
    Operator.GE: exp.GTE,
    Operator.LT: exp.LT,
    Operator.LE: exp.LTE,
}


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes the metrics of one catalog.  `fields` are the names that datasets give to expressions."""

    snapshot: CatalogSnapshot
    fields: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def text(self, metric: Metric) -> str | None:
        """The metric as one expression, or None where OSI has no words for it."""
        return self._text(metric, (), 0)

    def _text(self, metric: Metric, filters: tuple[Filter, ...], depth: int) -> str | None:
        if depth > 20 or _needs_more(metric):
            return None
        if metric.type is MetricType.SIMPLE:
            return self._simple(metric, (*filters, *metric.filters))
        if metric.type is MetricType.RATIO and metric.numerator and metric.denominator:
            above = self._input(metric.numerator, (*filters, *metric.filters), depth)
            below = self._input(metric.denominator, (*filters, *metric.filters), depth)
            return f"{_grouped(above)} / NULLIF({below}, 0)" if above and below else None
        if metric.type is MetricType.DERIVED and metric.expr:
            return self._derived(metric, (*filters, *metric.filters), depth)
        return None

    def _input(self, given: MetricInput, filters: tuple[Filter, ...], depth: int) -> str | None:
        moved = given.offset_count or given.offset_custom or given.offset_to_grain or given.where
        inner = lookup(self.snapshot).metrics.get(given.metric)
        if moved or inner is None:
            return None
        return self._text(inner, (*filters, *given.filters), depth + 1)

    def _derived(self, metric: Metric, filters: tuple[Filter, ...], depth: int) -> str | None:
        inputs = {i.alias or i.metric: i for i in metric.inputs}
        try:
            tree = formula(metric.expr or "", self.snapshot.dialect)
        except BadExpression:
            return None
        root = exp.Paren(this=tree)
        for column in list(root.find_all(exp.Column)):
            text = self._input(inputs[column.name], filters, depth) if column.name in inputs else None
            if text is None:
                return None
            column.replace(exp.Var(this=_grouped(text)))
        return str(root.this.sql(dialect=self.snapshot.dialect))

    def _simple(self, metric: Metric, filters: tuple[Filter, ...]) -> str | None:
        held = lookup(self.snapshot).measure(metric.measure) if metric.measure else None
        if (
            held is None
            or held[1].non_additive
            or held[1].agg_time_dimension not in {None, held[0].default_time_dimension}
        ):
            return None
        model, measure = held
        part = Part(
            dataset=model.name,
            agg=measure.agg,
            expr=measure.expr,
            percentile=measure.percentile,
            discrete=measure.discrete_percentile,
        )
        text = plain_text(part, self._value(model, measure))
        if not filters:
            return text
        conditions = [self._condition(f) for f in filters]
        if None in conditions:
            return None
        return f"{text} FILTER (WHERE {' AND '.join(c for c in conditions if c)})"

    def _value(self, model: SemanticModel, measure: Measure) -> str:
        if measure.expr.strip().isdigit():
            primary = model.primary_entity()
            return f"{model.name}.{primary.expr}" if primary else measure.expr
        name = next((n for n, e in self.fields.get(model.name, {}).items() if e == measure.expr), None)
        if name is not None:
            return f"{model.name}.{name}"
        tree = row_expression(measure.expr, model.name, self.snapshot.dialect)
        for column in tree.find_all(exp.Column):
            for part in ("this", "table"):
                plain = column.args[part].name
                column.set(part, exp.to_identifier(plain, quoted=not plain.isidentifier()))
        inner = tree.this if isinstance(tree, exp.Paren) else tree
        return str(inner.sql(dialect=self.snapshot.dialect))

    def _condition(self, given: Filter) -> str | None:
        held = lookup(self.snapshot).held_by(given.field)
        if held is None:
            return None
        column = exp.column(held.dimension.name, table=held.model.name)
        return _condition(column, given, self.snapshot.dialect)


def _needs_more(metric: Metric) -> bool:
    """Whether the metric says something that no expression says."""
    use = metric.measure_use
    return any(
        (
            metric.where,
            metric.fill_nulls_with is not None,
            metric.conversion,
            metric.default_granularity,
            use is not None and (use.where or use.fill_nulls_with is not None or use.join_to_timespine),
        )
    )


def _grouped(text: str | None) -> str:
    held = text or ""
    return f"({held})" if any(op in held for op in (" / ", " + ", " - ", " * ")) else held


def _condition(column: exp.Expr, given: Filter, dialect: str) -> str | None:
    literals = [_literal(v) for v in given.values]
    if any(v is None for v in literals):
        return None
    values = [v for v in literals if v is not None]
    made: exp.Expr | None = None
    if given.op in _COMPARED and len(values) == 1:
        made = _COMPARED[given.op](this=column, expression=values[0])
    elif given.op in {Operator.IN, Operator.NOT_IN} and values:
        made = exp.In(this=column, expressions=values)
    elif given.op is Operator.BETWEEN and len(values) == 2:
        made = exp.Between(this=column, low=values[0], high=values[1])
    elif given.op in {Operator.IS_NULL, Operator.IS_NOT_NULL}:
        made = exp.Is(this=column, expression=exp.Null())
    if made is None:
        return None
    negative = given.op in {Operator.NOT_IN, Operator.IS_NOT_NULL}
    return str((exp.Not(this=made) if negative else made).sql(dialect=dialect))


def _literal(value: Scalar) -> exp.Expr | None:
    if isinstance(value, bool):
        return exp.Boolean(this=value)
    if isinstance(value, str):
        return exp.Literal.string(value)
    if value is None or hasattr(value, "hour"):
        return None
    if hasattr(value, "isoformat"):
        return exp.Cast(this=exp.Literal.string(value.isoformat()), to=exp.DataType.build("date"))
    return exp.Literal.number(str(value))


def hidden_names(snapshot: CatalogSnapshot) -> Iterator[str]:
    """The metrics that only serve others."""
    return (m.name for m in snapshot.metrics if m.hidden)
