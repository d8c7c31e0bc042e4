"""The words of a workspace: shared by all who see the same, read and renewed behind the questions."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from catalog.access import AccessScope, RowFilter, TableAccess
from catalog.terms import TermKind
from dataagent.runs import values
from dataagent.runs.service import words
from dataagent.sqlguard.guard import GuardedQuery
from dataagent.sqlguard.schema import Column, TableSchema
from dataagent.warehouse.port import ResultTable, WarehouseFault
from tests.runs.test_search import CATALOG

SCHEMA = (
    TableSchema(
        name="shop.orders",
        columns=tuple(Column(name=n, type="VARCHAR") for n in ("region", "email", "cost_band")),
    ),
)
SCOPE = AccessScope(
    workspace="shop",
    principal="analyst",
    policy_version="1",
    digest="one",
    tables=(TableAccess(table="shop.orders", columns=frozenset({"region"})),),
)


class Regions:
    """A warehouse with some regions; it counts how often it is read."""

    dialect = "duckdb"

    def __init__(self, *names: str) -> None:
        self.names = names
        self.reads = 0
        self.broken = False

    def schema(self) -> tuple[TableSchema, ...]:
        return SCHEMA

    def execute(self, query: GuardedQuery, *, query_id: str) -> ResultTable:
        if self.broken:
            raise WarehouseFault("unreachable", "It is away.")
        self.reads += 1
        after = next((str(p.value) for p in query.parameters), "")
        shown = sorted(n for n in self.names if n > after)[: query.bounds.max_rows]
        return ResultTable(
            columns=(), rows=tuple((n,) for n in shown), truncated=False, elapsed_ms=1.0, query_id=query_id
        )


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(words, "_held", {})
    monkeypatch.setattr(words, "MAX_MEMBERS", 3)
    monkeypatch.setattr(words, "PAGE_ROWS", 2)
    yield
    _settle()


def connected(monkeypatch: pytest.MonkeyPatch, *names: str) -> Regions:
    warehouse = Regions(*names)
    monkeypatch.setattr(words, "warehouse_for", lambda _: warehouse)
    return warehouse


def knows(text: str, scope: AccessScope = SCOPE) -> bool:
    found = words.term_index("shop", CATALOG, scope).lookup(text)
    return any(t.kind is TermKind.VALUE for t in found)


def _settle() -> None:
    for thread in [t for t in threading.enumerate() if t.name == "words"]:
        thread.join(10)


def test_a_dimension_of_many_members_is_read_page_by_page_behind_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    connected(monkeypatch, "Alps", "Baltic", "Iberia", "Nordics", "Balkans")
    assert not knows("nordics")
    _settle()
    assert all(knows(name) for name in ("alps", "baltic", "iberia", "nordics", "balkans"))
    assert not knows("andes")


def test_all_who_see_the_same_share_one_index(monkeypatch: pytest.MonkeyPatch) -> None:
    warehouse = connected(monkeypatch, "Alps")
    assert knows("alps")
    assert knows("alps", replace(SCOPE, principal="somebody_else", digest="two"))
    assert warehouse.reads == 1


def test_who_sees_other_rows_has_an_index_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    warehouse = connected(monkeypatch, "Alps")
    assert knows("alps")
    rule = RowFilter(id="r", predicate="region = 'Baltic'", label="region is Baltic")
    table = replace(SCOPE.tables[0], row_filter=rule)
    warehouse.names = ("Baltic",)
    assert not knows("alps", replace(SCOPE, tables=(table,), digest="three"))


def test_an_old_index_is_renewed_behind_the_question_that_finds_it_old(monkeypatch: pytest.MonkeyPatch) -> None:
    warehouse = connected(monkeypatch, "Alps")
    assert knows("alps")
    warehouse.names = ("Andes",)
    monkeypatch.setattr(words, "INDEX_AGE_S", -1.0)
    assert knows("alps")
    _settle()
    assert knows("andes")
    assert not knows("alps")


def test_a_warehouse_that_is_away_leaves_the_words_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    warehouse = connected(monkeypatch, "Alps")
    assert knows("alps")
    warehouse.broken = True
    monkeypatch.setattr(words, "INDEX_AGE_S", -1.0)
    assert knows("alps")
    _settle()
    assert knows("alps")


def test_more_members_than_there_is_room_for_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    connected(monkeypatch, "Alps", "Baltic", "Iberia", "Nordics", "Balkans")
    monkeypatch.setattr(words, "MAX_IN_ALL", 4)
    knows("alps")
    _settle()
    assert not knows("alps")


def test_a_page_goes_on_after_the_last_member_of_the_one_before() -> None:
    query = values.value_queries(CATALOG, SCOPE, "duckdb")[0]
    assert query.next_page == (
        'SELECT DISTINCT "t"."region" AS "value" FROM "shop"."orders" AS "t" '
        'WHERE NOT "t"."region" IS NULL AND "t"."region" > $after ORDER BY 1 LIMIT 50000'
    )
