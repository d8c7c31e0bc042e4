"""What a value is where its source has no rows of a group."""

from __future__ import annotations

from sqlglot import exp

from catalog.compiler.calculations.lining import KEPT, LINED_UP, Source, over, read_from
from catalog.compiler.calculations.numbers import is_null
from catalog.compiler.calculations.setting import Setting
from catalog.compiler.relation import MetricColumn, Missing
from catalog.compiler.sql import column, named


def filled_query(setting: Setting, sources: tuple[Source, ...]) -> exp.Select:
    """The lined-up rows, each value of each source filled by its metric's own rule."""
    groups = [column(LINED_UP, a) for a in setting.aliases]
    values = [
        named(_filled(setting, source, setting.metric(name)), source.column(name))
        for source in sources
        for name in source.metrics
    ]
    return read_from(LINED_UP).select(*groups, *values, column(LINED_UP, KEPT), copy=False)


def _filled(setting: Setting, source: Source, metric: MetricColumn) -> exp.Expr:
    own = column(LINED_UP, source.column(metric.name))
    value: exp.Expr = own
    flag: exp.Expr = column(LINED_UP, source.flag)
    if source.spread is not None:
        value, flag = (over(exp.Max(this=v), LINED_UP, source.spread) for v in (own, flag))
    gaps = setting.relation.keeps_gaps and not source.adds_up
    unfilled = source.inside is None or not setting.aliases or metric.missing is Missing.UNKNOWN
    if source.inside is None or unfilled or (gaps and setting.relation.timelines):
        return value
    tests = [is_null(value if metric.may_lack and not gaps else flag), source.inside.copy()]
    if metric.missing is Missing.ZERO_BESIDE_OTHERS:
        tests.append(_others_have(setting, own))
    zero = exp.If(this=exp.and_(*tests), true=exp.Literal.number(0))
    return exp.Case(ifs=[zero], default=value.copy())


def _others_have(setting: Setting, value: exp.Expr) -> exp.Expr:
    """Whether any group has a value at the same time."""
    times = [g.alias for g in setting.relation.groups if g.is_time]
    return exp.GT(this=over(exp.Count(this=value.copy()), LINED_UP, times), expression=exp.Literal.number(0))
