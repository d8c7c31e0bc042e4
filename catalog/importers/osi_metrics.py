"""OSI metrics → measures of the datasets, and the metrics over them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from catalog.importers.given import BadPart, Given, compact, known, name_in, text_in
from catalog.importers.osi_formula import Calculation, Part, World, calculation_of, part_name, same_name
from catalog.importers.osi_parts import (
    TOOL,
    Dataset,
    called,
    carried_along,
    expression_of,
    other_expressions,
    synonyms_in,
)
from catalog.lookup import Held, lookup
from catalog.types import (
    CatalogSnapshot,
    Extension,
    Filter,
    Measure,
    Metric,
    MetricInput,
    MetricType,
    SemanticModel,
    SourceLocation,
)

_METRIC = "name expression datatype description ai_context custom_extensions"
_PART = re.compile(r"\bpart_(\d+)\b")


class MetricMaker:
    """Collects metrics; equal aggregates share one measure, and parts that no metric is get a hidden one."""

    def __init__(self, snapshot: CatalogSnapshot, datasets: Mapping[str, Dataset]) -> None:
        self.extensions: list[Extension] = []
        self._snapshot = snapshot
        self._datasets = datasets
        self._world = World(
            fields={d.name: {f.name: f.expr for f in d.fields} for d in datasets.values()},
            keys={d.name: frozenset(d.primary) for d in datasets.values()},
            dialect=snapshot.dialect,
        )
        self._made: dict[str, tuple[Metric, Calculation]] = {}
        self._measures: dict[tuple[object, ...], Measure] = {}
        self._hidden: dict[Part, Metric] = {}

    def add(self, given: Given, source: SourceLocation) -> None:
        """Reads one metric; a reason why not, where it cannot be held."""
        known(given, "metric", _METRIC)
        name = called(name_in(given))
        if name in self._made:
            raise BadPart("another one has that name")
        text = expression_of(given, self._snapshot.dialect)
        calculation = self._public(calculation_of(text, self._world))
        own = name_in(given)
        metric = Metric(
            name=name,
            type=MetricType.SIMPLE,
            label="" if own == name else own,
            description=text_in(given, "description"),
            synonyms=synonyms_in(given),
            source=source,
        )
        self._made[name] = (metric, calculation)
        about = f"metric.{name}"
        self.extensions.extend(carried_along(given, about, own, "datatype"))
        plain = self.canonical(calculation)
        self.extensions.extend(other_expressions(given, about, text if text != plain else plain))
        if text != plain:
            kept = compact({"expression": text})
            self.extensions.append(Extension(about=about, key=f"{TOOL}.expression.ANSI_SQL", text=kept))

    def canonical(self, calculation: Calculation) -> str:
        """How a metric of one plain aggregate is written; empty for any other."""
        if not calculation.is_single or calculation.parts[0].filters:
            return ""
        part = calculation.parts[0]
        dataset = next(d for d in self._datasets.values() if d.called == part.dataset)
        field = next((f.name for f in dataset.fields if f.expr == part.expr), None)
        return plain_text(part, f"{dataset.name}.{field}") if field else ""

    def metrics(self) -> tuple[Metric, ...]:
        """All metrics in the order of the file, then the hidden ones."""
        singles = {c.parts[0]: m.name for m, c in reversed(self._made.values()) if c.is_single}
        found = [self._finished(metric, calculation, singles) for metric, calculation in self._made.values()]
        return (*found, *self._hidden.values())

    def models(self) -> tuple[SemanticModel, ...]:
        """The models with all measures that the metrics need."""
        self.metrics()
        owned: dict[str, list[Measure]] = {}
        for (dataset, *_), measure in self._measures.items():
            owned.setdefault(str(dataset), []).append(measure)
        return tuple(replace(m, measures=tuple(owned.get(m.name, ()))) for m in self._snapshot.models)

    def _public(self, calculation: Calculation) -> Calculation:
        """The calculation in the catalog's own names."""
        return replace(calculation, parts=tuple(self._public_part(p) for p in calculation.parts))

    def _public_part(self, part: Part) -> Part:
        filters = tuple(replace(f, field=self._dimension(f)) for f in part.filters)
        return replace(part, dataset=self._datasets[part.dataset].called, filters=filters)

    def _dimension(self, condition: Filter) -> str:
        dataset, _, field = condition.field.rpartition(".")
        model = lookup(self._snapshot).models[self._datasets[dataset].called]
        fields = [f.name for f in self._datasets[dataset].fields]
        name = called(same_name(field, fields) or field)
        found = next((d for d in model.dimensions if d.name == name), None)
        if found is None:
            raise BadPart(f"{dataset}.{field} is no dimension to filter by")
        return lookup(self._snapshot).canonical(Held(model, found))

    def _finished(self, metric: Metric, calculation: Calculation, singles: Mapping[Part, str]) -> Metric:
        if calculation.is_single:
            part = calculation.parts[0]
            return replace(metric, measure=self._measure(part, metric.name).name, filters=part.filters)
        names = [singles.get(p) or self._helper(p, metric, i).name for i, p in enumerate(calculation.parts, 1)]
        inputs = tuple(MetricInput(metric=n) for n in names)
        caveats = tuple(_caveats(calculation.parts))
        if calculation.is_ratio:
            places = [int(p) - 1 for p in _PART.findall(calculation.formula)]
            above, below = inputs[places[0]], inputs[places[1]]
            return replace(metric, type=MetricType.RATIO, numerator=above, denominator=below, caveats=caveats)
        expr = _PART.sub(lambda m: names[int(m[1]) - 1], calculation.formula)
        return replace(metric, type=MetricType.DERIVED, expr=expr, inputs=inputs, caveats=caveats)

    def _helper(self, part: Part, metric: Metric, place: int) -> Metric:
        if part not in self._hidden:
            name = self._helper_name(part, metric, place)
            measure = self._measure(part, name)
            self._hidden[part] = Metric(
                name=name,
                type=MetricType.SIMPLE,
                measure=measure.name,
                filters=part.filters,
                hidden=True,
                source=metric.source,
            )
        return self._hidden[part]

    def _helper_name(self, part: Part, metric: Metric, place: int) -> str:
        plain = called(f"{part.agg}_{part.expr}_of_{part.dataset}")
        is_plain = part.expr.isidentifier() and not part.filters
        taken = {*self._made, *(m.name for m in self._hidden.values())}
        return plain if is_plain and plain not in taken else f"{metric.name}_{part_name(place)}"

    def _measure(self, part: Part, name: str) -> Measure:
        key = (part.dataset, part.agg, part.expr, part.percentile, part.discrete)
        if key not in self._measures:
            self._measures[key] = Measure(
                name=name,
                agg=part.agg,
                expr=part.expr,
                percentile=part.percentile,
                discrete_percentile=part.discrete,
            )
        return self._measures[key]


def _caveats(parts: tuple[Part, ...]) -> Iterator[str]:
    """What a reader must know where parts come from several datasets."""
    names = list(dict.fromkeys(p.dataset for p in parts))
    if len(names) > 1:
        yield (
            f"Each part is computed over all rows of its own table ({', '.join(names)}), "
            "also over those that no row of the others belongs to."
        )


_WORDS = {
    "sum": "SUM({})",
    "count": "COUNT({})",
    "count_distinct": "COUNT(DISTINCT {})",
    "average": "AVG({})",
    "min": "MIN({})",
    "max": "MAX({})",
    "median": "MEDIAN({})",
    "sum_boolean": "COUNT_IF({})",
}


def plain_text(part: Part, value: str) -> str:
    """An aggregate as standard SQL over `value`."""
    if part.percentile is not None:
        kind = "PERCENTILE_DISC" if part.discrete else "PERCENTILE_CONT"
        return f"{kind}({part.percentile}) WITHIN GROUP (ORDER BY {value})"
    return _WORDS[part.agg].format(value)
