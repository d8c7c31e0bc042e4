"""The words of a workspace: shared by all who see the same; no question waits for members to be read anew."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from catalog.access import AccessScope, RowFilter, TableAccess
from catalog.members import Members, gathered
from catalog.terms import TermKind
from dataagent.runs import values
from dataagent.runs.memberlists import MemberListFacts
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


class Kept:
    """The versions of members that the upkeep has made, by sight; without any, only few are read."""

    def __init__(self) -> None:
        self.versions: dict[str, tuple[MemberListFacts, Members]] = {}
        self.loads = 0
        self.before_loading: Callable[[], None] = lambda: None

    def keep(self, *names: str, scope: AccessScope = SCOPE) -> None:
        members = gathered({"region": names})
        key = words.sight_key(CATALOG, scope)
        facts = MemberListFacts(
            id=1,
            sight=key,
            digest="/".join(names),
            data_version="",
            size_bytes=members.size_bytes,
            members=len(members),
            left_out=(),
            read_at=datetime(2025, 6, 18, tzinfo=UTC),
        )
        self.versions[key] = (facts, members)

    def latest(self, _workspace: str, key: str) -> MemberListFacts | None:
        return self.versions[key][0] if key in self.versions else None

    def load(self, _workspace: str, facts: MemberListFacts) -> Members:
        self.before_loading()
        self.loads += 1
        return self.versions[facts.sight][1]


@pytest.fixture(autouse=True)
def kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[Kept]:
    held = Kept()
    monkeypatch.setattr(words, "_held", {})
    monkeypatch.setattr(words, "MAX_MEMBERS", 3)
    monkeypatch.setattr(words, "LOOK_EVERY_S", -1.0)
    monkeypatch.setattr(words, "latest_list", held.latest)
    monkeypatch.setattr(words, "load_list", held.load)
    monkeypatch.setattr(words, "ask_for_list", lambda _: None)
    yield held
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


def test_members_that_are_kept_are_used_and_the_warehouse_is_left_alone(
    monkeypatch: pytest.MonkeyPatch, kept: Kept
) -> None:
    warehouse = connected(monkeypatch, "Alps")
    kept.keep("Alps", "Baltic", "Iberia", "Nordics", "Balkans")
    assert all(knows(name) for name in ("alps", "baltic", "iberia", "nordics", "balkans"))
    assert not knows("andes")
    assert (warehouse.reads, kept.loads) == (0, 1)


def test_without_kept_members_only_a_dimension_of_few_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    warehouse = connected(monkeypatch, "Alps", "Baltic", "Iberia")
    assert knows("alps")
    warehouse.names = ("Alps", "Baltic", "Iberia", "Nordics")
    assert not knows("alps", replace(SCOPE, metrics=frozenset({"net_revenue"})))


def test_a_dimension_of_many_starts_no_reading_at_each_question(monkeypatch: pytest.MonkeyPatch) -> None:
    warehouse = connected(monkeypatch, "Alps", "Baltic", "Iberia", "Nordics")
    begun: list[str] = []
    monkeypatch.setattr(words.threading, "Thread", lambda **given: begun.append(given["name"]))
    assert not any(knows("alps") for _ in range(20))
    assert (warehouse.reads, begun) == (1, [])


def test_a_newer_version_is_taken_up_behind_the_question_that_finds_it(
    monkeypatch: pytest.MonkeyPatch, kept: Kept
) -> None:
    connected(monkeypatch)
    kept.keep("Alps")
    assert knows("alps")
    kept.keep("Andes")
    gate = threading.Event()
    kept.before_loading = lambda: setattr(kept, "waited", gate.wait(10))
    assert knows("alps")
    assert not knows("andes")
    gate.set()
    _settle()
    assert knows("andes")
    assert not knows("alps")


def test_all_who_see_the_same_share_one_index(monkeypatch: pytest.MonkeyPatch) -> None:
    warehouse = connected(monkeypatch, "Alps")
    assert knows("alps")
    assert knows("alps", replace(SCOPE, principal="somebody_else", digest="two"))
    assert warehouse.reads == 1


def test_who_sees_other_rows_has_members_of_their_own(monkeypatch: pytest.MonkeyPatch, kept: Kept) -> None:
    warehouse = connected(monkeypatch, "Alps")
    kept.keep("Alps")
    assert knows("alps")
    rule = RowFilter(id="r", predicate="region = 'Baltic'", label="region is Baltic")
    table = replace(SCOPE.tables[0], row_filter=rule)
    warehouse.names = ("Baltic",)
    filtered = replace(SCOPE, tables=(table,), digest="three")
    assert not knows("alps", filtered)
    assert knows("baltic", filtered)


@pytest.mark.parametrize("fault", [WarehouseFault("unreachable", "It is away."), ValueError("broken"), OSError(28, "")])
def test_whatever_goes_wrong_behind_the_questions_leaves_the_words_as_they_were(
    monkeypatch: pytest.MonkeyPatch, kept: Kept, fault: Exception
) -> None:
    def fail() -> None:
        raise fault

    connected(monkeypatch)
    kept.keep("Alps")
    assert knows("alps")
    kept.keep("Andes")
    kept.before_loading = fail
    assert knows("alps")
    _settle()
    assert knows("alps")
    kept.before_loading = lambda: None
    _settle()
    assert knows("alps")
    _settle()
    assert knows("andes")


def test_few_members_are_read_again_when_they_are_old(monkeypatch: pytest.MonkeyPatch) -> None:
    warehouse = connected(monkeypatch, "Alps")
    assert knows("alps")
    warehouse.names = ("Andes",)
    monkeypatch.setattr(words, "FEW_AGE_S", -1.0)
    assert knows("alps")
    _settle()
    assert knows("andes")


def test_a_page_goes_on_after_the_last_member_of_the_one_before() -> None:
    query = values.value_queries(CATALOG, SCOPE, "duckdb")[0]
    assert query.next_page == (
        'SELECT DISTINCT "t"."region" AS "value" FROM "shop"."orders" AS "t" '
        'WHERE NOT "t"."region" IS NULL AND "t"."region" > $after ORDER BY 1 LIMIT 50000'
    )
