"""MetricFlow's SQL for queries, told by an interpreter that has it: `metricflow_sql_peer.py MANIFEST SCHEMA`.

Each line that it reads is a list of queries; each line that it writes holds one answer for
each of them: `sql`, or `refused` with the reason.  A query without anything in it asks what
can be asked for: `names` by metric, and under the empty name what needs no metric.
"""

from __future__ import annotations

import json
import sys
from datetime import datetime
from importlib.metadata import version
from typing import Any

from metricflow.engine.metricflow_engine import MetricFlowEngine, MetricFlowQueryRequest
from metricflow.protocols.sql_client import SqlEngine
from metricflow.sql.render.duckdb_renderer import DuckDbSqlPlanRenderer
from metricflow_semantic_interfaces.parsing.dir_to_model import parse_directory_of_yaml_files_to_semantic_manifest
from metricflow_semantic_interfaces.references import MetricReference
from metricflow_semantic_interfaces.type_enums.date_part import DatePart
from metricflow_semantics.model.semantic_manifest_lookup import SemanticManifestLookup
from metricflow_semantics.specs.query_param_implementations import (
    DimensionOrEntityParameter,
    MetricParameter,
    OrderByParameter,
    TimeDimensionParameter,
)


class _NoWarehouse:
    """What the engine asks of a connection to compile; nothing is ever run."""

    sql_engine_type = SqlEngine.DUCKDB
    sql_plan_renderer = DuckDbSqlPlanRenderer()

    def render_bind_parameter_key(self, bind_parameter_key: str) -> str:
        return bind_parameter_key


class _Compiler:
    def __init__(self, folder: str, schema: str) -> None:
        built = parse_directory_of_yaml_files_to_semantic_manifest(folder, template_mapping={"source_schema": schema})
        self.lookup = SemanticManifestLookup(built.semantic_manifest)
        self.engine = MetricFlowEngine(self.lookup, _NoWarehouse())

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The query's SQL or why there is none; for the empty query, all names."""
        if not asked:
            return {"names": self._names()}
        try:
            return {"sql": self.engine.explain(_request(asked)).sql_statement.sql}
        except Exception as refused:
            # whatever it raises is its answer: refusals and faults are told apart by their text
            return {"refused": f"{type(refused).__name__}: {refused}"[:600]}

    def _names(self) -> dict[str, list[dict[str, Any]]]:
        metrics = self.lookup.metric_lookup
        found = {"": [_name(s) for s in metrics.get_group_by_items_for_distinct_values_query().annotated_specs]}
        for metric in self.engine.list_metrics(include_dimensions=False):
            held = metrics.get_common_group_by_items(metric_references=(MetricReference(metric.name),))
            found[metric.name] = [_name(s) for s in held.annotated_specs]
        return found


def _name(annotated: Any) -> dict[str, Any]:
    spec = annotated.spec
    grain, part = getattr(spec, "time_granularity", None), getattr(spec, "date_part", None)
    return {
        "kind": annotated.element_type.value,
        "name": "__".join((*(link.element_name for link in spec.entity_links), spec.element_name)),
        "grain": grain.name if grain else None,
        "part": part.value if part else None,
    }


def _request(asked: dict[str, Any]) -> MetricFlowQueryRequest:
    orders = [
        OrderByParameter(
            order_by=MetricParameter(name=o["metric"]) if "metric" in o else _group(o), descending=o["descending"]
        )
        for o in asked.get("order_by", ())
    ]
    window = [datetime.fromisoformat(t) if t else None for t in asked.get("window", (None, None))]
    return MetricFlowQueryRequest.create(
        saved_query_name=asked.get("saved_query"),
        metric_names=asked.get("metrics") or None,
        group_by=tuple(_group(g) for g in asked.get("group_by", ())) or None,
        where_constraints=asked.get("where") or None,
        order_by=orders or None,
        limit=asked.get("limit"),
        time_constraint_start=window[0],
        time_constraint_end=window[1],
        min_max_only=asked.get("min_max_only", False),
        apply_group_by=asked.get("distinct", True),
    )


def _group(given: dict[str, Any]) -> TimeDimensionParameter | DimensionOrEntityParameter:
    if given["kind"] != "time_dimension":
        return DimensionOrEntityParameter(name=given["name"])
    part = DatePart(given["part"]) if given.get("part") else None
    return TimeDimensionParameter(name=given["name"], grain=given.get("grain"), date_part=part)


def main() -> None:
    """Answers lists of queries until there are no more."""
    compiler = _Compiler(*sys.argv[1:])
    sys.stdout.write(json.dumps({"peer": f"metricflow {version('metricflow')}"}) + "\n")
    sys.stdout.flush()
    for line in sys.stdin:
        sys.stdout.write(json.dumps({"answers": [compiler.answer(asked) for asked in json.loads(line)]}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
