"""A draft joins by constraints alone, adds up only what adds up, marks what is personal, and is the same every time."""

from __future__ import annotations

import random
import time
from dataclasses import replace

import pytest
import yaml

from catalog.checks import check, is_error
from catalog.compiler import compile_query
from catalog.drafting.conventions import Role, is_personal, role_of
from catalog.drafting.descriptions import described
from catalog.drafting.draft import draft
from catalog.drafting.files import files_of
from catalog.drafting.kinds import column_kind
from catalog.drafting.names import label, thing_words, words_of
from catalog.drafting.types import (
    ColumnDescription,
    ColumnKind,
    Draft,
    ForeignKey,
    SuggestionKind,
    TableDescription,
    WarehouseDescription,
)
from catalog.lookup import lookup
from catalog.query import CompiledQuery, GroupBy, QuerySpec
from catalog.reach import reachable_dimensions
from catalog.standing import caveats_of, is_draft
from catalog.types import Dimension, EntityType, Status


def column(name: str, kind: str = "bigint", **more: object) -> ColumnDescription:
    return ColumnDescription(name=name, type=kind, **more)  # type: ignore[arg-type]


def table(name: str, *columns: ColumnDescription, **more: object) -> TableDescription:
    return TableDescription(**{"schema": "shop", "name": name, "columns": columns, **more})  # type: ignore[arg-type]


def leads(column_name: str, to: str, key: str = "id", **more: object) -> ForeignKey:
    return ForeignKey(columns=(column_name,), schema="shop", table=to, referenced=(key,), **more)  # type: ignore[arg-type]


AIRPORTS = table("airports", column("id"), column("city", "text"), primary_key=("id",))
FLIGHTS = table(
    "flights",
    column("id"),
    column("from_airport_id"),
    column("to_airport_id"),
    column("flight_date", "date"),
    column("seats_sold", "integer"),
    primary_key=("id",),
    foreign_keys=(leads("from_airport_id", "airports"), leads("to_airport_id", "airports")),
)


def made(*tables: TableDescription) -> Draft:
    return draft(WarehouseDescription(name="shop", dialect="postgres", tables=tables))


def dimension(found: Draft, name: str) -> Dimension:
    return lookup(found.snapshot).dimensions[name][0].dimension


def joins(found: Draft) -> list[tuple[str, str, tuple[str, ...]]]:
    return [
        (m.name, e.name, e.columns()) for m in found.snapshot.models for e in m.entities if e.type is EntityType.FOREIGN
    ]


def test_two_keys_to_one_table_are_two_roles_and_both_ways_have_a_name() -> None:
    found = made(AIRPORTS, FLIGHTS)
    assert joins(found) == [
        ("flights", "from_airport", ("from_airport_id",)),
        ("flights", "to_airport", ("to_airport_id",)),
    ]
    reached = reachable_dimensions(found.snapshot, "flight_count")
    assert {"from_airport__city", "to_airport__city"} <= reached
    for name in sorted(reached):
        asked = QuerySpec(metrics=("flight_count",), group_by=(GroupBy(dimension=name),))
        assert isinstance(compile_query(asked, found.snapshot), CompiledQuery) or "date" in name


def test_one_role_name_never_leads_to_two_tables() -> None:
    teams = table("teams", column("id"), primary_key=("id",))
    users = table("users", column("id"), primary_key=("id",))
    both = ("owner_id", "backup_id")
    by_user = table("lists", column("id"), *map(column, both), foreign_keys=tuple(leads(c, "users") for c in both))
    by_team = table("boards", column("id"), *map(column, both), foreign_keys=tuple(leads(c, "teams") for c in both))
    found = made(teams, users, by_user, by_team)
    holders: dict[str, set[str]] = {}
    for model in found.snapshot.models:
        for entity in model.entities:
            if entity.type is not EntityType.FOREIGN:
                holders.setdefault(entity.name, set()).add(model.name)
    assert all(len(models) == 1 for models in holders.values())
    assert len(joins(found)) == 4


def test_a_key_of_several_columns_joins_in_the_order_of_the_key_it_leads_to() -> None:
    lines = table("lines", column("order_id"), column("line_no"), primary_key=("order_id", "line_no"))
    key = ForeignKey(columns=("no", "order_id"), schema="shop", table="lines", referenced=("line_no", "order_id"))
    parcels = table("parcels", column("id"), column("order_id"), column("no"), primary_key=("id",), foreign_keys=(key,))
    found = made(lines, parcels)
    assert joins(found) == [("parcels", "line", ("order_id", "no"))]
    assert lookup(found.snapshot).models["lines"].grain == "One row per line (order_id, line_no)."


def test_without_constraints_nothing_is_joined_and_the_names_are_suggested() -> None:
    customers = table("customers", column("customer_id"), column("region", "text"), primary_key=("customer_id",))
    orders = table("orders", column("order_id"), column("customer_id"))
    found = made(customers, orders)
    assert joins(found) == []
    (asked,) = found.suggestions
    assert (asked.kind, asked.model) == (SuggestionKind.JOIN, "orders")
    assert asked.accept == "in orders, entities: {name: customer, type: foreign, expr: customer_id}"


def test_a_name_with_another_type_is_not_even_suggested() -> None:
    customers = table("customers", column("customer_id", "uuid"), primary_key=("customer_id",))
    orders = table("orders", column("order_id"), column("customer_id", "bigint"))
    assert made(customers, orders).suggestions == ()


@pytest.mark.parametrize(
    ("key", "words"),
    [
        (leads("airport_id", "airports", enforced=False), "has not checked older rows"),
        (leads("airport_id", "elsewhere"), "not part of this draft"),
        (leads("airport_id", "airports", "city"), "no key of those columns"),
        (leads("airport_id", "gates"), "A hierarchy"),
    ],
)
def test_a_foreign_key_that_proves_too_little_is_left_to_the_owner(key: ForeignKey, words: str) -> None:
    gates = table("gates", column("id"), column("airport_id"), primary_key=("id",), foreign_keys=(key,))
    found = made(AIRPORTS, gates)
    assert joins(found) == []
    assert any(words in s.text for s in found.suggestions)


def test_a_table_of_pairs_is_suggested_as_a_bridge() -> None:
    tags = table("tags", column("id"), primary_key=("id",))
    pairs = table(
        "airport_tags",
        column("airport_id"),
        column("tag_id"),
        primary_key=("airport_id", "tag_id"),
        foreign_keys=(leads("airport_id", "airports"), leads("tag_id", "tags")),
    )
    found = made(AIRPORTS, tags, pairs)
    asked = [s.accept for s in found.suggestions if s.kind is SuggestionKind.BRIDGE]
    assert asked == [
        "bridges: [{from_entity: airport, to_entity: tag, model: airport_tags},"
        " {from_entity: tag, to_entity: airport, model: airport_tags}]"
    ]
    assert found.snapshot.bridges == ()


def test_a_unique_key_without_empty_values_identifies_a_row() -> None:
    found = made(table("t", column("code", "text", nullable=False), column("x"), unique_keys=(("code",), ("x",))))
    assert [(e.name, e.type) for e in found.snapshot.models[0].entities] == [
        ("t", EntityType.PRIMARY),
        ("t_x", EntityType.UNIQUE),
    ]


@pytest.mark.parametrize(
    ("name", "kind", "role"),
    [
        ("net_amount", ColumnKind.NUMBER, Role.AMOUNT),
        ("units_sold", ColumnKind.INTEGER, Role.AMOUNT),
        ("orderQty", ColumnKind.INTEGER, Role.AMOUNT),
        ("unit_price", ColumnKind.NUMBER, Role.AVERAGE_ONLY),
        ("discount_pct", ColumnKind.NUMBER, Role.AVERAGE_ONLY),
        ("conversion_rate", ColumnKind.NUMBER, Role.AVERAGE_ONLY),
        ("rating", ColumnKind.NUMBER, Role.AVERAGE_ONLY),
        ("account_balance", ColumnKind.NUMBER, Role.BALANCE),
        ("units_on_hand", ColumnKind.INTEGER, Role.BALANCE),
        ("year", ColumnKind.INTEGER, Role.NUMBER),
        ("fiscal_year", ColumnKind.INTEGER, Role.NUMBER),
        ("latitude", ColumnKind.NUMBER, Role.NUMBER),
        ("zip", ColumnKind.INTEGER, Role.NUMBER),
        ("postal_code", ColumnKind.INTEGER, Role.IDENTIFIER),
        ("pid", ColumnKind.INTEGER, Role.IDENTIFIER),
        ("invoice_number", ColumnKind.INTEGER, Role.IDENTIFIER),
        ("departure_time", ColumnKind.INTEGER, Role.NUMBER),
        ("epochms", ColumnKind.INTEGER, Role.NUMBER),
        ("cited", ColumnKind.INTEGER, Role.NUMBER),
        ("amount_paid", ColumnKind.INTEGER, Role.AMOUNT),
        ("wait_minutes", ColumnKind.INTEGER, Role.AMOUNT),
        ("is_active", ColumnKind.BOOLEAN, Role.YES_NO),
        ("status_code", ColumnKind.TEXT, Role.CATEGORY),
        ("external_id", ColumnKind.TEXT, Role.IDENTIFIER),
        ("review_text", ColumnKind.TEXT, Role.FREE_TEXT),
        ("payload", ColumnKind.OTHER, Role.UNUSED),
    ],
)
def test_a_columns_name_and_type_say_what_it_is_good_for(name: str, kind: ColumnKind, role: Role) -> None:
    assert role_of(words_of(name), kind) is role


def test_sums_are_drafted_of_amounts_only() -> None:
    found = made(
        table(
            "orders",
            column("id"),
            column("net_amount_usd", "numeric(12,2)"),
            column("unit_price", "numeric"),
            column("order_year", "integer"),
            column("store_latitude", "double precision"),
            primary_key=("id",),
        )
    )
    assert [(m.name, m.label, m.unit) for m in found.snapshot.metrics] == [
        ("order_count", "Number of orders", ""),
        ("total_net_amount_usd", "Total net amount usd", "USD"),
        ("average_net_amount_usd", "Average net amount usd", "USD"),
        ("average_unit_price", "Average unit price", ""),
    ]


@pytest.mark.parametrize(
    ("name", "thing", "personal"),
    [
        ("email", "order", True), ("contactEmail", "order", True), ("sbcustphone", "sbcustomer", True),
        ("date_of_birth", "patient", True), ("ssn", "employee", True), ("first_name", "guest", True),
        ("name", "customer", True), ("customer_name", "order", True), ("street_address", "store", True),
        ("name", "product", False), ("city", "customer", False), ("headphones", "product", True),
        ("status", "customer", False), ("title", "film", False),
    ],
)  # fmt: skip
def test_what_may_tell_about_a_person_is_suspected_by_its_name(name: str, thing: str, personal: bool) -> None:
    assert is_personal(words_of(name), (thing,), ColumnKind.TEXT) is personal


def test_personal_columns_are_marked_and_their_members_never_read_nor_declared() -> None:
    found = made(table("guests", column("id"), column("email", "text", values=("a@x",)), primary_key=("id",)))
    email = dimension(found, "email")
    assert (email.pii, email.indexable, email.values) == (True, False, ())


def test_members_of_an_enumeration_are_declared() -> None:
    found = made(table("t", column("mood", "shop.mood", values=("sad", "ok"))))
    assert dimension(found, "mood").values == ("sad", "ok")


@pytest.mark.parametrize(
    ("type_name", "kind"),
    [
        ("character varying", ColumnKind.TEXT), ("VARCHAR", ColumnKind.TEXT), ("numeric(10,2)", ColumnKind.NUMBER),
        ("DECIMAL(18,3)", ColumnKind.NUMBER), ("double precision", ColumnKind.NUMBER), ("HUGEINT", ColumnKind.INTEGER),
        ("timestamp with time zone", ColumnKind.TIMESTAMP), ("TIMESTAMP WITH TIME ZONE", ColumnKind.TIMESTAMP),
        ("time without time zone", ColumnKind.TIME), ("integer[]", ColumnKind.OTHER), ("INTEGER[]", ColumnKind.OTHER),
        ("STRUCT(a INTEGER)", ColumnKind.OTHER), ("ENUM('a', 'b')", ColumnKind.TEXT), ("jsonb", ColumnKind.OTHER),
        ("interval", ColumnKind.OTHER), ("", ColumnKind.OTHER),
    ],
)  # fmt: skip
def test_engine_types_of_both_engines_are_known(type_name: str, kind: ColumnKind) -> None:
    assert column_kind(type_name) is kind


def test_names_become_words_and_labels() -> None:
    assert words_of("sbCustJoinDate") == ("sb", "cust", "join", "date")
    assert words_of("HTTPStatus Code") == ("http", "status", "code")
    assert words_of("Größe") == ("grosse",)
    assert (thing_words(("dim", "customers")), thing_words(("order", "items"))) == (("customer",), ("order", "item"))
    assert label(("net", "amount"), "x") == "Net amount"


@pytest.mark.parametrize(
    "odd",
    ["Gift Wrapped", 'say "so"', "2024", "select", "metric_time", "a__b", "количество", "naïve", "x;--", "%(p1)s"],
)
def test_any_name_that_an_engine_allows_gives_a_catalog_that_can_be_used(odd: str) -> None:
    found = made(table(odd, column("id"), column(odd, "text"), column("net_amount", "numeric"), primary_key=("id",)))
    assert [i.message for i in check(found.snapshot) if is_error(i)] == []
    for metric in found.snapshot.metrics:
        for name in reachable_dimensions(found.snapshot, metric.name):
            asked = QuerySpec(metrics=(metric.name,), group_by=(GroupBy(dimension=name),))
            assert isinstance(compile_query(asked, found.snapshot), CompiledQuery)


def test_the_time_of_a_row_is_taken_only_where_it_is_clear() -> None:
    clear = table("orders", column("order_date", "date"), column("created_at", "timestamp"), column("due_date", "date"))
    unclear = table("visits", column("arrived", "date"), column("seen", "date"))
    birth = table("people", column("date_of_birth", "date"))
    written = table("cars", column("year", "integer"), column("crtd_ts", "timestamp"))
    found = made(clear, unclear, birth, written)
    assert {m.name: m.default_time_dimension for m in found.snapshot.models} == {
        "cars": None,
        "orders": "order_date",
        "people": None,
        "visits": None,
    }
    assert [s.model for s in found.suggestions if s.kind is SuggestionKind.TIME] == ["cars", "people", "visits"]


def test_when_a_row_was_written_is_never_when_it_happened() -> None:
    for written in ("created_at", "inserted_on", "crtd_ts", "loaded_at", "order_created_at"):
        found = made(table("orders", column("amount", "integer"), column(written, "timestamp")))
        (model,) = found.snapshot.models
        assert model.default_time_dimension is None, written
        assert all(m.agg_time_dimension is None for m in model.measures), written


def test_everything_drafted_is_a_draft_until_somebody_says_otherwise() -> None:
    snapshot = made(AIRPORTS, FLIGHTS).snapshot
    assert {m.status for m in snapshot.models} == {m.status for m in snapshot.metrics} == {Status.DRAFT}
    metric = snapshot.metrics[0]
    assert caveats_of(snapshot, metric) == (f"{metric.label} is a draft that nobody has reviewed.",)
    reviewed = replace(
        snapshot,
        models=tuple(replace(m, status=Status.CANONICAL) for m in snapshot.models),
        metrics=tuple(replace(m, status=Status.CANONICAL) for m in snapshot.metrics),
    )
    assert not any(is_draft(reviewed, m.name) for m in reviewed.metrics)
    assert caveats_of(reviewed, reviewed.metrics[0]) == ()


def test_the_same_warehouse_gives_the_same_bytes_in_any_order() -> None:
    tables = [AIRPORTS, FLIGHTS, table("a", column("x", "text")), table("x", column("b"), schema="other")]
    first = files_of(made(*tables))
    for seed in range(5):
        random.Random(seed).shuffle(tables)
        assert files_of(made(*tables)) == first


def test_a_comment_is_text_and_cannot_leave_its_place() -> None:
    nasty = "x\n\nsemantic_models: []\n# \x1b[31m status: canonical " + "y" * 1000
    found = made(table("t", column("id", comment=nasty), column("b", "a\nb: c"), comment=nasty, primary_key=("id",)))
    (text,) = [t for name, t in files_of(found).items() if name.startswith("models/")]
    held = yaml.safe_load(text)["semantic_models"][0]
    assert held["status"] == "draft"
    assert len(held["description"]) <= 500
    assert "\n" not in held["description"]


def test_tables_of_one_name_in_two_schemas_are_told_apart() -> None:
    found = made(table("t", column("id")), table("t", column("id"), schema="raw"))
    assert [m.name for m in found.snapshot.models] == ["raw_t", "shop_t"]


@pytest.mark.parametrize(
    "given",
    [
        {"Orders": [{"name": "NetAmount", "description": "What was paid."}]},
        {"table_metadata": {"shop.orders": [{"column_name": "NetAmount", "column_description": "What was paid."}]}},
        {"tables": {"orders": {"description": "Sold.", "columns": {"NetAmount": "What was paid."}}}},
        {"orders": {"NetAmount": "What was paid."}},
    ],
)
def test_texts_from_elsewhere_become_descriptions_and_tell_how_names_are_written(given: object) -> None:
    bare = WarehouseDescription(
        name="shop", dialect="postgres", tables=(table("orders", column("netamount", "numeric")),)
    )
    found = draft(described(bare, given))
    net = dimension(found, "net_amount")
    assert (net.expr, net.label, net.description) == ("netamount", "Net amount", "What was paid.")


@pytest.mark.parametrize("given", [[], "x", {"orders": 3}, {"orders": ["x"]}, {"orders": [{"text": "x"}]}])
def test_texts_of_another_form_are_refused_with_a_sentence(given: object) -> None:
    bare = WarehouseDescription(name="s", dialect="postgres", tables=(table("orders", column("a")),))
    with pytest.raises(ValueError, match=r"\.$"):
        described(bare, given)


def test_hundreds_of_tables_with_thousands_of_columns_take_seconds() -> None:
    tables = [
        table(
            f"thing_{n}",
            column("id"),
            *(column(f"value_{n}_{c}", ("text", "numeric", "date", "boolean")[c % 4]) for c in range(30)),
            column("parent_id"),
            primary_key=("id",),
            foreign_keys=(leads("parent_id", f"thing_{n // 4}"),) if n else (),
        )
        for n in range(400)
    ]
    started = time.monotonic()
    found = made(*tables)
    files = files_of(found)
    assert (len(found.snapshot.models), len(files), len(joins(found))) == (400, 401, 399)
    assert time.monotonic() - started < 20
