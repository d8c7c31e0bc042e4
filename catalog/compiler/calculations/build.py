"""A relation and what is asked on top of it → rows with every value, before conditions, tops and limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from catalog.calculations import (
    MemberComparison,
    MovingWindow,
    PeriodComparison,
    Rank,
    RunningTotal,
    Share,
    metric_behind,
)
from catalog.compiler.calculations.calendar import calendar, listed_periods, needs_calendar, periods_needed_before
from catalog.compiler.calculations.filling import filled_query
from catalog.compiler.calculations.lining import (
    FILLED,
    KEPT,
    LINED_UP,
    Addition,
    Source,
    Value,
    line_up,
    own_groups,
    read_from,
)
from catalog.compiler.calculations.members import compared_members
from catalog.compiler.calculations.moving import moving_windows
from catalog.compiler.calculations.periods import compared_periods
from catalog.compiler.calculations.ranks import rank
from catalog.compiler.calculations.running import running_total
from catalog.compiler.calculations.setting import ASKED, Setting
from catalog.compiler.calculations.shares import share
from catalog.compiler.calculations.span import inside_of, reach_queries
from catalog.compiler.relation import Queries
from catalog.compiler.sql import column, named
from catalog.compiler.stop import stop
from catalog.issues import IssueCode
from catalog.query import ResultColumn

_CALCULATED = "calculated"


@dataclass(frozen=True, slots=True, kw_only=True)
class Calculated:
    """Rows with the metrics and all that follows from them; `columns` are the values in order, `shown` their names."""

    queries: Queries
    rows: exp.Select
    columns: tuple[ResultColumn, ...]
    shown: tuple[str, ...]
    tables: frozenset[str]
    notes: tuple[str, ...]


def calculated(setting: Setting) -> Calculated:
    """Every calculation of the spec, over all rows that its filters leave."""
    additions = tuple(_additions(setting))
    lined = any(a.sources for a in additions) or needs_calendar(setting)
    queries = _lined_up(setting, additions) if lined else _as_asked(setting)
    values = _values(setting, additions)
    ranks, notes = _ranks(setting, values)
    _check_names(setting, (*values, *ranks))
    return Calculated(
        queries=(*queries, (_CALCULATED, _valued(setting, values, kept=lined))),
        rows=_ranked(setting, values, ranks, kept=lined),
        columns=tuple(v.column for v in (*values, *ranks)),
        shown=tuple(v.column.name for v in (*values, *ranks) if v.shown),
        tables=frozenset(t for a in additions for t in a.tables),
        notes=(*(n for a in additions for n in a.notes), *notes),
    )


def _additions(setting: Setting) -> Iterator[Addition]:
    comparison, asked = setting.spec.comparison, setting.spec.calculations
    if isinstance(comparison, PeriodComparison):
        yield compared_periods(setting, comparison)
    if isinstance(comparison, MemberComparison):
        yield compared_members(setting, comparison)
    yield from (share(setting, c) for c in asked if isinstance(c, Share))
    yield from (running_total(setting, c) for c in asked if isinstance(c, RunningTotal))
    moving = tuple(c for c in asked if isinstance(c, MovingWindow))
    if moving:
        yield from moving_windows(setting, moving)


def _as_asked(setting: Setting) -> Queries:
    return (*setting.relation.queries, (FILLED, setting.relation.rows))


def _lined_up(setting: Setting, additions: Sequence[Addition]) -> Queries:
    """All sources side by side, filled by each metric's own rule."""
    asked = Source(suffix="", table=ASKED, groups=own_groups(ASKED, setting.aliases), keeps=True)
    metrics = tuple(m.name for m in setting.relation.metrics)
    asked = replace(asked, metrics=metrics, inside=inside_of(setting, asked.flag))
    sources = (asked, *(s for a in additions for s in a.sources))
    timeline = setting.timeline("A period") if len(setting.relation.timelines) == 1 else None
    queries: list[tuple[str, exp.Query]] = [*setting.relation.queries, (ASKED, setting.relation.rows)]
    queries.extend(reach_queries(setting, timeline, periods_needed_before(setting)))
    listed = timeline if needs_calendar(setting) else None
    queries.extend(listed_periods(setting, listed) if listed else ())
    queries.extend(q for a in additions for q in a.queries)
    if listed is not None:
        made, periods = calendar(setting, listed, sources)
        queries.extend(made)
        sources = (*sources, *periods)
    queries.append((LINED_UP, line_up(sources, setting.aliases)))
    queries.append((FILLED, filled_query(setting, sources)))
    return tuple(queries)


def _values(setting: Setting, additions: Sequence[Addition]) -> tuple[Value, ...]:
    """Each metric, then what follows from it, also in several steps."""
    found: list[Value] = []
    names = {m.name for m in setting.relation.metrics}
    for metric in setting.relation.metrics:
        own = column(FILLED, metric.name)
        found.append(Value(column=metric.column, value=own, shown=metric.name in setting.visible))
        found.extend(v for a in additions for v in a.values if _behind(v.column.of, names) == metric.name)
    return tuple(found)


def _behind(of: str, names: set[str]) -> str:
    return of if of in names else metric_behind(of)


def _valued(setting: Setting, values: Sequence[Value], *, kept: bool) -> exp.Select:
    groups = [column(FILLED, a) for a in setting.aliases]
    flags = [column(FILLED, KEPT)] if kept else []
    return read_from(FILLED).select(*groups, *(named(v.value, v.column.name) for v in values), *flags, copy=False)


def _ranks(setting: Setting, values: Sequence[Value]) -> tuple[tuple[Value, ...], tuple[str, ...]]:
    known = [v.column for v in values]
    made = [rank(setting, c, known, _CALCULATED) for c in setting.spec.calculations if isinstance(c, Rank)]
    return tuple(v for v, _ in made), tuple(note for _, note in made)


def _ranked(setting: Setting, values: Sequence[Value], ranks: Sequence[Value], *, kept: bool) -> exp.Select:
    """The rows that belong to the answer, ranked among themselves."""
    names = (*setting.aliases, *(v.column.name for v in values))
    select = read_from(_CALCULATED).select(
        *(column(_CALCULATED, n) for n in names), *(named(r.value, r.column.name) for r in ranks), copy=False
    )
    belongs = exp.EQ(this=column(_CALCULATED, KEPT), expression=exp.Literal.number(1))
    return select.where(belongs, copy=False) if kept else select


def _check_names(setting: Setting, values: Sequence[Value]) -> None:
    names = [*setting.aliases, *(v.column.name for v in values)]
    twice = next((n for n in names if names.count(n) > 1), None)
    if twice is not None:
        message = f"{twice} would be two columns of one result; ask for it once."
        raise stop(IssueCode.UNSUPPORTED, message, subject=twice)
