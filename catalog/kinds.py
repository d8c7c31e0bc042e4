"""Closed sets of the catalog, and the parts that only MetricFlow's way of writing needs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum


class TimeGranularity(StrEnum):
    """Sizes of a time bucket, small to large."""

    NANOSECOND = "nanosecond"
    MICROSECOND = "microsecond"
    MILLISECOND = "millisecond"
    SECOND = "second"
    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


class DatePart(StrEnum):
    """A part of a date that comes back: the month of any year, the day of any week (1 is Monday).

    Fiscal parts follow the workspace's fiscal year and are named: `FY2025`, `FY2025 Q1`, `FY2025 M01`.
    """

    YEAR = "year"
    QUARTER = "quarter"
    MONTH = "month"
    DAY = "day"
    DAY_OF_WEEK = "dow"
    DAY_OF_YEAR = "doy"
    HOUR = "hour"
    FISCAL_YEAR = "fiscal_year"
    FISCAL_QUARTER = "fiscal_quarter"
    FISCAL_MONTH = "fiscal_month"


class EntityType(StrEnum):
    """How a join key behaves in its semantic model (MetricFlow's meaning)."""

    PRIMARY = "primary"
    UNIQUE = "unique"
    FOREIGN = "foreign"
    NATURAL = "natural"


class DimensionType(StrEnum):
    """What kind of thing a dimension is; decides which operators fit it."""

    CATEGORICAL = "categorical"
    TIME = "time"
    NUMBER = "number"
    BOOLEAN = "boolean"
    ORDINAL = "ordinal"
    GEO = "geo"
    TEXT = "text"
    ID = "id"


class Aggregation(StrEnum):
    """How a measure's column becomes one number."""

    SUM = "sum"
    COUNT = "count"
    COUNT_DISTINCT = "count_distinct"
    AVERAGE = "average"
    MIN = "min"
    MAX = "max"
    MEDIAN = "median"
    PERCENTILE = "percentile"
    SUM_BOOLEAN = "sum_boolean"


class MetricType(StrEnum):
    """Kinds of metric (MetricFlow's meaning)."""

    SIMPLE = "simple"
    RATIO = "ratio"
    DERIVED = "derived"
    CUMULATIVE = "cumulative"
    CONVERSION = "conversion"


class MetricFormat(StrEnum):
    """The unit in which a metric is shown."""

    NUMBER = "number"
    CURRENCY = "currency"
    PERCENT = "percent"
    HOURS = "hours"
    DAYS = "days"


class Polarity(StrEnum):
    """Whether more is better; superlatives such as *worst* depend on it."""

    HIGHER_IS_BETTER = "higher_is_better"
    LOWER_IS_BETTER = "lower_is_better"
    NEUTRAL = "neutral"


class Status(StrEnum):
    """Life-cycle of a semantic model's table, or of a metric; a draft was made by a program and reviewed by nobody."""

    CANONICAL = "canonical"
    DEPRECATED = "deprecated"
    EXPERIMENTAL = "experimental"
    DRAFT = "draft"


class Operator(StrEnum):
    """Comparison operators of filters and having."""

    EQ = "="
    NE = "!="
    IN = "in"
    NOT_IN = "not in"
    GT = ">"
    GE = ">="
    LT = "<"
    LE = "<="
    BETWEEN = "between"
    IS_NULL = "is null"
    IS_NOT_NULL = "is not null"


class PeriodAggregation(StrEnum):
    """Which value of a cumulative metric stands for a period larger than its own grain."""

    FIRST = "first"
    LAST = "last"
    AVERAGE = "average"


class Validity(StrEnum):
    """The part that a time dimension plays in a slowly changing table's validity window."""

    START = "start"
    END = "end"


class ConversionCalculation(StrEnum):
    """What a conversion metric shows."""

    RATE = "conversion_rate"
    COUNT = "conversions"


Scalar = str | int | Decimal | bool | date | datetime | None
"""A literal of a question, a filter or a cell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """A condition on a dimension.  `values` has one member, two for BETWEEN, any number for IN."""

    field: str
    op: Operator
    values: tuple[Scalar, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureUse:
    """A measure as a metric uses it; `filters`, or templated conditions in `where`, are about its rows."""

    name: str
    filters: tuple[Filter, ...] = ()
    where: tuple[str, ...] = ()
    fill_nulls_with: Decimal | None = None
    join_to_timespine: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion:
    """Rows of `base` that are followed, within the window, by rows of `conversion` of the same `entity`.

    Pairs of `constant_properties` (base name, conversion name) must be equal too.
    """

    base: MeasureUse
    conversion: MeasureUse
    entity: str
    calculation: ConversionCalculation = ConversionCalculation.RATE
    window_count: int | None = None
    window_granularity: TimeGranularity | None = None
    constant_properties: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeSpine:
    """A table with one row for each period of `granularity`; `custom` maps a period's name to its column."""

    table: str
    column: str
    granularity: TimeGranularity
    custom: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedQuery:
    """A named query; its parts are written as MetricFlow writes them."""

    name: str
    description: str = ""
    metrics: tuple[str, ...] = ()
    group_by: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    order_by: tuple[str, ...] = ()
    limit: int | None = None
