"""A query without metrics: the values that there are."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from sqlglot import exp

from catalog.compiler.flow.paths import Reached, primary_of, reach
from catalog.compiler.flow.periods import SPINE, Flow, spine_at, spine_value, within
from catalog.compiler.flow.rows import Rows
from catalog.compiler.refs import Ref
from catalog.compiler.sql import as_timestamp, column, grouped, join, named, select_from, table, where
from catalog.compiler.stop import CannotCompile, stop
from catalog.compiler.templates import Condition, fill
from catalog.issues import IssueCode
from catalog.lookup import KEPT, Whole
from catalog.types import SemanticModel, TimeGranularity, TimeSpine


def values_query(flow: Flow, conditions: tuple[Condition, ...]) -> tuple[exp.Select, tuple[Ref, ...]]:
    """The distinct groups (all rows where the query says so), and the groups as they are called."""
    refs = (*flow.query.group_by, *(r for c in conditions for r in c.refs))
    others = tuple(r for r in refs if not r.is_metric_time)
    times = tuple(r for r in refs if r.is_metric_time)
    rows = _rows(flow, others) if others else None
    spine = spine_at(flow.snapshot, times) if times or flow.window != (None, None) else None
    groups = tuple(_full(flow, rows, g) for g in flow.query.group_by)

    def value(ref: Ref) -> exp.Expr:
        if ref.is_metric_time and spine is not None:
            return spine_value(flow.snapshot, spine, ref, SPINE)
        if rows is None:
            raise stop(IssueCode.UNKNOWN_DIMENSION, f"There is no {ref.column}.", subject=ref.column)
        return rows.value(ref)

    shown = [named(value(g), g.column) for g in groups]
    filters = [fill(c, value) for c in conditions]
    made = _source(flow, rows, spine)
    if spine is not None:
        filters.extend(within(flow, as_timestamp(column(SPINE, spine.column))))
    made = where(made, filters)
    return (grouped(made, shown, []) if flow.query.distinct else made.select(*shown, copy=False)), groups


def _source(flow: Flow, rows: Rows | None, spine: TimeSpine | None) -> exp.Select:
    if spine is not None:
        flow.read.add(spine.table)
    if rows is None:
        return select_from(table(spine.table if spine else "", SPINE))
    made = rows.select()
    if spine is not None:
        # periods are crossed before the other tables are joined, so that their lonely rows stay single
        joins = made.args.get("joins") or []
        made.set("joins", [join(table(spine.table, SPINE), []), *joins])
    return made


def _rows(flow: Flow, refs: tuple[Ref, ...]) -> Rows:
    """The one model from which all names are reached by the fewest joins; all rows of both sides are kept."""
    found: list[tuple[int, SemanticModel]] = []
    issues: list[CannotCompile] = []
    for model in _starting(flow, refs):
        try:
            found.append((_joins(flow, model, refs), model))
        except CannotCompile as cannot:
            issues.append(cannot)
    if not found:
        raise _best_issue(issues, refs)
    fewest = min(count for count, _ in found)
    nearest = [model for count, model in found if count == fewest]
    if len(nearest) > 1:
        names = ", ".join(r.column for r in refs)
        message = f"{names} stands in several tables with different values; add a dimension of one of them."
        choices = tuple(m.name for m in nearest)
        raise stop(IssueCode.AMBIGUOUS_PATH, message, subject=names, choices=choices)
    return Rows(flow, nearest[0], None, side="FULL")


def _starting(flow: Flow, refs: tuple[Ref, ...]) -> tuple[SemanticModel, ...]:
    """The models that have the first word of every name; all, where the names leave words out."""
    models = flow.snapshot.models
    if any(r.holder for r in refs):
        return models
    leading = [led_from(Whole(flow.snapshot)).get(_first_word(r), {}) for r in refs]
    return tuple(m for name, m in leading[0].items() if all(name in others for others in leading)) or models


@lru_cache(maxsize=KEPT)
def led_from(whole: Whole) -> dict[str, dict[str, SemanticModel]]:
    """The models in which a name may begin with a word, by the word."""
    found: dict[str, dict[str, SemanticModel]] = {}
    for model in whole.snapshot.models:
        for word in (primary_of(model), *(e.name for e in model.entities)):
            found.setdefault(word, {})[model.name] = model
    return found


def _first_word(ref: Ref) -> str:
    """Where a name begins; a metric meets rows by its last entity, however it is computed."""
    return ref.path[-1 if ref.metric else 0] if ref.path else ref.name


def _joins(flow: Flow, model: SemanticModel, refs: tuple[Ref, ...]) -> int:
    found: set[tuple[str, ...]] = set()
    for ref in refs:
        wanted = ref
        if ref.metric:
            is_here = any(e.name == ref.path[-1] for e in model.entities)
            wanted = Ref(path=() if is_here else ref.path[:-1], name=ref.path[-1])
        reached = reach(flow.snapshot, model, wanted)
        if reached.path[: len(reached.path) - len(wanted.path)]:
            message = f"{ref.column} is not named from {model.name}."
            raise stop(IssueCode.UNREACHABLE_DIMENSION, message, subject=ref.column)
        found |= {tuple(h.right for h in reached.hops[: i + 1]) for i in range(len(reached.hops))}
    return len(found)


def _best_issue(issues: list[CannotCompile], refs: tuple[Ref, ...]) -> CannotCompile:
    """An ambiguity says more than that a name is not there."""
    codes = {IssueCode.AMBIGUOUS_PATH, IssueCode.WRONG_TYPE}
    told = next((i for i in issues if i.issues and i.issues[0].code in codes), None)
    names = ", ".join(r.column for r in refs)
    unreachable = stop(IssueCode.UNREACHABLE_DIMENSION, f"No table leads to all of {names}.", subject=names)
    return told or unreachable


def _full(flow: Flow, rows: Rows | None, ref: Ref) -> Ref:
    if ref.is_metric_time or rows is None:
        return ref
    return completed(ref, reach(flow.snapshot, rows.model, ref))


def completed(ref: Ref, reached: Reached) -> Ref:
    """The name with its whole path and, for a time, its grain."""
    grain = ref.grain
    if reached.time is not None and not (ref.grain or ref.part):
        grain = str(reached.time.granularity or TimeGranularity.DAY)
    return replace(ref, path=reached.path, grain=grain)
