"""A small lending library: a catalog that is nothing like the demo's, for pure tests of the planner."""

from __future__ import annotations

from datetime import date

from catalog.access import AccessScope
from catalog.content import with_digest
from catalog.terms import build_index
from catalog.types import (
    Adjective,
    Aggregation,
    AmbiguousTerm,
    Calendar,
    CatalogEvent,
    CatalogSnapshot,
    Dimension,
    DimensionType,
    Entity,
    EntityInfo,
    EntityType,
    Filter,
    Measure,
    Metric,
    MetricFormat,
    MetricInput,
    MetricType,
    NonAdditive,
    Operator,
    Polarity,
    SemanticModel,
    TermDefault,
    TimeGranularity,
)
from dataagent.intent.types import Turn, Understanding
from dataagent.intent.understand import understand

TODAY = date(2025, 6, 18)


def _dimension(name: str, kind: DimensionType, *values: str, **more: object) -> Dimension:
    return Dimension(name=name, type=kind, expr=name, values=values, **more)  # type: ignore[arg-type]


def _time(name: str) -> Dimension:
    return Dimension(name=name, type=DimensionType.TIME, expr=name, granularity=TimeGranularity.DAY)


def _key(name: str, kind: EntityType) -> Entity:
    return Entity(name=name, type=kind, expr=f"{name}_id")


LOANS = SemanticModel(
    name="loans",
    table="library.loans",
    entities=(
        _key("loan", EntityType.PRIMARY),
        _key("reader", EntityType.FOREIGN),
        _key("book", EntityType.FOREIGN),
        _key("branch", EntityType.FOREIGN),
    ),
    dimensions=(
        _time("loan_date"),
        _dimension("loan_channel", DimensionType.CATEGORICAL, "desk", "kiosk", "app"),
        _dimension("loan_state", DimensionType.CATEGORICAL, "open", "closed", "overdue"),
        _dimension("loan_days", DimensionType.NUMBER),
    ),
    measures=(
        Measure(name="loan_count", agg=Aggregation.COUNT, expr="1", agg_time_dimension="loan_date"),
        Measure(name="fine_sum", agg=Aggregation.SUM, expr="fine", agg_time_dimension="loan_date"),
        Measure(name="late_count", agg=Aggregation.SUM, expr="late", agg_time_dimension="loan_date"),
    ),
)
READERS = SemanticModel(
    name="readers",
    table="library.readers",
    entities=(_key("reader", EntityType.PRIMARY),),
    dimensions=(
        _time("joined_date"),
        _time("registered_date"),
        _dimension("reader_name", DimensionType.TEXT, pii=True),
        _dimension("membership", DimensionType.ORDINAL, "basic", "premium", synonyms=("membership level",)),
        _dimension("reader_city", DimensionType.GEO, "Lyon", "Turin"),
        _dimension("reader_channel", DimensionType.CATEGORICAL, "poster", "friend"),
        _dimension("is_staff", DimensionType.BOOLEAN, synonyms=("staff accounts",)),
    ),
    measures=(Measure(name="reader_count", agg=Aggregation.COUNT, expr="1", agg_time_dimension="joined_date"),),
)
BOOKS = SemanticModel(
    name="books",
    table="library.books",
    entities=(_key("book", EntityType.PRIMARY),),
    dimensions=(
        _dimension("book_title", DimensionType.TEXT, "May Flowers", "The Kiosk"),
        _dimension("genre", DimensionType.CATEGORICAL, "crime", "poetry", "science fiction"),
    ),
)
BRANCHES = SemanticModel(
    name="branches",
    table="library.branches",
    entities=(_key("branch", EntityType.PRIMARY),),
    dimensions=(
        _dimension("branch_name", DimensionType.TEXT, "North", "Old Town"),
        _dimension("branch_city", DimensionType.GEO, "Lyon", "Turin", "Ghent"),
    ),
)
SHELVES = SemanticModel(
    name="shelves",
    table="library.shelves",
    entities=(_key("shelf", EntityType.PRIMARY), _key("book", EntityType.FOREIGN)),
    dimensions=(_time("stock_date"),),
    measures=(
        Measure(
            name="stock_sum",
            agg=Aggregation.SUM,
            expr="copies",
            agg_time_dimension="stock_date",
            non_additive=NonAdditive(dimension="stock_date", pick=Aggregation.MAX),
        ),
    ),
)


def _simple(name: str, measure: str, entity: str, *synonyms: str, **more: object) -> Metric:
    return Metric(  # type: ignore[arg-type]
        name=name, type=MetricType.SIMPLE, measure=measure, entity=entity, synonyms=synonyms, **more
    )


METRICS = (
    _simple("loans", "loan_count", "loan", "number of loans", "borrowings", owner="desk"),
    _simple("fines", "fine_sum", "loan", "fine income", format=MetricFormat.CURRENCY, owner="finance"),
    _simple("late_loans", "late_count", "loan", "late returns", "closed borrowings", polarity=Polarity.LOWER_IS_BETTER),
    Metric(
        name="late_rate",
        type=MetricType.RATIO,
        numerator=MetricInput(metric="late_loans"),
        denominator=MetricInput(metric="loans"),
        entity="loan",
        format=MetricFormat.PERCENT,
        polarity=Polarity.LOWER_IS_BETTER,
    ),
    Metric(
        name="average_fine",
        type=MetricType.RATIO,
        numerator=MetricInput(metric="fines"),
        denominator=MetricInput(metric="loans"),
        entity="loan",
        format=MetricFormat.CURRENCY,
        synonyms=("average fine per loan",),
    ),
    _simple("readers", "reader_count", "reader", "number of readers"),
    _simple("copies_on_shelf", "stock_sum", "shelf", "shelf stock"),
    _simple("budget", "fine_sum", "loan", "yearly budget", format=MetricFormat.CURRENCY, owner="board"),
)


def library(calendar: Calendar | None = None) -> CatalogSnapshot:
    """The library's catalog."""
    snapshot = CatalogSnapshot(
        name="library",
        digest="",
        dialect="duckdb",
        models=(LOANS, READERS, BOOKS, BRANCHES, SHELVES),
        metrics=METRICS,
        entities=(
            EntityInfo(name="loan", time_dimension="loan_date"),
            EntityInfo(
                name="reader", label_dimension="reader_name", synonyms=("member",), time_dimension="joined_date"
            ),
            EntityInfo(name="book", label_dimension="book_title", synonyms=("title",)),
            EntityInfo(name="branch", label_dimension="branch_name", synonyms=("library branch",)),
        ),
        calendar=calendar or Calendar(),
        events=(CatalogEvent(name="book_fair", date=date(2025, 4, 2), synonyms=("book fair",)),),
        ambiguous_terms=(
            AmbiguousTerm(term="income", candidates=("fines", "average_fine")),
            AmbiguousTerm(term="channel", candidates=("loan_channel", "reader_channel")),
            AmbiguousTerm(term="city", candidates=("branch_city", "reader_city")),
        ),
        term_defaults=(TermDefault(term="city", entity="loan", dimension="branch_city"),),
        adjectives=(
            Adjective(word="top-tier", filter=Filter(field="membership", op=Operator.EQ, values=("premium",))),
        ),
        lineage=(("loans", ("library.loans",)),),
    )
    return with_digest(snapshot)


def scope(*denied: str) -> AccessScope:
    """Everything except the denied metrics."""
    names = frozenset(m.name for m in METRICS) - set(denied)
    return AccessScope(
        workspace="library", principal="reader", policy_version="1", digest="s", metrics=names, without_warehouse=True
    )


SNAPSHOT = library()
SCOPE = scope("budget")
INDEX = build_index(SNAPSHOT, SCOPE, {})


def understood(question: str, *, turns: tuple[str, ...] = (), calendar: Calendar | None = None) -> Understanding:
    """What the planner makes of a question in the library, after the earlier turns."""
    snapshot = library(calendar) if calendar else SNAPSHOT
    earlier: tuple[Turn, ...] = ()
    outcome: Understanding | None = None
    for text in (*turns, question):
        outcome = understand(
            text,
            snapshot=snapshot,
            scope=SCOPE,
            index=INDEX,
            today=TODAY,
            turns=earlier,
            denied_metrics=frozenset({"budget"}),
        )
        earlier = (*earlier, Turn(question=text, intent=outcome.intent))
    assert outcome is not None
    return outcome
