"""The company's vocabulary as values: frozen, ordered, free of any framework.

A `CatalogSnapshot` is one immutable version of the catalog.  Everything that
decides (terms, resolve, compiler, intent) takes a snapshot and returns values.
Terms follow MetricFlow: semantic model, entity, dimension, measure, metric.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from catalog.kinds import (
    Aggregation,
    Conversion,
    ConversionCalculation,
    DatePart,
    DimensionType,
    EntityType,
    Filter,
    MeasureUse,
    MetricFormat,
    MetricType,
    Operator,
    PeriodAggregation,
    Polarity,
    SavedQuery,
    Scalar,
    Status,
    TimeGranularity,
    TimeSpine,
    Validity,
)

__all__ = [
    "Aggregation",
    "Conversion",
    "ConversionCalculation",
    "DatePart",
    "DimensionType",
    "EntityType",
    "Filter",
    "MeasureUse",
    "MetricFormat",
    "MetricType",
    "Operator",
    "PeriodAggregation",
    "Polarity",
    "SavedQuery",
    "Scalar",
    "Status",
    "TimeGranularity",
    "TimeSpine",
    "Validity",
]
"""The closed sets that are imported from here."""

METRIC_TIME = "metric_time"
"""Reserved dimension name: each measure's own aggregation time dimension."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLocation:
    """Where an object was written: file as given to the importer, 1-based line."""

    file: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A join key of a semantic model; `expr` is the column behind it, `further` the others of a composite key.

    `observed`: no constraint says so, but the data looked so when it was drafted.  Answers that rest on it say it.
    """

    name: str
    type: EntityType
    expr: str
    further: tuple[str, ...] = ()
    observed: bool = False

    def columns(self) -> tuple[str, ...]:
        """All columns of the key, in the order in which other models' columns must meet them."""
        return (self.expr, *self.further)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimension:
    """Something to group or filter by.

    `expr` is a SQL expression over the model's own columns.  `values` are the
    declared members in order (ordinal order for ORDINAL); empty means that the
    warehouse tells.  `value_synonyms` maps a member to its other words.

    `format` and `unit` say how a number is shown, as those of a metric do.

    `timezone` says how a time is kept: unset, as days or wall clocks of the workspace;
    "UTC", as wall clocks of UTC; "instant", in a type that knows its offset (TIMESTAMPTZ).
    """

    name: str
    type: DimensionType
    expr: str
    label: str = ""
    description: str = ""
    synonyms: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    value_synonyms: tuple[tuple[str, tuple[str, ...]], ...] = ()
    granularity: TimeGranularity | None = None
    timezone: str = ""
    format: MetricFormat = MetricFormat.NUMBER
    unit: str = ""
    pii: bool = False
    indexable: bool = True
    is_partition: bool = False
    validity: Validity | None = None
    source: SourceLocation | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NonAdditive:
    """A semi-additive rule: take `pick` (min / max) of `dimension` before summing."""

    dimension: str
    pick: Aggregation
    window_groupings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """An aggregated column of a semantic model.

    `expr` is a SQL expression over the model's own columns ("1" counts rows).
    `agg_time_dimension` names a time dimension of the same model.
    """

    name: str
    agg: Aggregation
    expr: str
    agg_time_dimension: str | None = None
    percentile: Decimal | None = None
    discrete_percentile: bool = False
    non_additive: NonAdditive | None = None
    description: str = ""
    source: SourceLocation | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SemanticModel:
    """One table with its grain, join keys, dimensions and measures.

    `table` is the qualified name `schema.table` in the warehouse.  `primary_entity_name`
    names what a row is where no column identifies it.
    """

    name: str
    table: str
    description: str = ""
    grain: str = ""
    default_time_dimension: str | None = None
    primary_entity_name: str = ""
    entities: tuple[Entity, ...] = ()
    dimensions: tuple[Dimension, ...] = ()
    measures: tuple[Measure, ...] = ()
    owner: str = ""
    status: Status = Status.CANONICAL
    source: SourceLocation | None = None

    def primary_entity(self) -> Entity | None:
        """The entity that identifies one row, or None."""
        return next((e for e in self.entities if e.type is EntityType.PRIMARY), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bridge:
    """A declared many-to-many path: `model` holds rows of (`from_entity`, `to_entity`).

    Crossing a bridge counts each row of the measure's own grain once per group
    (the pair of primary key and group is made distinct first).  Counts, averages,
    minima and maxima may cross; a sum may not, because parts would exceed the whole.
    """

    from_entity: str
    to_entity: str
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityInfo:
    """How people speak of an entity: the words, its label dimension, its time dimension."""

    name: str
    key_dimension: str | None = None
    label_dimension: str | None = None
    time_dimension: str | None = None
    synonyms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricInput:
    """A metric used inside another, under `alias` in the expression."""

    metric: str
    alias: str = ""
    filters: tuple[Filter, ...] = ()
    offset_count: int = 0
    offset_granularity: TimeGranularity | None = None
    offset_custom: str = ""
    offset_to_grain: TimeGranularity | None = None
    where: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """An approved calculation over measures.

    simple: `measure` and `filters`.  ratio: `numerator` / `denominator`.
    derived: `expr` over the aliases of `inputs`.  cumulative: `measure` and
    `window_count` / `window_granularity` or `grain_to_date` (both unset: all time).
    `entity` is what one counted thing is; unset, the measure's primary entity.
    `steps` name what a rate leads through, from the first to the last, as a funnel; `step_metrics` are the
    metrics that count what reaches each of them.
    `version` is raised by the owner with every change of meaning.  A `hidden` metric serves
    other metrics only; nobody can ask for it.  `where`, `measure_use`,
    `period_agg`, `default_granularity` and `conversion` are MetricFlow's (`catalog.compiler.flow`).
    """

    name: str
    type: MetricType
    label: str = ""
    description: str = ""
    measure: str | None = None
    filters: tuple[Filter, ...] = ()
    numerator: MetricInput | None = None
    denominator: MetricInput | None = None
    expr: str | None = None
    inputs: tuple[MetricInput, ...] = ()
    window_count: int | None = None
    window_granularity: TimeGranularity | None = None
    grain_to_date: TimeGranularity | None = None
    fill_nulls_with: Decimal | None = None
    entity: str | None = None
    time_dimension: str | None = None
    measure_use: MeasureUse | None = None
    where: tuple[str, ...] = ()
    fiscal_to_date: bool = False
    period_agg: PeriodAggregation | None = None
    default_granularity: TimeGranularity | None = None
    conversion: Conversion | None = None
    format: MetricFormat = MetricFormat.NUMBER
    unit: str = ""
    polarity: Polarity = Polarity.NEUTRAL
    owner: str = ""
    version: int = 1
    status: Status = Status.CANONICAL
    hidden: bool = False
    caveats: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    step_metrics: tuple[str, ...] = ()
    source: SourceLocation | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FiscalYear:
    """Fiscal calendar: first month (1-12) and whether a year is named by its start or end."""

    start_month: int = 1
    label_by: str = "end_year"


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """The workspace's time conventions.  None means *unset*: where it matters, ask."""

    timezone: str = "UTC"
    week_start: str | None = "monday"
    quarter_basis: str | None = "calendar"
    date_order: str | None = None
    fiscal: FiscalYear = field(default_factory=FiscalYear)
    rolling_excludes_today: bool = True
    rolling_full_periods: bool = True
    to_date_includes_today: bool = True
    holidays: str = "US"


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogEvent:
    """A dated happening that questions may name ("since the spring launch")."""

    name: str
    date: date
    synonyms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Defaults:
    """What is assumed, and disclosed, where a question is silent."""

    time_range: str = "all_time"
    trend_range: str = "last_12_months"
    trend_grain: TimeGranularity = TimeGranularity.MONTH
    top_n: int = 10
    snapshot: str = "latest"


@dataclass(frozen=True, slots=True, kw_only=True)
class AmbiguousTerm:
    """A word with several meanings and no default: it must clarify."""

    term: str
    candidates: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TermDefault:
    """An owner's declared reading of `term`: answer, but disclose.

    Either a dimension, for metrics of `entity`, or a metric among the several that the word names.
    """

    term: str
    entity: str = ""
    dimension: str = ""
    metric: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjective:
    """A word that stands for a filter ("discontinued")."""

    word: str
    filter: Filter


@dataclass(frozen=True, slots=True, kw_only=True)
class FreshnessContract:
    """When a table is expected to be loaded: `hours` after the end of its day, and when a day is final."""

    table: str
    expected_within_hours: int = 24
    time_column: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extension:
    """Text that another tool keeps with an object: carried along word for word, never read as an instruction.

    `about` is `catalog` or a kind and a name, as in `metric.revenue` or `dimension.orders.status`;
    `key` is the tool and what it calls the text, as in `osi.custom_extensions`.
    """

    about: str
    key: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogSnapshot:
    """One frozen version of the catalog.  `digest` is the SHA-256 of its canonical JSON.

    `lineage` maps a metric or table to the tables it is made from, upstream first.
    """

    name: str
    digest: str
    dialect: str
    models: tuple[SemanticModel, ...]
    metrics: tuple[Metric, ...]
    entities: tuple[EntityInfo, ...] = ()
    bridges: tuple[Bridge, ...] = ()
    calendar: Calendar = field(default_factory=Calendar)
    events: tuple[CatalogEvent, ...] = ()
    defaults: Defaults = field(default_factory=Defaults)
    ambiguous_terms: tuple[AmbiguousTerm, ...] = ()
    term_defaults: tuple[TermDefault, ...] = ()
    adjectives: tuple[Adjective, ...] = ()
    lineage: tuple[tuple[str, tuple[str, ...]], ...] = ()
    freshness: tuple[FreshnessContract, ...] = ()
    time_spines: tuple[TimeSpine, ...] = ()
    saved_queries: tuple[SavedQuery, ...] = ()
    extensions: tuple[Extension, ...] = ()
