"""Random questions over a random catalog."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import strategies as st

from catalog.query import Direction, GroupBy, MetricCondition, Order, QuerySpec, TimeRange
from catalog.types import METRIC_TIME, CatalogSnapshot, EntityType, Filter, Operator, SemanticModel, TimeGranularity
from tests.proof.pools import GRAINS, RANKS, days, words


def filters_on(field: str) -> st.SearchStrategy[Filter]:
    if field.startswith(("since", "on", "at", METRIC_TIME)):
        return st.builds(
            lambda op, d, n: Filter(
                field=field, op=op, values=(d, d + timedelta(days=n)) if op is Operator.BETWEEN else (d,)
            ),
            st.sampled_from(
                [Operator.EQ, Operator.NE, Operator.GT, Operator.GE, Operator.LT, Operator.LE, Operator.BETWEEN]
            ),
            days,
            st.integers(0, 40),
        )
    if field.startswith("size"):
        return st.builds(
            lambda op, n: Filter(field=field, op=op, values=(n,)),
            st.sampled_from([Operator.EQ, Operator.NE, Operator.GT, Operator.LE]),
            st.integers(0, 2),
        )
    if field.startswith("rank"):
        return st.builds(
            lambda op, v: Filter(field=field, op=op, values=(v,)),
            st.sampled_from([Operator.EQ, Operator.NE, Operator.GT, Operator.GE, Operator.LT, Operator.LE]),
            st.sampled_from(RANKS),
        )
    several = st.builds(
        lambda op, v: Filter(field=field, op=op, values=tuple(v)),
        st.sampled_from([Operator.IN, Operator.NOT_IN]),
        st.lists(words, min_size=1, max_size=3, unique=True),
    )
    one = st.builds(
        lambda op, v: Filter(field=field, op=op, values=(v,)),
        st.sampled_from([Operator.EQ, Operator.NE]),
        words.filter(lambda w: w is not None),
    )
    none = st.sampled_from([Operator.IS_NULL, Operator.IS_NOT_NULL]).map(lambda op: Filter(field=field, op=op))
    return st.one_of(one, several, none)


def question(draw: st.DrawFn, snapshot: CatalogSnapshot, kinds: tuple[str, ...]) -> QuerySpec:
    names = [m.name for m in snapshot.metrics]
    special = [n for n in names if n in {"ratio", "derived", "running"} or "_3" in n]
    metrics = draw(st.lists(st.sampled_from(special or names), min_size=1, max_size=2, unique=True))
    more = 4 if "filtered" in kinds else 2
    metrics += [n for n in draw(st.lists(st.sampled_from(names), max_size=more, unique=True)) if n not in metrics]
    models = _models_used(snapshot, metrics)
    known = _common(snapshot, models)
    chosen = draw(st.lists(st.sampled_from([METRIC_TIME, *known]), max_size=2, unique=True))
    if "offset" in kinds and draw(st.integers(0, 3)):
        chosen = list(dict.fromkeys((METRIC_TIME, *(c for c in chosen if not c.startswith(("at", "on"))))))[:2]
    groups = [draw(_group_by(f, by_hour="cumulative" not in kinds)) for f in chosen]
    where = [draw(filters_on(f)) for f in draw(st.lists(st.sampled_from([*known, METRIC_TIME]), max_size=1))]
    window = draw(st.one_of(st.none(), _windows()))
    if "cumulative" in kinds and draw(st.booleans()):
        where = [w for w in where if w.field != METRIC_TIME]
        window = window or draw(_windows())
    having = ()
    if draw(st.integers(0, 4)) == 0:
        op = draw(st.sampled_from([Operator.GT, Operator.LE, Operator.IS_NULL, Operator.IS_NOT_NULL]))
        having = (
            MetricCondition(
                metric=draw(st.sampled_from(metrics)), op=op, values=(1,) if op in {Operator.GT, Operator.LE} else ()
            ),
        )
    order: tuple[Order, ...] = ()
    limit = None
    if draw(st.integers(0, 2)) == 0:
        order = (Order(by=draw(st.sampled_from(metrics)), direction=draw(st.sampled_from(list(Direction)))),)
        limit = draw(st.one_of(st.none(), st.integers(1, 3)))
    return QuerySpec(
        metrics=tuple(metrics),
        group_by=tuple(groups),
        where=tuple(where),
        having=having,
        time_range=window,
        order_by=order,
        limit=limit,
    )


def _windows() -> st.SearchStrategy[TimeRange]:
    months = st.builds(
        lambda n, w: TimeRange(
            start=date(2024 + n // 12, n % 12 + 1, 1), end=date(2024 + (n + w) // 12, (n + w) % 12 + 1, 1), expr=""
        ),
        st.integers(0, 14),
        st.integers(1, 24),
    )
    any_days = st.builds(lambda d, n: TimeRange(start=d, end=d + timedelta(days=n), expr=""), days, st.integers(1, 90))
    open_ended = st.builds(
        lambda d, b: TimeRange(start=d if b else None, end=None if b else d, expr=""), days, st.booleans()
    )
    return st.one_of(months, any_days, open_ended)


def _group_by(field: str, *, by_hour: bool) -> st.SearchStrategy[GroupBy]:
    is_time = field == METRIC_TIME or field.startswith(("since", "at", "on"))
    hours = [TimeGranularity.HOUR] if by_hour and field != METRIC_TIME else []
    grains = st.sampled_from([*GRAINS, *hours]) if is_time else st.none()
    return grains.map(lambda g: GroupBy(dimension=field, granularity=g))


def _models_used(snapshot: CatalogSnapshot, metrics: list[str]) -> list[str]:
    """The models behind the metrics, by the ends of their measures' names."""
    held = {m.name: m for m in snapshot.metrics}
    found: list[str] = []
    todo = list(metrics)
    while todo:
        metric = held[todo.pop()]
        todo += [i.metric for i in (metric.numerator, metric.denominator, *metric.inputs) if i is not None]
        if metric.measure:
            found.append(next(m.name for m in snapshot.models for x in m.measures if x.name == metric.measure))
    return sorted(set(found))


def _common(snapshot: CatalogSnapshot, models: list[str]) -> list[str]:
    """Dimensions that all models may lead to; whether they do is for the compiler to say."""
    by_name = {m.name: m for m in snapshot.models}
    reached = [_reached(by_name, snapshot, m, set()) for m in models]
    return sorted(set.intersection(*reached)) if reached else []


def _reached(by_name: dict[str, SemanticModel], snapshot: CatalogSnapshot, name: str, seen: set[str]) -> set[str]:
    model = by_name[name]
    found = {d.name for d in model.dimensions}
    for entity in model.entities:
        for other in snapshot.models:
            leads = any(e.name == entity.name and e.type is EntityType.PRIMARY for e in other.entities)
            if leads and other.name not in {name, *seen}:
                found |= _reached(by_name, snapshot, other.name, {*seen, name})
    if name == "facts_1" and snapshot.bridges and not seen:
        found.add("tag_word")
    return found
