"""A large company's words: thousands of metrics and dimensions, millions of members, names that one can say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from catalog.access import AccessScope
from catalog.types import (
    Aggregation,
    CatalogSnapshot,
    Dimension,
    DimensionType,
    Entity,
    EntityInfo,
    EntityType,
    Measure,
    Metric,
    MetricInput,
    MetricType,
    SemanticModel,
    TimeGranularity,
)

SYLLABLES = tuple(c + v for c in "bdfgklmnprstvz" for v in "aeiou")
"""What words are made of."""
_WORDS = len(SYLLABLES) ** 3
_FIGURES = ("revenue", "cost", "orders", "refunds")
_OF_FACT = ("status", "channel", "type", "source", "priority", "reason", "tier", "method", "stage")
_LARGE = ("customer", "product", "supplier", "account", "campaign", "store", "city", "contract")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """How large: each fact has ten dimensions and five metrics; eight subjects hold most of the members."""

    facts: int = 1_000
    subjects: int = 100
    of_subject: int = 400
    members: int = 5_000_000

    @property
    def metrics(self) -> int:
        """All metrics."""
        return self.facts * (len(_FIGURES) + 1)

    @property
    def dimensions(self) -> int:
        """All dimensions."""
        return self.facts * (len(_OF_FACT) + 1) + self.subjects * self.of_subject


def word(number: int) -> str:
    """A word of three syllables; numbers below 343,000 have words of their own."""
    at, parts = number * 7_919 % _WORDS, []
    for _ in range(3):
        at, part = divmod(at, len(SYLLABLES))
        parts.append(SYLLABLES[part])
    return "".join(parts)


def vocabulary(size: Spoken) -> CatalogSnapshot:
    """The catalog."""
    facts = tuple(_fact(size, i) for i in range(size.facts))
    return CatalogSnapshot(
        name="spoken",
        digest=f"spoken {size}",
        dialect="duckdb",
        models=(*(_subject(size, i) for i in range(size.subjects)), *facts),
        metrics=tuple(m for i in range(size.facts) for m in _metrics(i)),
        entities=tuple(
            EntityInfo(name=name, label_dimension=f"{name}_name", synonyms=())
            for name in map(_name, range(len(_LARGE)))
        ),
    )


def everyone(snapshot: CatalogSnapshot) -> AccessScope:
    """The scope of somebody who may see all of it."""
    return AccessScope(
        workspace=snapshot.name,
        principal="everyone",
        policy_version="1",
        digest="all",
        metrics=frozenset(m.name for m in snapshot.metrics),
        without_warehouse=True,
    )


def members(size: Spoken) -> Mapping[str, Iterator[str]]:
    """The members by dimension: a fifth spread over the facts' dimensions, the rest over eight large ones."""
    small = size.members // 5 // max(1, size.facts * len(_OF_FACT))
    found = {
        f"{word(1_000 + i)}_{kind}": _short(i * len(_OF_FACT) + place, small)
        for i in range(size.facts)
        for place, kind in enumerate(_OF_FACT)
    }
    rest = (size.members - small * len(found)) // len(_LARGE)
    return {**found, **{f"{name}_name": _long(place, rest) for place, name in enumerate(_LARGE)}}


def long_member(dimension: int, number: int) -> str:
    """A member of a large dimension: two words, as names of people and firms have."""
    pair = (dimension * 104_729 + number * 7_368_787) % (_WORDS * 1_000)
    return f"{word(pair // 1_000).title()} {word(300_000 + pair % 1_000).title()}"


def questions(size: Spoken, count: int) -> tuple[str, ...]:
    """Questions of many forms, some of which cannot be answered."""
    return tuple(_question(size, i) for i in range(count))


def _question(size: Spoken, i: int) -> str:
    fact = word(1_000 + i * 37 % size.facts)
    metric, other = f"{fact} {_FIGURES[i % 4]}", f"{fact} {_FIGURES[(i + 1) % 4]}"
    kind, member = _OF_FACT[i % len(_OF_FACT)], long_member(i % len(_LARGE), i * 13)
    forms = (
        f"{metric} last month",
        f"{metric} by {fact} {kind} this year",
        f"{metric} for {member} last quarter",
        f"top 5 customer names by {metric} last year",
        f"{metric} and {other} by month this year",
        f"{metric} by store name compared with the month before",
        f"{metric} in {member} by {fact} {kind} in 2024",
        f"share of {metric} by {fact} {kind} last month",
        f"how did {metric} develop by week for {member}",
        f"{metric} last mnth by {fact} {kind[:-1]}",
        f"{metric} for {word(290_000 + i)} {word(291_000 + i)} last month",
        f"{fact} last month",
        f"what does {metric} mean",
        f"{_FIGURES[i % 4]} last month",
        f"{metric} in {word(200_000 + i * 17)} last month",
        f"{other} by status compared with last year",
        f"which {kind} has the highest {other} in the last 30 days",
    )
    return forms[i % len(forms)]


def _short(dimension: int, count: int) -> Iterator[str]:
    return (word(200_000 + (dimension * 31 + n * 17) % 90_000) for n in range(count))


def _long(dimension: int, count: int) -> Iterator[str]:
    return (long_member(dimension, n) for n in range(count))


def _name(subject: int) -> str:
    return _LARGE[subject] if subject < len(_LARGE) else word(subject)


def _text(name: str) -> Dimension:
    return Dimension(name=name, type=DimensionType.CATEGORICAL, expr=name)


def _key(name: str, kind: EntityType) -> Entity:
    return Entity(name=name, type=kind, expr=f"{name}_id")


def _subject(size: Spoken, i: int) -> SemanticModel:
    name = _name(i)
    parts = ("name", *(word(10_000 + n) for n in range(1, size.of_subject)))
    dimensions = tuple(_text(f"{name}_{part}") for part in parts)
    return SemanticModel(
        name=name, table=f"main.{name}", entities=(_key(name, EntityType.PRIMARY),), dimensions=dimensions
    )


def _fact(size: Spoken, i: int) -> SemanticModel:
    name = word(1_000 + i)
    meets = dict.fromkeys((*_LARGE[: size.subjects], *(_name((i + n * 11) % size.subjects) for n in range(3))))
    day = replace(_text("happened_on"), type=DimensionType.TIME, granularity=TimeGranularity.DAY)
    return SemanticModel(
        name=name,
        table=f"main.{name}",
        default_time_dimension="happened_on",
        entities=(_key(name, EntityType.PRIMARY), *(_key(m, EntityType.FOREIGN) for m in meets)),
        dimensions=(day, *(_text(f"{name}_{kind}") for kind in _OF_FACT)),
        measures=tuple(Measure(name=f"{name}_{f}", agg=Aggregation.SUM, expr=f) for f in _FIGURES),
    )


def _metrics(i: int) -> Iterator[Metric]:
    name = word(1_000 + i)
    for figure in _FIGURES:
        yield Metric(name=f"{name}_{figure}", type=MetricType.SIMPLE, measure=f"{name}_{figure}")
    yield Metric(
        name=f"{name}_rate",
        type=MetricType.RATIO,
        numerator=MetricInput(metric=f"{name}_refunds"),
        denominator=MetricInput(metric=f"{name}_orders"),
    )
