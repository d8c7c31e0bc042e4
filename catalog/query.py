"""What was asked (`MetricIntent`), what will be computed (`QuerySpec`), what came of it (`CompiledQuery`)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from catalog.calculations import Calculation, Change, Comparing, Derived, Direction, Taken, TimeRange, Top
from catalog.types import DatePart, Filter, Measure, Metric, MetricFormat, Operator, Polarity, Scalar, TimeGranularity

__all__ = [
    "AdHocMetric",
    "Calculation",
    "Change",
    "ColumnRole",
    "Comparing",
    "Comparison",
    "CompiledQuery",
    "Default",
    "Derived",
    "Direction",
    "FunnelStep",
    "GroupBy",
    "IntentKind",
    "MetricCondition",
    "MetricIntent",
    "Order",
    "Over",
    "Parameter",
    "QuerySpec",
    "ResultColumn",
    "Things",
    "ThingsSet",
    "TimeRange",
    "Top",
    "Transform",
]


class IntentKind(StrEnum):
    """The task behind a question."""

    QUERY = "query"
    DEFINE = "define"
    EXTREME = "extreme"
    ENTITY_LIST = "entity_list"
    ENTITY_COUNT = "entity_count"
    AGGREGATE = "aggregate"
    EXISTS = "exists"
    BOOLEAN = "boolean"
    DISTINCT_VALUES = "distinct_values"
    DISTRIBUTION = "distribution"
    FUNNEL = "funnel"
    COHORT_COUNT = "cohort_count"
    CORRELATION = "correlation"
    CONTRIBUTION = "contribution"
    EXPLAIN_LAST = "explain_last"
    RESET = "reset"


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricCondition:
    """A condition on a value of the result (having): a metric, or a derived column such as `metric__percent_change`."""

    metric: str
    op: Operator
    values: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThingsSet:
    """The things whose metric meets a condition under filters and in a period of its own; `absent`: all others."""

    metric: str
    op: Operator
    values: tuple[Scalar, ...]
    filters: tuple[Filter, ...] = ()
    time_range: TimeRange | None = None
    absent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Sort by a metric, a derived column or a dimension."""

    by: str
    direction: Direction


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A comparison: `type` is previous_period, year_ago, values or custom.

    `calc` holds any of diff, pct, points, ratio; `field` and `values` belong to
    type *values*, `range` to type *custom*.
    """

    type: str
    calc: tuple[str, ...] = ()
    field: str | None = None
    values: tuple[str, ...] = ()
    range: TimeRange | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Transform:
    """A calculation over the result (share_of_total, running_total, moving_average, rank …)."""

    type: str
    arguments: tuple[tuple[str, Scalar], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Default:
    """Something that was decided for the person: shown, and changeable in one click.

    `key` names the setting ("time_range"), `value` what was taken, `text` is the
    sentence shown, `alternatives` are complete questions or values to offer.
    """

    key: str
    value: str
    text: str
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricIntent:
    """A question's meaning in catalog names; the plan that is checked, shown and recorded.

    `subject` and `aspect` belong to DEFINE (definition, owner, freshness, lineage,
    help, access).  `defaults_used` lists what was assumed.
    """

    kind: IntentKind = IntentKind.QUERY
    metrics: tuple[str, ...] = ()
    dimensions: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()
    having: tuple[MetricCondition, ...] = ()
    time_range: TimeRange | None = None
    grain: TimeGranularity | None = None
    time_dimension: str | None = None
    comparison: Comparison | None = None
    transforms: tuple[Transform, ...] = ()
    entity: str | None = None
    entity_condition: tuple[MetricCondition, ...] = ()
    sets: tuple[ThingsSet, ...] = ()
    order: tuple[Order, ...] = ()
    limit: int | None = None
    per_group: str | None = None
    visual: str | None = None
    answer_shape: str | None = None
    subject: str | None = None
    aspect: str | None = None
    defaults_used: tuple[Default, ...] = ()
    notes: tuple[tuple[str, Scalar], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupBy:
    """One grouping: a dimension name (or METRIC_TIME); for time with a granularity, a part or a period of a spine."""

    dimension: str
    granularity: TimeGranularity | None = None
    part: DatePart | None = None
    custom: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Things:
    """Every thing of an entity by its `key` dimension, those without rows as well; `counted`: only how many.

    With `member` they are the members of that dimension, as the entity's rows know them.
    Only those that are in every one of `sets` are taken.
    """

    entity: str
    key: str
    counted: bool = False
    member: bool = False
    sets: tuple[ThingsSet, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AdHocMetric:
    """A metric that one question defines, in no catalog.

    A ratio of two of the catalog's metrics, or with `measure` a statistic of a column of `model`.
    """

    metric: Metric
    model: str = ""
    measure: Measure | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Over:
    """What is taken over the figures of each thing or period: `each` is computed first, grouped by the spec's own too.

    `called` is the word for one of them ("customer", "week"), `counted` names the column of how many there were.
    `periods` is how many periods the window holds: a sum or a count of a period without rows is 0.
    `upto` are the inner limits of the bins of a distribution, rising; each bin holds what is below its limit
    and not below the one before, the last all the rest.  `ranges` are the words of each.
    """

    each: tuple[GroupBy, ...]
    taken: Taken
    called: str
    counted: str
    periods: int | None = None
    upto: tuple[Scalar, ...] = ()
    ranges: tuple[str, ...] = ()

    def column(self, metric: str) -> str:
        """The name of the result's column of what is taken over a metric."""
        return f"{self.taken}_{metric}_per_{self.called.replace(' ', '_')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FunnelStep:
    """A step of a funnel: the metric that counts what reaches it, and its words."""

    metric: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QuerySpec:
    """A typed metric query.  Dimension names are `name` where unique, else `entity__name`.

    `time_range` bounds METRIC_TIME, or `time_dimension` when set.  `identify_by` are
    dimensions that keep rows apart without being shown: two customers of one name.

    The order in which it is computed: metrics by group, `comparison`, `calculations`,
    `having` and `kept`, `top`, `order_by`, `limit`.  `kept` are conditions on groupings
    that leave the rows behind a whole as they are: one member's share of all members.
    `things` asks for every thing of an entity in place of the groups that have rows.
    `peek` are rows beyond the limit that are read too, to see which of them tie with the last.
    `ad_hoc` are metrics of this query's own, which `metrics` may name.  With `over` the metrics are
    computed for each thing, and what comes back is taken over those.  With `funnel` each row is a step.
    """

    metrics: tuple[str, ...]
    group_by: tuple[GroupBy, ...] = ()
    where: tuple[Filter, ...] = ()
    having: tuple[MetricCondition, ...] = ()
    time_range: TimeRange | None = None
    time_dimension: str | None = None
    order_by: tuple[Order, ...] = ()
    limit: int | None = None
    peek: int = 0
    identify_by: tuple[str, ...] = ()
    comparison: Comparing | None = None
    calculations: tuple[Calculation, ...] = ()
    top: Top | None = None
    kept: tuple[Filter, ...] = ()
    things: Things | None = None
    ad_hoc: tuple[AdHocMetric, ...] = ()
    over: Over | None = None
    funnel: tuple[FunnelStep, ...] = ()


class ColumnRole(StrEnum):
    """What a result column is."""

    TIME = "time"
    DIMENSION = "dimension"
    METRIC = "metric"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultColumn:
    """One output column, in order: `name` is the SQL alias, `label` what a person reads.

    A `derived` column follows from the column `of`; a column of points has the unit "pp".  A column that is `of`
    another without being derived says more of it, such as over how many a figure is taken.
    """

    name: str
    label: str
    role: ColumnRole
    format: MetricFormat = MetricFormat.NUMBER
    unit: str = ""
    granularity: TimeGranularity | None = None
    part: DatePart | None = None
    polarity: Polarity = Polarity.NEUTRAL
    additive: bool = False
    of: str = ""
    derived: Derived | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A bound literal: `name` stands in the SQL as a named placeholder."""

    name: str
    value: Scalar


class Placeholder(StrEnum):
    """How a parameter stands in SQL text."""

    DOLLAR = "$p1"
    COLON = ":p1"
    AT = "@p1"
    PYFORMAT = "%(p1)s"
    QMARK = "?"
    BRACES = "{p1: Type}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReliedKey:
    """What must tell the rows of a joined table apart, for sums not to count a row twice.

    `columns` are the catalog's expressions over one row of `table`, in the order of the key;
    `partitions` are the names of the model's partitions within which it has to.  `observed`: no
    constraint declares the join, the data showed it when the catalog was drafted.
    """

    model: str
    table: str
    columns: tuple[str, ...]
    partitions: tuple[str, ...] = ()
    observed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledQuery:
    """SQL for one dialect, not yet guarded.  It may not be executed.

    `tables` are the qualified names read; `notes` are caveats that follow from the
    compilation (for example, groups of a bridge may overlap).  `placeholder` is how the
    parameters stand in `sql`; `settings` (name, value) must hold in the session that
    runs it, for nothing in the text sets them.  `keys` are what its joins rely on, by table and columns.
    """

    sql: str
    dialect: str
    parameters: tuple[Parameter, ...]
    columns: tuple[ResultColumn, ...]
    tables: tuple[str, ...]
    notes: tuple[str, ...] = ()
    placeholder: Placeholder = Placeholder.DOLLAR
    settings: tuple[tuple[str, str], ...] = ()
    keys: tuple[ReliedKey, ...] = ()
