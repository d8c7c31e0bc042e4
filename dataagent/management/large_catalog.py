"""A large catalog as files: facts around shared subjects, some of which lead to further ones; metrics of every kind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

_FACTS_IN_A_FILE = 50


class Made(StrEnum):
    """Kinds of metrics that are made; a metric's name is its kind, `_` and the number of its fact."""

    SUM = "sum"
    RATIO = "ratio"
    DERIVED = "derived"
    WINDOW = "window"
    FILTERED = "filtered"
    DISTINCT = "distinct"
    PERCENTILE = "percentile"
    BALANCE = "balance"
    TO_DATE = "to_date"
    CONVERSION = "conversion"


_HALVES = (tuple(Made)[:5], tuple(Made)[5:])
"""Facts of an even number have metrics of the first five kinds, the others of the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How large: each fact has `of_fact` dimensions and five metrics and meets six subjects of `of_subject` each.

    Facts are numbered from `first`, so that catalogs can be told apart.
    """

    facts: int = 1_000
    subjects: int = 100
    of_fact: int = 10
    of_subject: int = 400
    first: int = 0

    @property
    def metrics(self) -> int:
        """All metrics."""
        return self.facts * 5

    @property
    def dimensions(self) -> int:
        """All dimensions."""
        return self.facts * self.of_fact + self.subjects * self.of_subject

    def fact_of(self, kind: Made, place: int) -> int:
        """The number of the fact that has the metric of a kind at a place, from 0 up to half the facts."""
        return self.first + place * 2 + (kind in _HALVES[1])

    def subject_of(self, fact: int) -> str:
        """A subject that the fact meets."""
        return f"subject_{fact % self.subjects}"


SMALL = Size(facts=40, subjects=60, of_subject=4)


def write_own(folder: Path, size: Size) -> None:
    """The catalog in our own YAML."""
    subjects = [_own_model(*part) for part in _subjects(size)]
    _write(folder / "subjects.yaml", "semantic_models:\n" + "".join(subjects))
    for start, facts in _files(size):
        models = "".join(_own_model(*_fact(size, i)) for i in facts)
        metrics = "".join(_own_metric(kind, i, size) for i in facts for kind in _HALVES[i % 2])
        _write(folder / f"facts_{start}.yaml", f"semantic_models:\n{models}metrics:\n{metrics}")


def write_metricflow(folder: Path, size: Size) -> None:
    """The same catalog in MetricFlow's YAML."""
    spine = (
        "---\nproject_configuration:\n  time_spines:\n    - node_relation:\n        alias: days\n"
        "        schema_name: $source_schema\n      primary_column:\n        name: day\n        time_granularity: day\n"
    )
    _write(folder / "project.yaml", spine)
    _write(folder / "subjects.yaml", "".join(_flow_model(*part) for part in _subjects(size)))
    for start, facts in _files(size):
        models = "".join(_flow_model(*_fact(size, i)) for i in facts)
        metrics = "".join(_flow_metric(kind, i, size) for i in facts for kind in _HALVES[i % 2])
        _write(folder / f"facts_{start}.yaml", models + metrics)


def _files(size: Size) -> Iterator[tuple[int, range]]:
    end = size.first + size.facts
    for start in range(size.first, end, _FACTS_IN_A_FILE):
        yield start, range(start, min(end, start + _FACTS_IN_A_FILE))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


Part = tuple[str, list[str], list[str], bool]
"""A model: its name, the subjects that it meets, its dimensions, whether it has measures."""


def _subjects(size: Size) -> Iterator[Part]:
    for i in range(size.subjects):
        # every tenth subject is one that nine others lead to
        wider = [f"subject_{i // 10 * 10}"] if i % 10 else []
        yield f"subject_{i}", wider, [f"subject_{i}_part_{n}" for n in range(size.of_subject)], False


def _fact(size: Size, i: int) -> Part:
    meets = list(dict.fromkeys(size.subject_of(i + step * 10 + step) for step in range(6)))
    return f"fact_{i}", meets, ["happened_on", *(f"fact_{i}_part_{n}" for n in range(1, size.of_fact))], True


def _own_model(name: str, meets: list[str], dimensions: list[str], measured: bool) -> str:
    lines = [f"  - name: {name}", f"    table: main.{name}", "    entities:"]
    lines.append(f"      - {{name: {name}, type: primary, expr: {name}_id}}")
    lines.extend(f"      - {{name: {m}, type: foreign, expr: {m}_id}}" for m in meets)
    lines.append("    dimensions:")
    for dimension in dimensions:
        kind = "time, granularity: day" if dimension == "happened_on" else "categorical"
        lines.append(f"      - {{name: {dimension}, type: {kind}, expr: {dimension}}}")
    if measured:
        last = "non_additive: {dimension: happened_on, pick: max}"
        lines.extend(
            [
                "    default_time_dimension: happened_on",
                "    measures:",
                f"      - {{name: {name}_amount, agg: sum, expr: amount}}",
                f"      - {{name: {name}_cost, agg: sum, expr: cost}}",
                f"      - {{name: {name}_buyers, agg: count_distinct, expr: buyer_id}}",
                f"      - {{name: {name}_large, agg: percentile, expr: amount, percentile: 0.9}}",
                f"      - {{name: {name}_held, agg: sum, expr: held, {last}}}",
            ]
        )
    return "\n".join(lines) + "\n"


def _own_metric(kind: Made, i: int, size: Size) -> str:
    fact, entity = f"fact_{i}", size.subject_of(i)
    ratio = f"type: ratio, numerator: {{metric: sum_{i}}}, denominator: {{metric: filtered_{i}}}"
    only = f"filters: [{{field: fact_{i}_part_1, op: '=', value: yes}}]"
    given = {
        Made.SUM: f"type: simple, measure: {fact}_amount",
        Made.RATIO: ratio,
        Made.DERIVED: f"type: derived, expr: sum_{i} - filtered_{i}, inputs: [sum_{i}, filtered_{i}]",
        Made.WINDOW: f"type: cumulative, measure: {fact}_amount, window_count: 60, window_granularity: day",
        Made.FILTERED: f"type: simple, measure: {fact}_cost, {only}",
        Made.DISTINCT: f"type: simple, measure: {fact}_buyers",
        Made.PERCENTILE: f"type: simple, measure: {fact}_large",
        Made.BALANCE: f"type: simple, measure: {fact}_held",
        Made.TO_DATE: f"type: cumulative, measure: {fact}_amount, grain_to_date: month",
        Made.CONVERSION: f"type: conversion, conversion: {{base: {fact}_amount, conversion: {fact}_cost, "
        f"entity: {entity}, calculation: conversion_rate, window_count: 7, window_granularity: day}}",
    }
    return f"  - {{name: {kind}_{i}, {given[kind]}}}\n"


def _flow_model(name: str, meets: list[str], dimensions: list[str], measured: bool) -> str:
    lines = ["---", "semantic_model:", f"  name: {name}", "  node_relation:"]
    lines.extend(["    schema_name: $source_schema", f"    alias: {name}", "  entities:"])
    lines.append(f"    - {{name: {name}, type: primary, expr: {name}_id}}")
    lines.extend(f"    - {{name: {m}, type: foreign, expr: {m}_id}}" for m in meets)
    lines.append("  dimensions:")
    for dimension in dimensions:
        kind = "time, type_params: {time_granularity: day}" if dimension == "happened_on" else "categorical"
        lines.append(f"    - {{name: {dimension}, type: {kind}}}")
    if measured:
        lines.extend(
            [
                "  defaults:",
                "    agg_time_dimension: happened_on",
                "  measures:",
                f"    - {{name: {name}_amount, agg: sum, expr: amount}}",
                f"    - {{name: {name}_cost, agg: sum, expr: cost}}",
                f"    - {{name: {name}_buyers, agg: count_distinct, expr: buyer_id}}",
                f"    - {{name: {name}_large, agg: percentile, expr: amount, agg_params: {{percentile: 0.9}}}}",
                f"    - {{name: {name}_held, agg: sum, expr: held, non_additive_dimension: {{name: happened_on, "
                "window_choice: max}}",
            ]
        )
    return "\n".join(lines) + "\n"


def _flow_metric(kind: Made, i: int, size: Size) -> str:
    fact, entity = f"fact_{i}", size.subject_of(i)
    both = f"[{{name: sum_{i}}}, {{name: filtered_{i}}}]"
    window = f"{{measure: {fact}_amount, cumulative_type_params: {{window: 60 days}}}}"
    converted = f"base_measure: {fact}_amount, conversion_measure: {fact}_cost, entity: {entity}, window: 7 days"
    given = {
        Made.SUM: ("simple", f"{{measure: {fact}_amount}}"),
        Made.RATIO: ("ratio", f"{{numerator: {{name: sum_{i}}}, denominator: {{name: filtered_{i}}}}}"),
        Made.DERIVED: ("derived", f"{{expr: sum_{i} - filtered_{i}, metrics: {both}}}"),
        Made.WINDOW: ("cumulative", window),
        Made.FILTERED: ("simple", f"{{measure: {fact}_cost}}"),
        Made.DISTINCT: ("simple", f"{{measure: {fact}_buyers}}"),
        Made.PERCENTILE: ("simple", f"{{measure: {fact}_large}}"),
        Made.BALANCE: ("simple", f"{{measure: {fact}_held}}"),
        Made.TO_DATE: ("cumulative", window.replace("window: 60 days", "grain_to_date: month")),
        Made.CONVERSION: ("conversion", f"{{conversion_type_params: {{{converted}, calculation: conversion_rate}}}}"),
    }
    named = f"---\nmetric:\n  name: {kind}_{i}\n  type: {given[kind][0]}\n  type_params: {given[kind][1]}\n"
    only = f"  filter: \"{{{{ Dimension('{fact}__{fact}_part_1') }}}} = 'yes'\"\n"
    return named + (only if kind is Made.FILTERED else "")
