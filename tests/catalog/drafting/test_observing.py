"""Keys that no constraint declares: only what is called as a key and what the data show, and never in between."""

from __future__ import annotations

from dataclasses import dataclass, field

from catalog.drafting.draft import draft
from catalog.drafting.observing import with_observed
from catalog.drafting.types import Draft, TableDescription, WarehouseDescription
from catalog.types import Entity, EntityType
from tests.catalog.drafting.test_draft import column, joins, leads, table

AUTHORS = table("authors", column("aid"), column("name", "text"))
BOOKS = table("books", column("bid"), column("title", "text"))
WRITES = table("writes", column("aid"), column("bid"))
PLACES = table("places", column("city_name", "text"), column("region", "text"))
SHOPS = table("shops", column("id"), column("name", "text"), column("city_name", "text"))


@dataclass
class Counts:
    """An observer that finds what it was told, and remembers what it was asked."""

    keys: frozenset[str] = frozenset()
    ways: frozenset[str] = frozenset()
    asked: list[str] = field(default_factory=list)

    def tells_apart(self, table: TableDescription, column: str) -> bool:
        self.asked.append(f"{table.name}.{column}")
        return f"{table.name}.{column}" in self.keys

    def leads(self, table: TableDescription, column: str, target: TableDescription, key: str) -> bool:
        asked = f"{table.name}.{column} → {target.name}.{key}"
        self.asked.append(asked)
        return asked in self.ways


def observed(counts: Counts, *tables: TableDescription) -> Draft:
    return draft(with_observed(WarehouseDescription(name="shop", dialect="postgres", tables=tables), counts))


def keys_of(found: Draft, model: str) -> list[Entity]:
    held = next(m for m in found.snapshot.models if m.name == model)
    return [e for e in held.entities if e.type is EntityType.PRIMARY]


ALL_KEYS = frozenset({"authors.aid", "books.bid", "places.city_name", "shops.id"})
WRITTEN = Counts(ALL_KEYS, frozenset({"writes.aid → authors.aid", "writes.bid → books.bid"}))


def test_a_key_that_the_data_show_is_one_and_says_so() -> None:
    found = observed(WRITTEN, AUTHORS, BOOKS, WRITES)
    (author,) = (
        e for m in found.snapshot.models for e in m.entities if e.type is EntityType.PRIMARY and m.name == "authors"
    )
    assert (author.name, author.expr, author.observed) == ("author", "aid", True)
    assert "by what the data showed" in found.snapshot.models[0].grain


def test_a_column_leads_where_its_name_and_all_its_values_do() -> None:
    found = observed(WRITTEN, AUTHORS, BOOKS, WRITES)
    assert joins(found) == [("writes", "author", ("aid",)), ("writes", "book", ("bid",))]
    assert [(b.from_entity, b.to_entity, b.model) for b in found.snapshot.bridges] == [
        ("author", "book", "writes"),
        ("book", "author", "writes"),
    ]
    told = [s.text for s in found.suggestions]
    assert any("no constraint says so, the data did" in t for t in told)


def test_one_value_that_is_no_key_undoes_the_way() -> None:
    found = observed(Counts(ALL_KEYS, frozenset({"writes.aid → authors.aid"})), AUTHORS, BOOKS, WRITES)
    assert joins(found) == [("writes", "author", ("aid",))]
    assert found.snapshot.bridges == ()


def test_a_key_that_repeats_is_none_and_nothing_leads_to_it() -> None:
    counts = Counts(frozenset({"books.bid"}), frozenset({"writes.aid → authors.aid", "writes.bid → books.bid"}))
    assert joins(observed(counts, AUTHORS, BOOKS, WRITES)) == [("writes", "book", ("bid",))]


def test_a_long_name_that_tables_share_leads_to_the_one_where_it_is_a_key() -> None:
    counts = Counts(ALL_KEYS, frozenset({"shops.city_name → places.city_name"}))
    assert joins(observed(counts, PLACES, SHOPS)) == [("shops", "place", ("city_name",))]


def test_short_common_names_prove_nothing() -> None:
    """A status or a name that happens to be unique in a small table is no key of another one's rows."""
    states = table("states", column("status", "text"), column("name", "text"))
    jobs = table("jobs", column("id"), column("status", "text"), column("name", "text"))
    counts = Counts(frozenset({"states.status", "states.name", "jobs.id", "jobs.status"}), frozenset())
    assert joins(observed(counts, states, jobs)) == []
    assert "states.status" not in counts.asked


def test_a_pair_takes_no_key_of_what_it_pairs() -> None:
    counts = Counts(ALL_KEYS | {"writes.aid", "writes.bid"}, WRITTEN.ways)
    found = observed(counts, AUTHORS, BOOKS, WRITES)
    assert not any(
        e.type is EntityType.PRIMARY for m in found.snapshot.models if m.name == "writes" for e in m.entities
    )


def test_of_two_tables_with_the_key_the_one_that_the_name_is_about_is_meant() -> None:
    state = table("state", column("state_name", "text"), column("area", "numeric"))
    heights = table("heights", column("state_name", "text"), column("highest", "numeric"))
    city = table("city", column("city_name", "text"), column("state_name", "text"))
    keys = frozenset({"state.state_name", "heights.state_name", "city.city_name"})
    ways = frozenset({"city.state_name → state.state_name", "heights.state_name → state.state_name"})
    found = observed(Counts(keys, ways), state, heights, city)
    assert {(m, e) for m, e, _ in joins(found)} == {("city", "state"), ("heights", "state")}


def test_what_a_constraint_declares_is_not_asked_again() -> None:
    authors = table("authors", column("aid"), column("name", "text"), primary_key=("aid",))
    writes = table("writes", column("aid"), column("bid"), foreign_keys=(leads("aid", "authors", "aid"),))
    counts = Counts(frozenset({"books.bid"}), frozenset({"writes.bid → books.bid"}))
    found = observed(counts, authors, BOOKS, writes)
    assert {a for a in counts.asked if "aid" in a} == set()
    kept = {e.name: e.observed for m in found.snapshot.models if m.name == "writes" for e in m.entities}
    assert kept == {"author": False, "book": True}


def test_without_a_look_at_the_data_nothing_is_joined() -> None:
    plain = draft(WarehouseDescription(name="shop", dialect="postgres", tables=(AUTHORS, BOOKS, WRITES)))
    assert joins(plain) == []
    assert plain.snapshot.bridges == ()
