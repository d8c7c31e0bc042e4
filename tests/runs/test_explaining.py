""" "Why did it change?" on a small shop: verified, taken apart by what may be seen, and cut short cleanly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, cast

import duckdb
import pytest

from catalog.access import AccessScope, TableAccess
from catalog.importers.own import load_folder
from catalog.query import MetricIntent
from catalog.terms import build_index
from catalog.types import CatalogSnapshot
from contextcards.assemble import assemble
from contextcards.contracts import contract_evidence, metrics_of
from contextcards.types import Authority, ClaimKind, Evidence, EvidenceBundle, SourceType
from dataagent.answering.types import CheckOutcome, DataState
from dataagent.intent.types import Decision
from dataagent.policy.principal import Capability, Effect, PolicyDecision, Principal
from dataagent.runs.answer import answer_question
from dataagent.runs.draft import draft
from dataagent.runs.ports import Outcome, Ports, RunCancelledError
from dataagent.runs.types import Ask, RunState, StepKind
from dataagent.sqlguard.guard import Bounds, GuardedQuery
from dataagent.warehouse.duckdb import DuckDBWarehouse
from dataagent.warehouse.port import ResultTable, WarehouseFault

TODAY = date(2025, 3, 10)
CATALOG = """
catalog: {name: shop, dialect: duckdb}
calendar: {week_start: monday, date_order: DMY}
events: [{name: big_sale, date: 2025-02-14}, {name: old_sale, date: 2024-06-01}]
semantic_models:
  - name: sales
    table: shop.sales
    default_time_dimension: sold_on
    entities: [{name: sale, type: primary, expr: id}, {name: branch, type: foreign, expr: branch_id}]
    dimensions:
      - {name: sold_on, type: time, expr: sold_on, granularity: day}
      - {name: channel, type: categorical, expr: channel}
      - {name: buyer, type: categorical, expr: buyer}
    measures:
      - {name: amount_sum, agg: sum, expr: amount}
      - {name: sale_count, agg: count, expr: "1"}
      - {name: returned_count, agg: sum_boolean, expr: returned}
      - {name: buyer_count, agg: count_distinct, expr: buyer}
  - name: branches
    table: shop.branches
    entities: [{name: branch, type: primary, expr: id}]
    dimensions: [{name: city, type: categorical, expr: city}, {name: board, type: categorical, expr: board}]
metrics:
  - {name: revenue, label: Revenue, type: simple, measure: amount_sum}
  - {name: sales, label: Sales, type: simple, measure: sale_count}
  - {name: returns, label: Returns, type: simple, measure: returned_count}
  - {name: return_rate, label: Return rate, type: ratio, numerator: returns, denominator: sales, format: percent}
  - {name: buyers, label: Buyers, type: simple, measure: buyer_count}
"""
JANUARY = [
    ("2025-01-05", 1, "web", "ann", 100, False),
    ("2025-01-06", 1, "shop", "bob", 50, True),
    ("2025-01-07", 2, None, "cid", "30.25", False),
    ("2025-01-08", 9, "web", "dan", 10, False),
]
FEBRUARY = [
    ("2025-02-05", 1, "web", "ann", 40, True),
    ("2025-02-06", 1, "shop", "bob", 60, False),
    ("2025-02-07", 2, "app", "eve", "20.5", False),
]
Change = Callable[[Ports], Ports]


class Recording:
    """Runs each step and keeps its kind; `before` is called with the kind and how many of it there were."""

    def __init__(self, before: Callable[[StepKind, int], None] = lambda _kind, _nth: None) -> None:
        self.kinds: list[StepKind] = []
        self._before = before

    def step(self, kind: StepKind, fn: Callable[..., Any], *args: Any) -> Any:
        self._before(kind, self.kinds.count(kind))
        self.kinds.append(kind)
        return fn(*args)


class Faulty:
    """The warehouse, of which the query at one place ends with a fault."""

    def __init__(self, real: DuckDBWarehouse, place: int, code: str) -> None:
        self._real, self._place, self._code, self._ran = real, place, code, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def execute(self, query: GuardedQuery, *, query_id: str) -> ResultTable:
        self._ran += 1
        if self._ran == self._place:
            raise WarehouseFault(self._code, "The warehouse did not answer.")
        return self._real.execute(query, query_id=query_id)


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> CatalogSnapshot:
    folder = tmp_path_factory.mktemp("catalog")
    (folder / "catalog.yaml").write_text(CATALOG, encoding="utf-8")
    return load_folder(folder)


def warehouse_of(folder: Path, rows: list[tuple[Any, ...]]) -> DuckDBWarehouse:
    file = folder / "data.duckdb"
    with duckdb.connect(str(file)) as made:
        made.execute(
            "CREATE SCHEMA shop; CREATE TABLE shop.sales(id INT, sold_on DATE, branch_id INT, channel VARCHAR,"
            " buyer VARCHAR, amount DECIMAL(10,2), returned BOOLEAN);"
            " CREATE TABLE shop.branches(id INT, city VARCHAR, board VARCHAR);"
            " INSERT INTO shop.branches VALUES (1, 'Graz', 'A'), (2, 'Linz', 'B');"
        )
        numbered = [(i, *row) for i, row in enumerate(rows)]
        made.executemany("INSERT INTO shop.sales VALUES (?, ?, ?, ?, ?, ?, ?)", numbered)
    return DuckDBWarehouse(file)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Any:
    made = warehouse_of(tmp_path_factory.mktemp("shop"), JANUARY + FEBRUARY)
    yield made
    made.close()


def ports(snapshot: CatalogSnapshot, warehouse: DuckDBWarehouse, *, hidden: tuple[str, ...] = ()) -> Ports:
    tables = tuple(
        TableAccess(table=t.name, columns=frozenset(c.name for c in t.columns) - set(hidden))
        for t in warehouse.schema()
    )
    scope = AccessScope(
        workspace="shop",
        principal="ann",
        policy_version="1",
        digest="all",
        tables=tables,
        metrics=frozenset(m.name for m in snapshot.metrics) - set(hidden),
    )

    def evidence(_question: str, intent: MetricIntent, seen: AccessScope) -> EvidenceBundle:
        return assemble((contract_evidence(m, snapshot, seen) for m in metrics_of(intent, snapshot, seen)), today=TODAY)

    return Ports(
        principal=Principal(
            user="ann", workspace="shop", workspace_id=1, roles=("all",), capabilities=frozenset(Capability)
        ),
        scope=scope,
        decision=PolicyDecision(effect=Effect.ALLOW, rule="capability", reason="granted", policy_version="1"),
        snapshot=snapshot,
        index=build_index(snapshot, scope, {"channel": ("app", "shop", "web")}),
        turns=(),
        evidence=evidence,
        schema=warehouse.schema(),
        warehouse=warehouse,
        freshness=lambda tables: tuple(DataState(table=t, complete_until=None, loaded_at=None) for t in tables),
        keys=lambda _keys: (),
        bounds=Bounds(),
        query_id="q",
    )


def asked(question: str, given: Ports, record: Recording | None = None) -> Outcome:
    return answer_question(Ask(question=question, today=TODAY, session_id="s"), given, record or Recording())


def groups(outcome: Outcome, split: str) -> dict[Any, Any]:
    """What each group contributed, by member."""
    answer = outcome.answer
    names = [c.name for c in answer.columns]
    at = next(names.index(n) for n in names if n.endswith(("__contribution", "__difference")))
    return {row[1]: row[at] for row in answer.rows if row[0] == split}


def test_a_change_is_verified_and_each_dimension_makes_it_up_exactly(snapshot: CatalogSnapshot, shop: Any) -> None:
    outcome = asked("why did revenue fall in February 2025", ports(snapshot, shop))
    answer = outcome.answer
    assert (outcome.state, answer.decision) == (RunState.ANSWERED, Decision.ANSWER)
    assert answer.headline.startswith("Revenue: 120.50 in February 2025")
    assert groups(outcome, "Channel") == {
        "web": Decimal(-70), None: Decimal("-30.25"), "app": Decimal("20.5"), "shop": Decimal(10),
    }  # fmt: skip
    assert groups(outcome, "City") == {"Graz": Decimal(-50), "Linz": Decimal("-9.75"), None: Decimal(-10)}
    assert sum(groups(outcome, "Channel").values()) == Decimal("-69.75")
    assert "does not show what caused it" in " ".join(answer.assumptions)
    assert all(c.outcome is not CheckOutcome.FAILED for c in answer.checks)


def test_a_change_that_did_not_happen_is_not_explained(snapshot: CatalogSnapshot, shop: Any) -> None:
    record = Recording()
    outcome = asked("why did revenue rise in February 2025", ports(snapshot, shop), record)
    assert outcome.answer.headline.startswith("It did not rise. Revenue: 120.50 in February 2025")
    assert record.kinds.count(StepKind.EXECUTE) == 1
    assert outcome.answer.columns[0].name == "revenue"
    assert not any("caused" in text for text in outcome.answer.assumptions)


def test_a_ratio_is_taken_apart_into_rates_and_the_mix(snapshot: CatalogSnapshot, shop: Any) -> None:
    outcome = asked("why did return rate change in February 2025", ports(snapshot, shop))
    names = [c.name for c in outcome.answer.columns]
    total = dict(zip(names, outcome.answer.total_row, strict=True))
    for split in ("Channel", "City", "Buyer"):
        rows = [dict(zip(names, r, strict=True)) for r in outcome.answer.rows if r[0] == split]
        effects = sum(r["return_rate__contribution"] for r in rows)
        assert abs(effects - total["return_rate__contribution"]) < Decimal("1e-9")
        for row in rows:
            parts = row["return_rate__rate_effect"] + row["return_rate__mix_effect"]
            assert abs(parts - row["return_rate__contribution"]) < Decimal("1e-9")
    assert abs(total["return_rate__contribution"] - Decimal(100) / 12) < Decimal("1e-9")


def test_what_counts_things_once_is_set_side_by_side_and_that_is_said(snapshot: CatalogSnapshot, shop: Any) -> None:
    answer = asked("why did buyers fall in February 2025", ports(snapshot, shop)).answer
    assert not any(c.name.endswith(("__change_share", "__contribution")) for c in answer.columns)
    assert "Changes of buyers do not add up over" in " ".join(answer.assumptions)


def test_a_named_dimension_is_the_only_one(snapshot: CatalogSnapshot, shop: Any) -> None:
    answer = asked("why did revenue fall in February 2025 by city", ports(snapshot, shop)).answer
    assert {row[0] for row in answer.rows} == {"City"}


@pytest.mark.parametrize(("hidden", "label"), [("city", "City"), ("board", "Board"), ("channel", "Channel")])
def test_a_hidden_dimension_is_as_if_it_were_not_there(
    snapshot: CatalogSnapshot, shop: Any, hidden: str, label: str
) -> None:
    without = replace(
        snapshot,
        models=tuple(
            replace(m, dimensions=tuple(d for d in m.dimensions if d.name != hidden)) for m in snapshot.models
        ),
    )
    question = "why did revenue fall in February 2025"
    seen = asked(question, ports(snapshot, shop, hidden=(hidden,))).answer
    absent = asked(question, ports(without, shop, hidden=(hidden,))).answer
    assert label not in {row[0] for row in seen.rows}
    assert (seen.rows, seen.assumptions, seen.caveats, seen.headline) == (
        absent.rows, absent.assumptions, absent.caveats, absent.headline,
    )  # fmt: skip


def test_a_ratio_whose_part_is_hidden_is_not_taken_apart_by_it(snapshot: CatalogSnapshot, shop: Any) -> None:
    answer = asked("why did return rate change in February 2025", ports(snapshot, shop, hidden=("returns",))).answer
    assert not any("returns" in c.name or c.name.endswith("__contribution") for c in answer.columns)


def test_only_events_of_that_time_are_possible_context(snapshot: CatalogSnapshot, shop: Any) -> None:
    caveats = asked("why did revenue fall in February 2025", ports(snapshot, shop)).answer.caveats
    assert [c for c in caveats if "Possible context" in c] == [
        "Possible context, not shown to be a cause: 14 Feb 2025, big sale."
    ]


def test_a_documented_event_is_told_to_those_only_whose_evidence_holds_it(snapshot: CatalogSnapshot, shop: Any) -> None:
    given = ports(snapshot, shop)
    note = Evidence(
        id="document:outage", type=SourceType.DOCUMENT, claim=ClaimKind.EVENT, authority=Authority.DOCUMENT,
        title="Tills were down", text="", version="1", digest="d", pointer="", why="", effective_from=date(2025, 2, 3),
    )  # fmt: skip

    def with_note(question: str, intent: MetricIntent, seen: AccessScope) -> EvidenceBundle:
        bundle = given.evidence(question, intent, seen)
        return replace(bundle, considered=(*bundle.considered, note))

    question = "why did revenue fall in February 2025"
    told = asked(question, replace(given, evidence=with_note)).answer.caveats
    assert "Possible context, not shown to be a cause: 3 Feb 2025, Tills were down." in told
    assert not any("Tills" in c for c in asked(question, given).answer.caveats)


def test_late_data_make_it_provisional_and_unequal_days_no_explanation(snapshot: CatalogSnapshot, shop: Any) -> None:
    late = replace(ports(snapshot, shop), freshness=lambda tables: (_state(tables[0], "2025-03-10", date(2025, 2, 6)),))
    assert asked("why did revenue fall in February 2025", late).answer.headline.startswith("Provisional. Revenue")


def _state(table: str, until: str, *late: date) -> DataState:
    reach = datetime.fromisoformat(until).replace(tzinfo=UTC)
    return DataState(table=table, complete_until=reach, loaded_at=reach, late_days=late)


def test_without_rows_there_is_nothing_to_explain(snapshot: CatalogSnapshot, shop: Any) -> None:
    outcome = asked("why did revenue fall in August 2023", ports(snapshot, shop))
    assert outcome.reason == "no_rows"
    assert outcome.answer.rows == ()


def test_every_query_of_the_run_is_in_its_manifest(snapshot: CatalogSnapshot, shop: Any) -> None:
    given, record = ports(snapshot, shop), Recording()
    outcome = asked("why did revenue fall in February 2025", given, record)
    made = draft(outcome, given, salt="s")
    assert len(made.further) + 1 == record.kinds.count(StepKind.EXECUTE) == record.kinds.count(StepKind.EXPLAIN)
    assert all(q.executed_sql and q.result_digest and q.plan_digest for q in made.further)
    assert made.costs.rows == 1 + sum(q.rows for q in made.further)


@pytest.mark.parametrize("nth", [1, 2, 3])
def test_a_cancelled_run_ends_between_two_queries(snapshot: CatalogSnapshot, shop: Any, nth: int) -> None:
    def stop(kind: StepKind, seen: int) -> None:
        if kind is StepKind.EXECUTE and seen == nth:
            raise RunCancelledError

    record = Recording(stop)
    with pytest.raises(RunCancelledError):
        asked("why did revenue fall in February 2025", ports(snapshot, shop), record)
    assert record.kinds.count(StepKind.EXECUTE) == nth


def test_a_dimension_that_takes_too_long_is_left_out_and_told(snapshot: CatalogSnapshot, shop: Any) -> None:
    given = ports(snapshot, shop)
    slow = replace(given, warehouse=cast(Any, Faulty(shop, 2, "timeout")))
    answer = asked("why did revenue fall in February 2025", slow).answer
    whole = asked("why did revenue fall in February 2025", given).answer
    missing = {row[0] for row in whole.rows} - {row[0] for row in answer.rows}
    assert len(missing) == 1
    assert f"Not split by {missing.pop().lower()}: it could not be split in time." in answer.assumptions


def test_a_dimension_that_was_asked_for_and_cannot_be_split_is_warned_of(snapshot: CatalogSnapshot, shop: Any) -> None:
    given = ports(snapshot, shop)
    slow = replace(given, warehouse=cast(Any, Faulty(shop, 2, "timeout")))
    question = "why did revenue fall in February 2025 by city"
    assert "Not split by city: it could not be split in time." in asked(question, slow).answer.caveats
    assert not any(text.startswith("Not split") for text in asked(question, given).answer.caveats)


@pytest.mark.parametrize(("place", "code"), [(1, "timeout"), (2, "unreachable"), (3, "cancelled")])
def test_other_faults_end_the_run(snapshot: CatalogSnapshot, shop: Any, place: int, code: str) -> None:
    broken = replace(ports(snapshot, shop), warehouse=cast(Any, Faulty(shop, place, code)))
    with pytest.raises(WarehouseFault) as fault:
        asked("why did revenue fall in February 2025", broken)
    assert fault.value.code == code


def test_no_change_is_said_to_be_none(snapshot: CatalogSnapshot, tmp_path: Path) -> None:
    same = [(day.replace("-01-", "-02-"), *rest) for day, *rest in JANUARY]
    made = warehouse_of(tmp_path, JANUARY + cast(Any, same))
    try:
        answer = asked("why did revenue fall in February 2025", ports(snapshot, made)).answer
        assert answer.headline.startswith("It did not change. Revenue: 190.25")
    finally:
        made.close()
