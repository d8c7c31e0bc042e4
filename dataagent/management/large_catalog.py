"""A large catalog as files: facts around shared subjects, some of which lead to further ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FACTS_IN_A_FILE = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How large: each fact has `of_fact` dimensions and five metrics and meets six subjects of `of_subject` each."""

    facts: int = 1_000
    subjects: int = 100
    of_fact: int = 10
    of_subject: int = 400

    @property
    def metrics(self) -> int:
        """All metrics."""
        return self.facts * 5

    @property
    def dimensions(self) -> int:
        """All dimensions."""
        return self.facts * self.of_fact + self.subjects * self.of_subject


SMALL = Size(facts=4, subjects=60, of_subject=4)


def write_own(folder: Path, size: Size) -> None:
    """The catalog in our own YAML."""
    subjects = [_own_model(*part) for part in _subjects(size)]
    _write(folder / "subjects.yaml", "semantic_models:\n" + "".join(subjects))
    for start in range(0, size.facts, _FACTS_IN_A_FILE):
        facts = range(start, min(size.facts, start + _FACTS_IN_A_FILE))
        models = "".join(_own_model(*_fact(size, i)) for i in facts)
        metrics = "".join(_own_metrics(i) for i in facts)
        _write(folder / f"facts_{start}.yaml", f"semantic_models:\n{models}metrics:\n{metrics}")


def write_metricflow(folder: Path, size: Size) -> None:
    """The same catalog in MetricFlow's YAML."""
    spine = (
        "---\nproject_configuration:\n  time_spines:\n    - node_relation:\n        alias: days\n"
        "        schema_name: $source_schema\n      primary_column:\n        name: day\n        time_granularity: day\n"
    )
    _write(folder / "project.yaml", spine)
    _write(folder / "subjects.yaml", "".join(_flow_model(*part) for part in _subjects(size)))
    for start in range(0, size.facts, _FACTS_IN_A_FILE):
        facts = range(start, min(size.facts, start + _FACTS_IN_A_FILE))
        models = "".join(_flow_model(*_fact(size, i)) for i in facts)
        _write(folder / f"facts_{start}.yaml", models + "".join(_flow_metrics(i) for i in facts))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


Part = tuple[str, list[str], list[str], list[str]]
"""A model: its name, the subjects that it meets, its dimensions, its measures."""


def _subjects(size: Size) -> Iterator[Part]:
    for i in range(size.subjects):
        # every tenth subject is one that nine others lead to
        wider = [f"subject_{i // 10 * 10}"] if i % 10 else []
        yield f"subject_{i}", wider, [f"subject_{i}_part_{n}" for n in range(size.of_subject)], []


def _fact(size: Size, i: int) -> Part:
    meets = list(dict.fromkeys(f"subject_{(i + step * 10 + step) % size.subjects}" for step in range(6)))
    dimensions = ["happened_on", *(f"fact_{i}_part_{n}" for n in range(1, size.of_fact))]
    return f"fact_{i}", meets, dimensions, [f"fact_{i}_amount_{n}" for n in range(4)]


def _own_model(name: str, meets: list[str], dimensions: list[str], measures: list[str]) -> str:
    lines = [f"  - name: {name}", f"    table: main.{name}", "    entities:"]
    lines.append(f"      - {{name: {name}, type: primary, expr: {name}_id}}")
    lines.extend(f"      - {{name: {m}, type: foreign, expr: {m}_id}}" for m in meets)
    lines.append("    dimensions:")
    for dimension in dimensions:
        kind = "time, granularity: day" if dimension == "happened_on" else "categorical"
        lines.append(f"      - {{name: {dimension}, type: {kind}, expr: {dimension}}}")
    if measures:
        lines.extend(["    default_time_dimension: happened_on", "    measures:"])
        lines.extend(f"      - {{name: {m}, agg: sum, expr: {m}}}" for m in measures)
    return "\n".join(lines) + "\n"


def _own_metrics(i: int) -> str:
    simple = "".join(
        f"  - {{name: total_{i}_{n}, type: simple, measure: fact_{i}_amount_{n}, label: Total {i} {n}}}\n"
        for n in range(4)
    )
    return f"{simple}  - {{name: rate_{i}, type: ratio, numerator: total_{i}_0, denominator: total_{i}_1}}\n"


def _flow_model(name: str, meets: list[str], dimensions: list[str], measures: list[str]) -> str:
    lines = ["---", "semantic_model:", f"  name: {name}", "  node_relation:"]
    lines.extend(["    schema_name: $source_schema", f"    alias: {name}", "  entities:"])
    lines.append(f"    - {{name: {name}, type: primary, expr: {name}_id}}")
    lines.extend(f"    - {{name: {m}, type: foreign, expr: {m}_id}}" for m in meets)
    lines.append("  dimensions:")
    for dimension in dimensions:
        kind = "time, type_params: {time_granularity: day}" if dimension == "happened_on" else "categorical"
        lines.append(f"    - {{name: {dimension}, type: {kind}}}")
    if measures:
        lines.extend(["  defaults:", "    agg_time_dimension: happened_on", "  measures:"])
        lines.extend(f"    - {{name: {m}, agg: sum}}" for m in measures)
    return "\n".join(lines) + "\n"


def _flow_metrics(i: int) -> str:
    simple = "".join(
        f"---\nmetric:\n  name: total_{i}_{n}\n  type: simple\n  type_params:\n    measure: fact_{i}_amount_{n}\n"
        for n in range(4)
    )
    parts = f"    numerator:\n      name: total_{i}_0\n    denominator:\n      name: total_{i}_1\n"
    return f"{simple}---\nmetric:\n  name: rate_{i}\n  type: ratio\n  type_params:\n{parts}"
