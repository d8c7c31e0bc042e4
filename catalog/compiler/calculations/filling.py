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
    value: exp.Expr = column(LINED_UP, source.column(metric.name))
    flag: exp.Expr = column(LINED_UP, source.flag)
    others = exp.EQ(this=_of_any(setting, flag), expression=exp.Literal.number(1))
    if source.spread is not None:
        value, flag = (over(exp.Max(this=v), LINED_UP, source.spread) for v in (value, flag))
    if source.inside is None or not setting.aliases or metric.missing is Missing.UNKNOWN:
        return value
    absent = is_null(value if metric.may_lack else flag)
    beside = others if metric.missing is Missing.ZERO_BESIDE_OTHERS else None
    zero = exp.and_(*(t for t in (absent, source.inside.copy(), beside) if t is not None))
    return exp.Case(ifs=[exp.If(this=zero, true=exp.Literal.number(0))], default=value.copy())


def _of_any(setting: Setting, flag: exp.Expr) -> exp.Expr:
    """Whether the source has any row of the same time."""
    times = [column(LINED_UP, g.alias) for g in setting.relation.groups if g.grain is not None]
    return exp.Window(this=exp.Max(this=flag.copy()), partition_by=times or None)
