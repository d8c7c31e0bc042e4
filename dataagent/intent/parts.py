"""Meanings of phrases before they become a plan: typed fragments, still underspecified.

A `Ref` may point at several catalog objects ("channel"); the type filter narrows
it once the metric is known.  Fragments are values, so equal readings fold together.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from catalog.query import Default, TimeRange
from catalog.types import Operator, Scalar, TimeGranularity
from dataagent.intent.types import BoundTo


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Tokens [start, end) were consumed as `kind`, naming `target`."""

    start: int
    end: int
    kind: BoundTo
    target: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ref:
    """One mention of catalog objects of one kind.

    `term` is set when the word is declared ambiguous.  `others` are the meanings that its owner's
    declared default leaves aside.  `strength` is 0 for a name and rises for synonyms and looser
    sources; `typo` counts corrected letters.
    """

    kind: BoundTo
    targets: tuple[str, ...]
    surface: str
    term: str = ""
    others: tuple[str, ...] = ()
    strength: int = 0
    typo: int = 0
    words: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueRef:
    """One mention of members: (dimension, members as stored) pairs that the words can mean."""

    choices: tuple[tuple[str, tuple[str, ...]], ...]
    surface: str
    strength: int = 0
    typo: int = 0
    words: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number with its unit: "", "currency", "percent"; `words` tells "five" from 5."""

    value: Scalar
    unit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeReading:
    """A period as read.  `asks` holds the rival windows when a setting is missing."""

    range: TimeRange
    defaults: tuple[Default, ...] = ()
    asks: tuple[TimeRange, ...] = ()
    why: str = ""
    future: bool = False
    grain: TimeGranularity | None = None
    trend: bool = False
    relative: str = ""


class Part:
    """Base of everything that a phrase can contribute to a plan."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics(Part):
    """Named metrics, in order.  `total` marks words such as "total" that need additivity.

    `shown` ones are wanted beside those that the question itself is about.
    """

    refs: tuple[Ref, ...]
    total: bool = False
    count: bool = False
    scalar: bool = False
    distinct: bool = False
    versus: bool = False
    latest: bool = False
    shown: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown(Part):
    """Columns that the asker wants to see: groupings or a granularity of the plan."""

    refs: tuple[Ref, ...] = ()
    grain: TimeGranularity | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Groups(Part):
    """Dimensions or entities to group by, in order; `own`: those of the things themselves ("with their city").

    `each`: said with "per".
    """

    refs: tuple[Ref, ...]
    per: bool = False
    own: bool = False
    each: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Grain(Part):
    """A time granularity; `dimension` names another time dimension than the metric's own; `each`: said with "per".

    `ends`: the end of each period is meant, which only a level has.
    """

    grain: TimeGranularity
    dimension: Ref | None = None
    each: bool = False
    ends: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition(Part):
    """Members of one dimension.  `noun` restricts which dimension ("customers", "channel").

    `verb` is a participle whose stem has to occur in the dimension's words.
    `either` marks an "or" list, whose scope matters when another condition follows;
    `versus` members that are set side by side.  A plain "and" list can mean both.
    """

    values: tuple[ValueRef, ...]
    negated: bool = False
    noun: Ref | None = None
    verb: str = ""
    either: bool = False
    versus: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Literal(Part):
    """A member that the index does not hold, of a dimension that was named."""

    field: Ref
    text: str
    negated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared(Part):
    """A declared adjective."""

    word: str
    negated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag(Part):
    """A yes / no dimension used as a condition ("without test accounts")."""

    ref: Ref
    value: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured(Part):
    """A numeric condition.  Without `ref` it speaks about the head ("orders over $500"); `of_key` names one thing."""

    op: Operator
    numbers: tuple[Number, ...]
    ref: Ref | None = None
    of_row: bool = False
    of_key: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class When(Part):
    """A period."""

    reading: TimeReading


class Sense(StrEnum):
    """What a superlative claims: an amount, or a judgement that depends on polarity."""

    HIGH = "high"
    LOW = "low"
    GOOD = "good"
    BAD = "bad"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked(Part):
    """A ranking of things: sense, how many, of what, by what.  Each may be missing."""

    sense: Sense
    number: int | None = None
    percent: int | None = None
    things: Ref | None = None
    by: Ref | None = None
    single: bool = False
    ask: str = ""
    word: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankBy(Part):
    """ "by <metric>": what an open ranking or list is ordered by."""

    ref: Ref
    sense: Sense | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sorted(Part):
    """The order of a list or a table by one of its columns; without `ref` by what its rows are called, and without
    `sense` as is usual: from A to Z, the highest figure first.

    `number` keeps the first of them.  `ranks`: it is a superlative, which only numbers have.
    """

    ref: Ref | None = None
    sense: Sense | None = None
    number: int | None = None
    ranks: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Things(Part):
    """Things under conditions; `asked` is list, entity, count, exists, every, values, or "" for their figures."""

    ref: Ref
    asked: str = ""
    fields: tuple[Ref, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Subjects(Part):
    """Entities that own, do or undergo what is measured; each is a group unless a named key stands for it."""

    refs: tuple[Ref, ...]
    verb: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared(Part):
    """A comparison with another period: type and calculations; `range` for a named base."""

    type: str
    calc: tuple[str, ...] = ("diff", "pct")
    base: TimeReading | None = None
    anchor: TimeGranularity | None = None
    relative: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Versus(Part):
    """Members of one dimension set side by side."""

    values: tuple[ValueRef, ...]
    noun: Ref | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Calculated(Part):
    """A transform of the result by name with arguments."""

    type: str
    arguments: tuple[tuple[str, Scalar], ...] = ()
    ref: Ref | None = None
    value: ValueRef | None = None
    grain: TimeGranularity | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart(Part):
    """The wish for a kind of chart."""

    visual: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Trend(Part):
    """A wish for development over time."""

    word: str = "trend"


@dataclass(frozen=True, slots=True, kw_only=True)
class Defined(Part):
    """A question about the catalog itself."""

    aspect: str
    ref: Ref | None = None
    subject: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth(Part):
    """A yes / no question."""

    kind: str = "boolean"


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula(Part):
    """A formula stated in the question, to be checked against the metric's own."""

    numerator: Ref
    denominator: Ref


@dataclass(frozen=True, slots=True, kw_only=True)
class Summed(Part):
    """A metric that the asker defines as a sum: `terms` are what is added up."""

    ref: Ref
    terms: tuple[Ref, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused(Part):
    """A construct that is understood and cannot be answered: the reason's code."""

    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Open(Part):
    """A phrase that leaves a slot open and must be asked about ("growth", "best").

    `dropped` says that no answer to the question can bring the word into the plan ("large").
    """

    slot: str
    word: str
    dropped: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Idle(Part):
    """Words on the short list of ignorable ones, in a listed position."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit(Part):
    """A change of the earlier plan: what is done, to which mentions."""

    op: str
    refs: tuple[Ref, ...] = ()
