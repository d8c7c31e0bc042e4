"""MetricFlow's compiler beside ours, run by an interpreter that has it: `metricflow_peer.py MANIFEST SCHEMA`."""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version

from metricflow.engine.metricflow_engine import MetricFlowEngine, MetricFlowQueryRequest
from metricflow.protocols.sql_client import SqlEngine
from metricflow.sql.render.duckdb_renderer import DuckDbSqlPlanRenderer
from metricflow_semantic_interfaces.parsing.dir_to_model import parse_directory_of_yaml_files_to_semantic_manifest
from metricflow_semantics.model.semantic_manifest_lookup import SemanticManifestLookup


class _NoWarehouse:
    """What the engine asks of a connection to compile; nothing is ever run."""

    sql_engine_type = SqlEngine.DUCKDB
    sql_plan_renderer = DuckDbSqlPlanRenderer()

    def render_bind_parameter_key(self, bind_parameter_key: str) -> str:
        return bind_parameter_key


def _engine(folder: str, schema: str) -> MetricFlowEngine:
    built = parse_directory_of_yaml_files_to_semantic_manifest(folder, template_mapping={"source_schema": schema})
    return MetricFlowEngine(SemanticManifestLookup(built.semantic_manifest), _NoWarehouse())


def _request(asked: dict[str, list[str]]) -> MetricFlowQueryRequest:
    return MetricFlowQueryRequest.create(
        metric_names=asked["metrics"], group_by_names=asked["group_by"], where_constraints=asked.get("where") or None
    )


def main() -> None:
    """Compiles one query a line until there are no more."""
    engine = _engine(*sys.argv[1:])
    sys.stdout.write(json.dumps({"peer": f"metricflow {version('metricflow')}"}) + "\n")
    sys.stdout.flush()
    for line in sys.stdin:
        asked = json.loads(line)
        started = time.process_time()
        sql = engine.explain(_request(asked)).sql_statement.sql
        taken = time.process_time() - started
        sys.stdout.write(json.dumps({"ms": taken * 1000, "sql": sql}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
