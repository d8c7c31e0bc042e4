"""Random metrics of every kind over what a manifest has, written as MetricFlow YAML."""

from __future__ import annotations

from random import Random
from typing import Any

import yaml

from catalog.types import Aggregation, CatalogSnapshot, DimensionType, Measure, SemanticModel, TimeGranularity

_ADDS_UP = frozenset({Aggregation.SUM, Aggregation.SUM_BOOLEAN, Aggregation.COUNT, Aggregation.COUNT_DISTINCT})
_OTHERS = frozenset({Aggregation.MIN, Aggregation.MAX, Aggregation.AVERAGE, Aggregation.MEDIAN})
_WINDOWS = ("1 day", "3 days", "2 weeks", "1 month", "3 months", "1 quarter", "1 year")
_GRAINS = ("week", "month", "quarter", "year")
_PICKS = ("first", "last", "average")


def invented(snapshot: CatalogSnapshot, random: Random, count: int) -> str:
    """So many metrics as YAML documents; later ones build on earlier ones and on the manifest's own.

    Nothing for a manifest whose measures are not kept by days, or that has no metrics to build on.
    """
    maker = _Maker(snapshot, random)
    if not maker.measures or len(maker.known) < 2:
        return ""
    return "---\n".join(yaml.safe_dump({"metric": maker.metric(i)}, sort_keys=False) for i in range(count))


class _Maker:
    def __init__(self, snapshot: CatalogSnapshot, random: Random) -> None:
        self.random = random
        self.measures = [(m, held) for m in snapshot.models for held in m.measures if _is_timed(m, held)]
        self.known = [m.name for m in snapshot.metrics if not m.name.startswith("approximate")]

    def metric(self, number: int) -> dict[str, Any]:
        """One metric, known from now on."""
        name = f"invented_{number}"
        kinds = (
            self._simple,
            self._simple,
            self._cumulative,
            self._cumulative,
            self._derived,
            self._derived,
            self._ratio,
        )
        made = {"name": name, **self.random.choice(kinds)()}
        self.known.append(name)
        return made

    def _simple(self) -> dict[str, Any]:
        model, measure = self.random.choice(self.measures)
        made: dict[str, Any] = {"type": "simple", "type_params": {"measure": self._use(model, measure)}}
        if self.random.random() < 0.3:
            made["filter"] = self._condition(model)
        if self.random.random() < 0.15:
            made["time_granularity"] = self.random.choice(_GRAINS[1:])
        return made

    def _use(self, model: SemanticModel, measure: Measure) -> dict[str, Any]:
        use: dict[str, Any] = {"name": measure.name}
        if self.random.random() < 0.3:
            use["join_to_timespine"] = True
        if self.random.random() < 0.3:
            use["fill_nulls_with"] = 0
        if self.random.random() < 0.2:
            use["filter"] = self._condition(model)
        return use

    def _condition(self, model: SemanticModel) -> str:
        owner = model.primary_entity_name or next((e.name for e in model.entities if e.type == "primary"), "")
        texts = [f"{{{{ Entity('{e.name}') }}}} IS NOT NULL" for e in model.entities]
        texts += [
            f"{{{{ Dimension('{owner}__{d.name}') }}}} IS NOT NULL"
            for d in model.dimensions
            if d.type != DimensionType.TIME and owner
        ]
        texts.append("{{ TimeDimension('metric_time', 'day') }} >= '2020-01-02'")
        texts.append("{{ TimeDimension('metric_time', 'month') }} <= '2020-02-01'")
        return self.random.choice(texts)

    def _cumulative(self) -> dict[str, Any]:
        fitting = [(m, held) for m, held in self.measures if held.agg in _ADDS_UP and held.non_additive is None]
        model, measure = self.random.choice(fitting or self.measures)
        params: dict[str, Any] = {"period_agg": self.random.choice(_PICKS)}
        reach = self.random.random()
        if reach < 0.45:
            params["window"] = self.random.choice(_WINDOWS)
        elif reach < 0.8:
            params["grain_to_date"] = self.random.choice(_GRAINS)
        # the peer reads no condition at the measure of a running sum
        use = {key: value for key, value in self._use(model, measure).items() if key != "filter"}
        made = {"type": "cumulative", "type_params": {"measure": use, "cumulative_type_params": params}}
        return {**made, "filter": self._condition(model)} if self.random.random() < 0.2 else made

    def _input(self, alias: str) -> dict[str, Any]:
        made: dict[str, Any] = {"name": self.random.choice(self.known), "alias": alias}
        moved = self.random.random()
        if moved < 0.35:
            made["offset_window"] = self.random.choice(_WINDOWS)
        elif moved < 0.5:
            made["offset_to_grain"] = self.random.choice(_GRAINS[1:])
        return made

    def _derived(self) -> dict[str, Any]:
        inputs = [self._input("one"), self._input("other")][: self.random.choice((1, 2, 2))]
        texts = (
            ("one - other", "one + 2 * other", "one * 1.0 / NULLIF(other, 0)")
            if len(inputs) > 1
            else ("one", "2 * one")
        )
        return {"type": "derived", "type_params": {"expr": self.random.choice(texts), "metrics": inputs}}

    def _ratio(self) -> dict[str, Any]:
        parts = self.random.sample(self.known, 2)
        return {"type": "ratio", "type_params": {"numerator": {"name": parts[0]}, "denominator": {"name": parts[1]}}}


def _is_timed(model: SemanticModel, measure: Measure) -> bool:
    """Whether the measure is exact and its time is kept by days."""
    time = measure.agg_time_dimension or model.default_time_dimension
    held = next((d for d in model.dimensions if d.name == time), None)
    return held is not None and held.granularity in {None, TimeGranularity.DAY} and measure.agg in {*_ADDS_UP, *_OTHERS}
