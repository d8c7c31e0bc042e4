"""Random small companies: tables, rows, a catalog over them and a question."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from catalog.query import QuerySpec
from catalog.types import (
    METRIC_TIME,
    Aggregation,
    Bridge,
    Calendar,
    CatalogSnapshot,
    Dimension,
    DimensionType,
    Entity,
    EntityType,
    FiscalYear,
    Measure,
    Metric,
    MetricInput,
    MetricType,
    NonAdditive,
    PeriodAggregation,
    SemanticModel,
    TimeGranularity,
)
from tests.proof.pools import GRAINS, NAMES, RANKS, decimals, maybe_days, moments, whole_numbers, words
from tests.proof.questions import filters_on, question
from tests.proof.tables import Data


@dataclass(frozen=True)
class World:
    """A catalog, the rows of its tables, how they are created, and one question."""

    snapshot: CatalogSnapshot
    data: Data
    columns: dict[str, dict[str, str]]
    spec: QuerySpec

    def __repr__(self) -> str:
        """What a failing example must show: the question, its metrics, its rows, the calendar."""
        used = [
            m for m in self.snapshot.metrics if m.name in {*self.spec.metrics, *(h.metric for h in self.spec.having)}
        ]
        inputs = {i.metric for m in used for i in (m.numerator, m.denominator, *m.inputs) if i is not None}
        used += [m for m in self.snapshot.metrics if m.name in inputs and m not in used]
        rows = {t: [tuple(r.values()) for r in held[:20]] for t, held in self.data.items()}
        columns = {t: " ".join(f"{n}:{k}" for n, k in c.items()) for t, c in self.columns.items()}
        parts = (_short(self.spec), *(_short(m) for m in used), columns, rows, _short(self.snapshot.calendar))
        return "\n".join(str(p) for p in parts)


def _short(value: Any) -> str:
    held = ((f.name, getattr(value, f.name), f.default) for f in fields(value))
    return f"{type(value).__name__}({', '.join(f'{n}={v}' for n, v, d in held if v != d and v not in ((), None))})"


@dataclass(frozen=True)
class Fact:
    """What a random fact table offers."""

    model: SemanticModel
    metrics: tuple[Metric, ...]


def _keys(draw: st.DrawFn) -> st.SearchStrategy[int | None]:
    """Foreign keys: some missing, some that lead nowhere."""
    return st.one_of(st.integers(1, 3), st.none(), st.just(99)) if draw(st.booleans()) else st.integers(1, 3)


@st.composite
def worlds(draw: st.DrawFn, kinds: tuple[str, ...]) -> World:
    """A company with 1 or 2 fact tables, a chain of dimension tables, perhaps tags over a bridge and balances."""
    data: Data = {}
    columns: dict[str, dict[str, str]] = {}
    depth = draw(st.integers(0, 2))
    models = [_level(draw, data, columns, n, depth) for n in range(1, depth + 1)]
    facts = [_fact(draw, data, columns, n, depth, kinds) for n in range(1, draw(st.integers(1, 2)) + 1)]
    bridges: tuple[Bridge, ...] = ()
    if draw(st.booleans()):
        models += _tags(draw, data, columns)
        bridges = (Bridge(from_entity="fact_1", to_entity="tag", model="fact_tags"),)
    if "balance" in kinds:
        facts.append(_balances(draw, data, columns, depth))
    models += [f.model for f in facts]
    simple = tuple(m for f in facts for m in f.metrics)
    metrics = (*simple, *_composed(draw, simple, kinds, models))
    snapshot = CatalogSnapshot(
        name="world",
        digest="",
        dialect="duckdb",
        models=tuple(models),
        metrics=metrics,
        bridges=bridges,
        calendar=_calendar(draw),
    )
    return World(snapshot, data, columns, question(draw, snapshot, kinds))


def _calendar(draw: st.DrawFn) -> Calendar:
    return Calendar(
        timezone=draw(st.sampled_from(["UTC", "Europe/London", "America/New_York"])),
        week_start=draw(st.sampled_from(["monday", "sunday", "saturday"])),
        quarter_basis=draw(st.sampled_from(["calendar", "fiscal"])),
        fiscal=FiscalYear(start_month=draw(st.integers(1, 12))),
    )


# -- tables ---------------------------------------------------------------------------------


def _table(data: Data, columns: dict[str, dict[str, str]], name: str, types: dict[str, str], rows: list[Any]) -> str:
    table = f"shop.{name}"
    columns[table] = types
    data[table] = [dict(zip(types, r, strict=True)) for r in rows]
    return table


def _level(draw: st.DrawFn, data: Data, columns: dict[str, dict[str, str]], n: int, depth: int) -> SemanticModel:
    """A dimension table; each leads to the next."""
    word = draw(st.sampled_from(NAMES))
    types = {"id": "INT", word: "VARCHAR", "rank": "VARCHAR", "since": "DATE", "size": "INT", "next_id": "INT"}
    row = st.tuples(
        words, st.sampled_from([None, *RANKS]), maybe_days, st.one_of(st.none(), st.integers(0, 2)), _keys(draw)
    )
    rows = [(i, *draw(row)) for i in range(1, draw(st.integers(1, 3)) + 1)]
    entities = [Entity(name=f"level_{n}", type=EntityType.PRIMARY, expr="id")]
    if n < depth:
        entities.append(Entity(name=f"level_{n + 1}", type=EntityType.FOREIGN, expr="next_id"))
    dimensions = (
        Dimension(name=f"word_{n}", type=DimensionType.CATEGORICAL, expr=f'"{word}"'),
        Dimension(name=f"rank_{n}", type=DimensionType.ORDINAL, expr="rank", values=RANKS),
        Dimension(name=f"since_{n}", type=DimensionType.TIME, expr="since", granularity=TimeGranularity.DAY),
        Dimension(name=f"size_{n}", type=DimensionType.NUMBER, expr="size"),
    )
    table = _table(data, columns, f"level_{n}", types, rows)
    return SemanticModel(name=f"levels_{n}", table=table, entities=tuple(entities), dimensions=dimensions)


def _tags(draw: st.DrawFn, data: Data, columns: dict[str, dict[str, str]]) -> list[SemanticModel]:
    tags = _table(data, columns, "tags", {"id": "INT", "tag": "VARCHAR"}, [(i, draw(words)) for i in (1, 2, 3)])
    pair = st.tuples(st.integers(1, 6), st.integers(1, 3))
    rows = draw(st.lists(pair, max_size=8))
    held = _table(data, columns, "fact_tags", {"fact_id": "INT", "tag_id": "INT"}, rows)
    return [
        SemanticModel(
            name="tags",
            table=tags,
            entities=(Entity(name="tag", type=EntityType.PRIMARY, expr="id"),),
            dimensions=(Dimension(name="tag_word", type=DimensionType.CATEGORICAL, expr="tag"),),
        ),
        SemanticModel(
            name="fact_tags",
            table=held,
            entities=(
                Entity(name="fact_1", type=EntityType.FOREIGN, expr="fact_id"),
                Entity(name="tag", type=EntityType.FOREIGN, expr="tag_id"),
            ),
        ),
    ]


def _fact(
    draw: st.DrawFn, data: Data, columns: dict[str, dict[str, str]], n: int, depth: int, kinds: tuple[str, ...]
) -> Fact:
    is_timestamp = draw(st.booleans())
    number = draw(st.sampled_from(["INT", "BIGINT", "DECIMAL(12,2)"]))
    amounts = (
        decimals
        if number.startswith("DEC")
        else whole_numbers
        if number == "BIGINT"
        else st.one_of(st.none(), st.integers(-3, 5))
    )
    times = st.one_of(moments, st.none()) if is_timestamp else maybe_days
    row = st.tuples(_keys(draw), _keys(draw), times, amounts, words)
    rows = [(i, *draw(row)) for i in range(1, draw(st.integers(0, 6)) + 1)]
    types = {
        "id": "INT",
        "up_id": "INT",
        "first_id": "INT",
        "at": "TIMESTAMP" if is_timestamp else "DATE",
        "amount": number,
        "status": "VARCHAR",
    }
    entities = [Entity(name=f"fact_{n}", type=EntityType.PRIMARY, expr="id")]
    to_first = n == 2 and draw(st.booleans())
    if to_first:
        entities.append(Entity(name="fact_1", type=EntityType.FOREIGN, expr="first_id"))
    if depth and (not to_first or draw(st.booleans())):
        entities.append(Entity(name="level_1", type=EntityType.FOREIGN, expr="up_id"))
    grain = TimeGranularity.HOUR if is_timestamp and draw(st.booleans()) else TimeGranularity.DAY
    kept = "UTC" if is_timestamp and draw(st.booleans()) else ""
    dimensions = (
        Dimension(name=f"at_{n}", type=DimensionType.TIME, expr='"at"', granularity=grain, timezone=kept),
        Dimension(name=f"status_{n}", type=DimensionType.CATEGORICAL, expr="status"),
    )
    measures = tuple(_measures(n))
    model = SemanticModel(
        name=f"facts_{n}",
        table=_table(data, columns, f"fact_{n}", types, rows),
        entities=tuple(entities),
        dimensions=dimensions,
        measures=measures,
        default_time_dimension=f"at_{n}",
    )
    own = [f"status_{n}", *(["word_1"] if any(e.name == "level_1" for e in entities) else [])]
    if "filtered" in kinds:
        joined = ["rank_1", "size_1"] if "word_1" in own else []
        return Fact(model, _filtered(draw, measures, [*own, *joined, f"at_{n}", METRIC_TIME]))
    metrics = tuple(_simple(draw, m, own) for m in measures)
    return Fact(model, metrics)


def _measures(n: int) -> list[Measure]:
    def measure(name: str, agg: Aggregation, expr: str, **more: Any) -> Measure:
        return Measure(name=f"{name}_{n}", agg=agg, expr=expr, agg_time_dimension=f"at_{n}", **more)

    return [
        measure("total", Aggregation.SUM, "amount"),
        measure("lines", Aggregation.COUNT, "1"),
        measure("filled", Aggregation.COUNT, "amount"),
        measure("kinds", Aggregation.COUNT_DISTINCT, "status"),
        measure("mean", Aggregation.AVERAGE, "amount"),
        measure("least", Aggregation.MIN, "amount"),
        measure("most", Aggregation.MAX, "amount"),
        measure("middle", Aggregation.MEDIAN, "amount"),
        measure("near", Aggregation.PERCENTILE, "amount", percentile=Decimal("0.9")),
        measure("exact", Aggregation.PERCENTILE, "amount", percentile=Decimal("0.25"), discrete_percentile=True),
        measure("large", Aggregation.SUM_BOOLEAN, "amount >= 2"),
    ]


def _simple(draw: st.DrawFn, measure: Measure, fields: list[str]) -> Metric:
    filters = (draw(filters_on(draw(st.sampled_from(fields)))),) if draw(st.integers(0, 3)) == 0 else ()
    fill = Decimal(0) if draw(st.integers(0, 5)) == 0 else None
    return Metric(
        name=f"m_{measure.name}", type=MetricType.SIMPLE, measure=measure.name, filters=filters, fill_nulls_with=fill
    )


def _filtered(draw: st.DrawFn, measures: tuple[Measure, ...], fields: list[str]) -> tuple[Metric, ...]:
    """Several metrics over the same rows, nearly each under conditions of its own, of which some share a part."""
    shared = [draw(filters_on(draw(st.sampled_from(fields))))]
    found = []
    for measure in draw(st.lists(st.sampled_from(measures), min_size=4, max_size=7)):
        own = [draw(filters_on(draw(st.sampled_from(fields)))) for _ in range(draw(st.sampled_from([0, 1, 1, 2])))]
        conditions = tuple(dict.fromkeys([*(shared if draw(st.booleans()) else []), *own]))
        plain = _simple(draw, measure, fields)
        found.append(replace(plain, name=f"{plain.name}_under_{len(found)}", filters=conditions))
    return tuple(found)


def _balances(draw: st.DrawFn, data: Data, columns: dict[str, dict[str, str]], depth: int) -> Fact:
    row = st.tuples(_keys(draw), maybe_days, st.integers(-2, 9), words)
    rows = [(i, *draw(row)) for i in range(1, draw(st.integers(0, 8)) + 1)]
    types = {"id": "INT", "up_id": "INT", "on": "DATE", "amount": "INT", "account": "VARCHAR"}
    entities = (Entity(name="balance", type=EntityType.PRIMARY, expr="id"),)
    entities = (*entities, Entity(name="level_1", type=EntityType.FOREIGN, expr="up_id")) if depth else entities
    rule = NonAdditive(
        dimension="on_3",
        pick=draw(st.sampled_from([Aggregation.MIN, Aggregation.MAX])),
        window_groupings=draw(st.sampled_from([(), ("account_3",)])),
    )
    measures = tuple(
        Measure(name=f"{name}_3", agg=agg, expr="amount", agg_time_dimension="on_3", non_additive=rule)
        for name, agg in (("held", Aggregation.SUM), ("highest", Aggregation.MAX))
    )
    model = SemanticModel(
        name="balances",
        table=_table(data, columns, "balances", types, rows),
        entities=entities,
        dimensions=(
            Dimension(name="on_3", type=DimensionType.TIME, expr='"on"', granularity=TimeGranularity.DAY),
            Dimension(name="account_3", type=DimensionType.CATEGORICAL, expr="account"),
        ),
        measures=measures,
        default_time_dimension="on_3",
    )
    return Fact(model, tuple(Metric(name=f"m_{m.name}", type=MetricType.SIMPLE, measure=m.name) for m in measures))


# -- metrics --------------------------------------------------------------------------------


def _composed(
    draw: st.DrawFn, simple: tuple[Metric, ...], kinds: tuple[str, ...], models: list[SemanticModel]
) -> list[Metric]:
    names = [m.name for m in simple]
    made: list[Metric] = []
    if "ratio" in kinds:
        made.append(
            Metric(name="ratio", type=MetricType.RATIO, numerator=_input(draw, names), denominator=_input(draw, names))
        )
    if "derived" in kinds or "offset" in kinds:
        back = _offset(draw) if "offset" in kinds else {}
        first, second = (draw(st.sampled_from([*names, *(m.name for m in made)])) for _ in range(2))
        text = draw(st.sampled_from(["x - y", "x + 2 * y", "(x - y) / y", "-x / (y + 1)", "x / 2 + y / 4"]))
        inputs = (MetricInput(metric=first, alias="x"), replace(MetricInput(metric=second, alias="y"), **back))
        made.append(Metric(name="derived", type=MetricType.DERIVED, expr=text, inputs=inputs))
    if "cumulative" in kinds:
        measure = draw(st.sampled_from([m.name for model in models for m in model.measures if _adds(m)]))
        reach = draw(st.sampled_from(REACHES))
        stands = draw(st.sampled_from([None, *PeriodAggregation]))
        made.append(Metric(name="running", type=MetricType.CUMULATIVE, measure=measure, period_agg=stands, **reach))
    return made


REACHES: list[dict[str, Any]] = [
    {},
    {"window_count": 7, "window_granularity": TimeGranularity.DAY},
    {"window_count": 2, "window_granularity": TimeGranularity.WEEK},
    {"window_count": 1, "window_granularity": TimeGranularity.MONTH},
    {"grain_to_date": TimeGranularity.MONTH},
    {"grain_to_date": TimeGranularity.WEEK},
    {"grain_to_date": TimeGranularity.QUARTER},
    {"grain_to_date": TimeGranularity.YEAR},
]


def _adds(measure: Measure) -> bool:
    return measure.agg in {Aggregation.SUM, Aggregation.COUNT} and measure.non_additive is None


def _input(draw: st.DrawFn, names: list[str]) -> MetricInput:
    return MetricInput(metric=draw(st.sampled_from(names)))


def _offset(draw: st.DrawFn) -> dict[str, Any]:
    unit = draw(st.sampled_from(GRAINS))
    return {"offset_count": draw(st.integers(1, 2)), "offset_granularity": unit}
