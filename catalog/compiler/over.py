"""What is taken over the figures of each thing or period: an average or a median of them, or how they are spread."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from sqlglot import exp

from catalog.calculations import Derived, Taken, derived_name
from catalog.compiler.answer import Rows, answer_query
from catalog.compiler.bindings import Bindings
from catalog.compiler.calculations.numbers import is_null, quotient
from catalog.compiler.columns import group_column
from catalog.compiler.dialects.write import written
from catalog.compiler.measures import aggregate
from catalog.compiler.metrics import relation_of
from catalog.compiler.question import Group
from catalog.compiler.relation import MetricColumn, Missing, Relation
from catalog.compiler.sql import column, cte_table, grouped, named, select_from
from catalog.compiler.stop import stop
from catalog.issues import IssueCode
from catalog.labels import with_capital, within_sentence
from catalog.query import ColumnRole, CompiledQuery, Over, QuerySpec, ResultColumn
from catalog.surfaces import plural
from catalog.types import Aggregation, CatalogSnapshot, Measure, MetricFormat

_EACH, _BINS, _BINNED = "each_one", "bins", "binned"
_PLACE, _RANGE = "place", "range"
_HIGH = Decimal("0.99")
_TAKES = {
    Taken.AVERAGE: Aggregation.AVERAGE,
    Taken.MEDIAN: Aggregation.MEDIAN,
    Taken.SMALLEST: Aggregation.MIN,
    Taken.LARGEST: Aggregation.MAX,
}


def over_query(spec: QuerySpec, over: Over, snapshot: CatalogSnapshot, dialect: str) -> CompiledQuery:
    """The spec's one metric for each thing or period, and what is taken over those.

    AVERAGE and the like: the figure and how many it is taken over, by the spec's groupings.  SUMMARY: one row.
    BINS: each range of figures with how many are in it and their part of all, in rising order, empty ones too.
    """
    _check(spec)
    bindings = Bindings()
    inner = replace(
        spec, group_by=(*spec.group_by, *over.each), having=(), order_by=(), limit=None, peek=0, kept=(), over=None
    )
    relation = relation_of(inner, snapshot, bindings)
    made, columns = _MADE.get(over.taken, _figures)(spec, over, relation, bindings)
    tree = answer_query(replace(spec, metrics=made.shown), made, bindings)
    return written(
        tree,
        dialect,
        parameters=bindings.parameters,
        columns=columns,
        tables=relation.tables,
        notes=tuple(dict.fromkeys((*_notes(relation), *_population(over, relation)))),
    )


def _check(spec: QuerySpec) -> None:
    if len(spec.metrics) != 1:
        message = "Over each thing or period, one figure can be taken at a time. Ask for one metric."
        raise stop(IssueCode.UNSUPPORTED, message, subject=spec.metrics[0] if spec.metrics else "")
    if spec.comparison or spec.calculations or spec.top:
        message = "What is taken over each thing or period stands beside no other calculation. Ask for one of the two."
        raise stop(IssueCode.UNSUPPORTED, message, subject=spec.metrics[0])


def _outer(spec: QuerySpec, over: Over, relation: Relation) -> tuple[tuple[Group, ...], tuple[Group, ...]]:
    """The groupings of the result, and those that each figure is of besides."""
    asked = len(spec.group_by)
    own = relation.groups[asked : asked + len(over.each)]
    return tuple(g for g in relation.groups if g not in own), own


def _all_of(own: tuple[Group, ...]) -> exp.Select:
    """The figures of all that are something: what belongs to no thing is none."""
    select = select_from(cte_table(_EACH))
    known = [exp.Not(this=is_null(column(_EACH, g.alias))) for g in own if not g.is_time]
    return select.where(*known, copy=False) if known else select


# -- a figure over all of them ---------------------------------------------------------------


def _figures(
    spec: QuerySpec, over: Over, relation: Relation, _bindings: Bindings
) -> tuple[Rows, tuple[ResultColumn, ...]]:
    outer, own = _outer(spec, over, relation)
    metric = relation.metrics[0]
    name = over.column(metric.name)
    value = column(_EACH, metric.name)
    values = (named(_taken(over, metric, value), name), named(exp.Count(this=value.copy()), over.counted))
    groups = [named(column(_EACH, g.alias), g.alias) for g in outer]
    rows = grouped(_all_of(own), groups, values)
    shown = (name, over.counted)
    made = Rows(queries=(*relation.queries, (_EACH, relation.rows)), rows=rows, groups=outer, values=shown, shown=shown)
    figure = replace(
        metric.column,
        name=name,
        label=f"{_LEADS[over.taken]} {within_sentence(metric.column.label)} per {over.called}",
        additive=False,
    )
    return made, (*(group_column(g) for g in outer if g.shown), figure, _counted(over, name))


_LEADS = {
    Taken.AVERAGE: "Average",
    Taken.MEDIAN: "Median",
    Taken.SMALLEST: "Smallest",
    Taken.LARGEST: "Largest",
}


def _taken(over: Over, metric: MetricColumn, value: exp.Expr) -> exp.Expr:
    """Over whole periods a sum or a count without rows is 0: the whole is divided by how many periods there are."""
    if over.taken is Taken.AVERAGE and over.periods and metric.missing is not Missing.UNKNOWN:
        return quotient(exp.Sum(this=value.copy()), exp.Literal.number(over.periods))
    return aggregate(Measure(name=metric.name, agg=_TAKES[over.taken], expr=""), value)


def _counted(over: Over, figure: str) -> ResultColumn:
    return ResultColumn(
        name=over.counted,
        label=f"{with_capital(plural(over.called) or over.called)} counted",
        role=ColumnRole.METRIC,
        of=figure,
    )


# -- how they are spread ---------------------------------------------------------------------


def _summary(
    spec: QuerySpec, over: Over, relation: Relation, _bindings: Bindings
) -> tuple[Rows, tuple[ResultColumn, ...]]:
    """How many, how many different ones, how many that are no whole numbers, smallest, 99th percentile, largest."""
    _, own = _outer(spec, over, relation)
    value = column(_EACH, relation.metrics[0].name)
    broken = exp.NEQ(this=value.copy(), expression=exp.Floor(this=value.copy()))
    high = Measure(name="", agg=Aggregation.PERCENTILE, expr="", percentile=_HIGH)
    values = {
        "counted": exp.Count(this=value.copy()),
        "different": exp.Count(this=exp.Distinct(expressions=[value.copy()])),
        "broken": exp.Count(this=exp.Case(ifs=[exp.If(this=broken, true=exp.Literal.number(1))])),
        "smallest": exp.Min(this=value.copy()),
        "high": aggregate(high, value),
        "largest": exp.Max(this=value.copy()),
    }
    rows = _all_of(own).select(*(named(v, n) for n, v in values.items()), copy=False)
    names = tuple(values)
    made = Rows(queries=(*relation.queries, (_EACH, relation.rows)), rows=rows, groups=(), values=names, shown=names)
    shown = relation.metrics[0].column
    return made, tuple(
        ResultColumn(name=n, label=n.capitalize(), role=ColumnRole.METRIC, format=shown.format, unit=shown.unit)
        for n in names
    )


def _spread(
    spec: QuerySpec, over: Over, relation: Relation, bindings: Bindings
) -> tuple[Rows, tuple[ResultColumn, ...]]:
    """Each range with how many are in it, those with none too."""
    _, own = _outer(spec, over, relation)
    metric = relation.metrics[0]
    value = column(_EACH, metric.name)
    below = [
        exp.If(this=exp.LT(this=value.copy(), expression=bindings.bind(limit)), true=exp.Literal.number(i))
        for i, limit in enumerate(over.upto)
    ]
    last = exp.Literal.number(len(over.upto))
    place = exp.Case(ifs=below, default=last) if below else last
    known = exp.Not(this=is_null(value.copy()))
    binned = _all_of(own).select(named(place, _PLACE), copy=False).where(known, copy=False)
    counted = exp.Count(this=column(_BINNED, _PLACE))
    whole = exp.Window(this=exp.Sum(this=counted.copy()))
    share = derived_name(over.counted, Derived.SHARE)
    rows = select_from(cte_table(_BINS)).select(
        named(column(_BINS, _PLACE), _PLACE),
        named(column(_BINS, _RANGE), _RANGE),
        named(counted, over.counted),
        named(quotient(counted.copy(), whole), share),
        copy=False,
    )
    same = exp.EQ(this=column(_BINS, _PLACE), expression=column(_BINNED, _PLACE))
    rows.append("joins", exp.Join(this=cte_table(_BINNED), side="LEFT", on=same))
    rows = rows.group_by(exp.Literal.number(1), exp.Literal.number(2), copy=False)
    groups = (_group(_PLACE, shown=False), _group(_RANGE, shown=True))
    made = Rows(
        queries=(*relation.queries, (_EACH, relation.rows), (_BINNED, binned), (_BINS, _bins(over, bindings))),
        rows=rows,
        groups=groups,
        values=(over.counted, share),
        shown=(over.counted, share),
    )
    things = with_capital(plural(over.called) or over.called)
    return made, (
        ResultColumn(name=_RANGE, label=_laid_out(spec, over, metric), role=ColumnRole.DIMENSION),
        ResultColumn(name=over.counted, label=things, role=ColumnRole.METRIC, additive=True),
        ResultColumn(
            name=share,
            label=f"{things}, share",
            role=ColumnRole.METRIC,
            format=MetricFormat.PERCENT,
            of=over.counted,
            derived=Derived.SHARE,
        ),
    )


def _laid_out(spec: QuerySpec, over: Over, metric: MetricColumn) -> str:
    """What the ranges are of: "Orders per customer"; a column of the thing itself keeps its own name."""
    label = metric.column.label
    unit = f", {metric.column.unit}" if metric.column.unit else ""
    return f"{label}{unit}" if spec.ad_hoc or " per " in label else f"{label} per {over.called}{unit}"


def _group(alias: str, *, shown: bool) -> Group:
    return Group(alias=alias, reference=alias, held=None, grain=None, shown=shown)


def _bins(over: Over, bindings: Bindings) -> exp.Query:
    """Every range by its place and its words."""
    rows: list[exp.Query] = [
        exp.Select(expressions=[named(exp.Literal.number(i), _PLACE), named(_text(words, bindings), _RANGE)])
        for i, words in enumerate(over.ranges)
    ]
    made = rows[0]
    for row in rows[1:]:
        made = exp.Union(this=made, expression=row, distinct=False)
    return made


def _text(words: str, bindings: Bindings) -> exp.Expr:
    return exp.Cast(this=bindings.bind(words), to=exp.DataType.build("VARCHAR"))


_MADE = {Taken.SUMMARY: _summary, Taken.BINS: _spread}


# -- what is said of it ----------------------------------------------------------------------


def _notes(relation: Relation) -> tuple[str, ...]:
    return (*relation.notes, *(n for m in relation.metrics for n in m.notes))


def _population(over: Over, relation: Relation) -> tuple[str, ...]:
    """Who counts: things with rows, or every whole period."""
    label = relation.metrics[0].column.label.lower()
    if over.periods is None:
        return (f"Every {over.called} that has {label} counts once; one without any is left out.",)
    if relation.metrics[0].missing is Missing.UNKNOWN:
        return (f"A {over.called} without {label} is left out.",)
    return (f"All {over.periods} {plural(over.called) or over.called} of the period count, one without {label} as 0.",)
