"""Two tiny shops with everything that the API shows: catalog, cards, suites, and a warehouse's shape."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from catalog import service as catalog
from contextcards import service as contextcards
from dataagent.accounts import service as accounts
from dataagent.policy import service as policy
from dataagent.sqlguard.guard import GuardedQuery
from dataagent.sqlguard.schema import Column, TableSchema
from dataagent.warehouse.port import ResultTable
from evals.service import registry, running
from tests.contextcards.world import ALL_TABLES, DATA

ORDERS, MARGIN = "warehouse.fct_orders", "warehouse.fct_margin"
POLICY = """
version: "1"
roles:
  analyst:
    capabilities: [sign_in, ask, query, read_catalog, read_cards, read_own_runs, export, request_access]
    metrics: {allow: "*", deny: [margin]}
    tables: &business
      warehouse.fct_orders:
        columns: "*"
        row_filter: {id: emea, predicate: "region = 'EMEA'", label: region is EMEA}
        masks: [{column: customer_id, kind: "null"}]
      warehouse.dim_customer: {columns: "*"}
  curator:
    capabilities: [sign_in, ask, query, read_catalog, read_cards, curate_cards, curate_words, read_own_runs]
    metrics: {allow: "*"}
    tables:
      warehouse.fct_orders: {columns: "*"}
      warehouse.orders_old: {columns: "*"}
      warehouse.fct_margin: {columns: "*"}
      warehouse.dim_customer: {columns: "*"}
  admin:
    capabilities: [sign_in, administer, request_access]
  words_only:
    capabilities: [curate_words]
  auditor:
    capabilities: [sign_in, read_catalog, read_own_runs, read_all_runs, verify_audit]
    metrics: {allow: "*"}
    tables: *business
  evaluator:
    capabilities: [sign_in, ask, query, read_own_runs, read_all_runs, run_evals]
    metrics: {allow: "*"}
    tables: *business
  reader:
    capabilities: [sign_in, read_catalog, read_cards]
    metrics: {allow: "*"}
    tables: {}
  nobody:
    capabilities: []
    metrics: {allow: []}
    tables: {}
"""
CATALOG = """
catalog: {name: NAME, dialect: duckdb}
semantic_models:
  - name: orders
    table: warehouse.fct_orders
    entities: [{name: order, type: primary, expr: order_id}]
    dimensions:
      - {name: region, type: categorical, expr: region, values: [AMER, EMEA]}
    measures:
      - {name: order_rows, agg: count, expr: "1"}
      - {name: amount_sum, agg: sum, expr: amount}
  - name: margins
    table: warehouse.fct_margin
    entities: [{name: margin_row, type: primary, expr: order_id}]
    dimensions: [{name: unit_cost_band, type: categorical, expr: unit_cost, values: [high, low]}]
    measures: [{name: cost_sum, agg: sum, expr: unit_cost}]
metrics:
  - {name: NAME_orders, type: simple, measure: order_rows, label: Orders, owner: Commerce, version: 3}
  - {name: NAME_amount, type: simple, measure: amount_sum, filters: [{field: region, op: "=", value: EMEA}]}
  - {name: margin, type: simple, measure: cost_sum, description: What must stay hidden}
  - name: aov
    type: ratio
    numerator: NAME_amount
    denominator: NAME_orders
  - name: profit
    type: derived
    expr: amount - cost
    inputs: [{metric: NAME_amount, alias: amount}, {metric: margin, alias: cost}]
lineage:
  warehouse.fct_orders: [warehouse.dim_customer, warehouse.fct_margin]
"""
SUITE = """suite: {name: NAME, workspace: NAME, description: Small.}
cases:
  - {id: one, question: how many orders, references: [SELECT 2], tags: [count]}
  - {id: two, question: how many by magic, decision: abstain}
"""
SLUGS = ("shop", "other")


class Shape:
    """A warehouse of which only the tables and members are asked; it has no rows."""

    dialect = "duckdb"

    def schema(self) -> tuple[TableSchema, ...]:
        return tuple(
            TableSchema(name=name, columns=tuple(Column(name=c, type="TEXT") for c in sorted(columns)))
            for name, columns in ALL_TABLES.items()
        )

    def execute(self, _query: GuardedQuery, *, query_id: str) -> ResultTable:
        return ResultTable(columns=(), rows=(), truncated=False, elapsed_ms=0.0, query_id=query_id)


def open_shops(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both shops, ready to be called; eval runs are queued and not worked on."""
    for module in ("sight", "words", "world"):
        monkeypatch.setattr(sys.modules[f"dataagent.runs.service.{module}"], "warehouse_for", lambda _slug: Shape())
    monkeypatch.setattr(registry, "own_files", lambda: tuple(sorted(folder.glob("suites/*.yaml"))))
    monkeypatch.setattr(running, "_work_alone", lambda *_: None)
    (folder / "suites").mkdir()
    (folder / "policy.yaml").write_text(POLICY, encoding="utf-8")
    for slug in SLUGS:
        place = accounts.create_workspace(slug, name=slug.title())
        policy.load_policy(place.id, folder / "policy.yaml")
        (folder / slug).mkdir()
        (folder / slug / "catalog.yaml").write_text(CATALOG.replace("NAME", slug), encoding="utf-8")
        catalog.publish_folder(place.id, folder / slug)
        contextcards.load_demo(place.id, DATA)
        (folder / "suites" / f"{slug}.yaml").write_text(SUITE.replace("NAME", slug), encoding="utf-8")
