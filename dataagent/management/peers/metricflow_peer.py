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


def _compile_ms(engine: MetricFlowEngine, asked: dict[str, list[str]]) -> float:
    started = time.process_time()
    sql = engine.explain(_request(asked)).sql_statement.sql
    taken = time.process_time() - started
    if not sql:
        raise ValueError(f"MetricFlow has no SQL for {asked}")
    return taken * 1000


def main() -> None:
    """Compiles some queries a line until there are no more."""
    engine = _engine(*sys.argv[1:])
    sys.stdout.write(json.dumps({"peer": f"metricflow {version('metricflow')}"}) + "\n")
    sys.stdout.flush()
    for line in sys.stdin:
        taken = [_compile_ms(engine, asked) for asked in json.loads(line)]
        sys.stdout.write(json.dumps({"ms": taken}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
