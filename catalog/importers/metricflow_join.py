"""The parts of a MetricFlow project, put together: names that are shared, metrics that build on metrics."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from catalog.content import with_digest
from catalog.importers.given import BadPart, Given
from catalog.importers.metricflow_metrics import WrittenMetric, metric_of, saved_query_of
from catalog.importers.metricflow_models import WrittenModel, model_of, spines_of
from catalog.issues import CatalogError, Issue, IssueCode
from catalog.types import (
    CatalogSnapshot,
    Extension,
    MeasureUse,
    Metric,
    MetricInput,
    MetricType,
    SavedQuery,
    SemanticModel,
    SourceLocation,
    TimeSpine,
)


@dataclass(slots=True)
class Parts:
    """What was read so far, and every reason why something could not be."""

    models: list[WrittenModel] = field(default_factory=list)
    metrics: list[WrittenMetric] = field(default_factory=list)
    spines: list[TimeSpine] = field(default_factory=list)
    saved: list[tuple[SavedQuery, tuple[Extension, ...]]] = field(default_factory=list)
    issues: list[Issue] = field(default_factory=list)
    lineage: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def add(self, kind: str, given: Given, source: SourceLocation) -> None:
        """Reads one part; what is wrong with it becomes an issue."""
        try:
            self._add(kind, given, source)
        except BadPart as bad:
            self.refuse(f"the {kind.replace('_', ' ')} cannot be read: {bad}", source)

    def _add(self, kind: str, given: Given, source: SourceLocation) -> None:
        if kind == "semantic_model":
            self.models.append(model_of(given, source))
        elif kind == "metric":
            self.metrics.append(metric_of(given, source))
        elif kind == "saved_query":
            self.saved.append(saved_query_of(given))
        elif kind == "project_configuration":
            self.spines.extend(spines_of(given))
        else:
            raise BadPart(f"there is no part called {kind}")

    def refuse(self, message: str, source: SourceLocation) -> None:
        """Keeps a reason why the project cannot be read."""
        text = message[0].upper() + message[1:] + "."
        self.issues.append(Issue(code=IssueCode.INVALID_CATALOG, message=text, source=source))


def snapshot_of(parts: Parts, *, name: str, dialect: str) -> CatalogSnapshot:
    """The whole project as one snapshot.

    Raises:
        CatalogError: everything that could not be read, each with its file and line.
    """
    _check_names(parts)
    models, metrics = _joined(parts)
    if parts.issues:
        raise CatalogError(tuple(parts.issues))
    kept = (
        *(e for m in parts.models for e in m.extensions),
        *(e for m in parts.metrics for e in m.extensions),
        *(e for _, extensions in parts.saved for e in extensions),
    )
    return with_digest(
        CatalogSnapshot(
            name=name,
            digest="",
            dialect=dialect,
            models=models,
            metrics=metrics,
            lineage=parts.lineage,
            time_spines=tuple(dict.fromkeys(parts.spines)),
            saved_queries=tuple(query for query, _ in parts.saved),
            extensions=kept,
        )
    )


def _check_names(parts: Parts) -> None:
    """Refuses a name that two models or two metrics share: one of them would be lost."""
    named: tuple[list[SemanticModel] | list[Metric], ...] = (
        [m.model for m in parts.models],
        [m.metric for m in parts.metrics],
    )
    for held in named:
        seen: set[str] = set()
        for part in held:
            if part.name in seen and part.source is not None:
                parts.refuse(f"the name {part.name} stands here a second time", part.source)
            seen.add(part.name)


def _joined(parts: Parts) -> tuple[tuple[SemanticModel, ...], tuple[Metric, ...]]:
    """The models with the measures that metrics carry, and the metrics over measures."""
    models = {m.model.name: m.model for m in parts.models}
    taken = {measure.name for model in models.values() for measure in model.measures}
    simple: dict[str, Metric] = {}
    for written in parts.metrics:
        simple[written.metric.name] = _with_measure(written, models, taken, parts)
    joiner = _Joiner(simple, parts)
    metrics = [joiner.over_measures(replace(w, metric=simple[w.metric.name])) for w in parts.metrics]
    names = {m.name for m in metrics}
    made = (
        metric_of({"name": name, "label": label, "type": "simple", "type_params": {"measure": name}}, source).metric
        for written in parts.models
        for name, label in written.proxies
        if name not in names and (source := written.model.source) is not None
    )
    return tuple(models.values()), (*metrics, *made)


def _with_measure(written: WrittenMetric, models: dict[str, SemanticModel], taken: set[str], parts: Parts) -> Metric:
    """The metric over a measure of its model: the one that it names, else one made of what it carries."""
    metric = written.metric
    if written.own is None or metric.measure in taken:
        return metric
    model = models.get(written.model)
    source = metric.source or SourceLocation(file="", line=1)
    if model is None:
        parts.refuse(f"the metric {metric.name} is of {written.model}, which is no semantic model", source)
        return metric
    name = metric.name if metric.name not in taken else f"{metric.name}_value"
    taken.add(name)
    models[model.name] = replace(model, measures=(*model.measures, replace(written.own, name=name)))
    use = replace(metric.measure_use, name=name) if metric.measure_use else MeasureUse(name=name)
    return replace(metric, measure=name, measure_use=use)


class _Joiner:
    """Replaces the metrics behind cumulative and conversion metrics by their measures."""

    def __init__(self, metrics: dict[str, Metric], parts: Parts) -> None:
        self.metrics = metrics
        self.parts = parts

    def over_measures(self, written: WrittenMetric) -> Metric:
        """The metric, its inputs as measures under their own conditions."""
        metric = written.metric
        if metric.type is MetricType.CUMULATIVE and written.counted is not None and metric.measure is None:
            use = self._use(written.counted, metric)
            return replace(metric, measure=use.name, measure_use=use, fill_nulls_with=use.fill_nulls_with)
        rule = metric.conversion
        if rule is None:
            return metric
        if written.base is not None and not rule.base.name:
            rule = replace(rule, base=self._use(written.base, metric))
        if written.converted is not None and not rule.conversion.name:
            rule = replace(rule, conversion=self._use(written.converted, metric))
        if not rule.base.name or not rule.conversion.name:
            self._refuse(metric, "needs what converts and what it converts to")
        return replace(metric, conversion=rule)

    def _use(self, given: MetricInput, metric: Metric) -> MeasureUse:
        """The measure of the simple metric that is named, under that metric's conditions and the input's own."""
        inner = self.metrics.get(given.metric)
        if inner is None or inner.type is not MetricType.SIMPLE or inner.measure_use is None:
            self._refuse(metric, f"builds on {given.metric}, which is no simple metric")
            return MeasureUse(name=given.metric)
        conditions = (*inner.measure_use.where, *inner.where, *given.where)
        return replace(inner.measure_use, where=tuple(dict.fromkeys(conditions)))

    def _refuse(self, metric: Metric, what: str) -> None:
        self.parts.refuse(f"the metric {metric.name} {what}", metric.source or SourceLocation(file="", line=1))


def plain_parts(value: object) -> Iterator[Given]:
    """The mappings of a list."""
    return (item for item in value if isinstance(item, dict)) if isinstance(value, list) else iter(())
