"""Facts from a dbt-style project, held against its comments and its owners."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from contextcards.extract.claims import Claim, ClaimForm, claims_in, contradiction
from contextcards.extract.dbt import TableFacts, extract
from contextcards.extract.notes import facts_of_note
from contextcards.extract.sqlcode import behaviour_of
from contextcards.extract.templated import comments_in, render, sentences_of
from contextcards.reconcile import reconcile
from contextcards.types import Authority, CardError, ConflictOutcome, Fact, SourceType
from tests.contextcards.world import DATA, SEEN_AT

PROJECT = DATA / "pipelines"


def project_files() -> dict[str, str]:
    return {p.relative_to(PROJECT).as_posix(): p.read_text() for p in PROJECT.rglob("*") if p.is_file()}


def facts_of(table: str, files: dict[str, str] | None = None, schema: str = "warehouse") -> TableFacts:
    return next(t for t in extract(files or project_files(), SEEN_AT, schema=schema) if t.table == table)


def texts(found: TableFacts, slot: str) -> list[tuple[str, str]]:
    return [(f.text, f.pointer) for f in found.facts if f.slot == slot and f.authority is Authority.CODE]


def test_filters_come_with_file_and_line_from_the_model_and_from_what_it_reads() -> None:
    found = dict(texts(facts_of("warehouse.fct_orders"), "filters_upstream"))
    assert found["Keeps rows where s.status <> 'refunded'"] == "models/marts/fct_orders.sql:9"
    assert found["Keeps rows where NOT o.is_test"] == "models/staging/stg_orders.sql:8"


def test_a_filter_of_a_left_joined_table_is_no_filter_of_the_rows() -> None:
    assert not [t for t, _ in texts(facts_of("warehouse.fct_orders"), "filters_upstream") if "deleted_at" in t]
    assert texts(facts_of("warehouse.dim_customer"), "filters_upstream")


def test_a_filter_of_an_inner_joined_table_is_one() -> None:
    files = project_files()
    files["models/marts/fct_orders.sql"] = files["models/marts/fct_orders.sql"].replace("left join", "join")
    found = texts(facts_of("warehouse.fct_orders", files), "filters_upstream")
    assert [t for t, _ in found if "deleted_at" in t]


def test_row_number_equal_to_one_is_a_deduplication_not_a_filter() -> None:
    found = facts_of("warehouse.fct_orders")
    assert texts(found, "deduplication")[0][0].startswith("keeps the first row per order_id")
    assert not [t for t, _ in texts(found, "filters_upstream") if "newest" in t]
    assert [t for t, _ in texts(facts_of("staging.stg_orders"), "grain")] == ["one row per order_id"]


def test_a_join_leaves_the_grain_open() -> None:
    joined = facts_of("warehouse.fct_orders").behaviour
    assert joined is not None
    assert joined.grain == ()
    union = behaviour_of("w.t", "select a from x group by a union all select a from y group by a", "t.sql")
    assert union is not None
    assert (union.grain, union.deduplications) == ((), ())


def test_upstreams_downstreams_keys_and_joins_are_found() -> None:
    orders, customers = facts_of("warehouse.fct_orders"), facts_of("warehouse.dim_customer")
    assert {t for t, _ in texts(orders, "upstreams")} == {"staging.stg_orders", "warehouse.dim_customer"}
    assert texts(orders, "keys") == [("order_id", "models/schema.yml:7")]
    assert texts(orders, "safe_joins")[0][0] == "customer_id = warehouse.dim_customer.customer_id"
    assert [t for t, _ in texts(customers, "downstreams")] == ["warehouse.fct_orders"]


@pytest.mark.parametrize(
    ("sql", "grain"),
    [
        ("select day, user_id, count(*) n from t group by 1, 2", ("day", "user_id")),
        ("select date_trunc('day', at) as day, user_id from t group by all", ("day", "user_id")),
        ("select distinct session_id from t", ("session_id",)),
        ("select * from t qualify row_number() over (partition by a order by b) = 1", ("a",)),
        ("select * from (select *, row_number() over (partition by a, b) as rn from t) where rn = 1", ("a", "b")),
        ("select a from t", ()),
    ],
)
def test_the_grain_is_read_where_code_says_so(sql: str, grain: tuple[str, ...]) -> None:
    behaviour = behaviour_of("warehouse.t", sql, "t.sql")
    assert behaviour is not None
    assert behaviour.grain == grain


def test_code_that_cannot_be_read_gives_no_facts() -> None:
    assert behaviour_of("warehouse.t", "select from where ((", "t.sql") is None
    assert behaviour_of("warehouse.t", "drop table x", "t.sql") is None


@pytest.mark.parametrize(
    ("claim", "sql", "disagrees"),
    [
        ("excludes cancelled orders", "select a from t where status <> 'cancelled'", False),
        ("excludes cancelled orders", "select a from t where status not in ('cancelled', 'failed')", False),
        ("excludes cancelled orders", "select a from t where status = 'cancelled'", True),
        ("excludes cancelled orders", "select a from t", True),
        ("test accounts are excluded", "select a from t where not coalesce(is_test, false)", False),
        ("test accounts are excluded", "select a from t where is_test = false", False),
        ("test accounts are excluded", "select a from t where is_test", True),
        ("test accounts are not excluded", "select a from t where is_test = false", True),
        ("includes deleted customers", "select a from t where deleted_at is null", True),
        ("includes deleted customers", "select a from t", False),
        ("one row per session", "select session_id, max(x) from t group by session_id", False),
        ("one row per session", "select user_id, day, sum(x) from t group by user_id, day", True),
        ("one row per customer", "select customer_id, day, sum(x) from t group by 1, 2", True),
        ("one row per customer and day", "select customer_id, activity_date, sum(x) from t group by 1, 2", False),
        ("amounts exclude shipping", "select amount, shipping from t", False),
        ("test accounts are removed", "select amount, is_test from t", True),
        ("converts within seven days", "select a from t where x < y + interval 7 day", False),
        ("converts within seven days", "select a from t where x < y + interval 14 day", True),
        ("rows are deduplicated", "select a from t", True),
        ("rows are deduplicated", "select distinct a from t", False),
        ("sessions end after 30 minutes", "select a from t where x > y - interval 30 minute", False),
        ("sessions end after 30 minutes", "select a from t where x > y - interval '45' minute", True),
        ("sessions end after 30 minutes", "select a from t where x > y - interval 2 day", False),
    ],
)
def test_a_claim_is_held_against_the_code(claim: str, sql: str, disagrees: bool) -> None:
    behaviour = behaviour_of("warehouse.facts", sql, "t.sql")
    assert behaviour is not None
    assert claims_in(claim)
    assert any(contradiction(c, behaviour) for c in claims_in(claim)) is disagrees


def test_each_sentence_of_a_comment_has_its_own_line() -> None:
    (comment,) = comments_in("select 1\n-- One row per order,\n-- whatever its state. Test orders are removed.")
    assert [(s.text, s.line) for s in sentences_of(comment)] == [
        ("One row per order, whatever its state.", 2),
        ("Test orders are removed.", 3),
    ]


def test_a_comment_that_the_code_contradicts_fills_no_slot() -> None:
    sql = "-- One row per customer. Test rows are excluded.\nselect customer_id, day from x group by customer_id, day"
    found = facts_of("w.a", {"models/a.sql": sql}, schema="w")
    card = reconcile(found.table, found.facts, found.behaviour)
    assert (card.grain, card.filters_upstream) == ("one row per customer_id, day", "")
    assert {c.slot for c in card.conflicts} == {"grain", "filters_upstream"}


def test_sources_stand_for_the_tables_that_the_project_says() -> None:
    files = {
        "models/a.sql": "select x from {{ source('shop', 'orders') }}",
        "models/sources.yml": "sources:\n- name: shop\n  schema: raw\n  tables:\n  - {name: orders, identifier: o1}\n",
        "tests/check.sql": "select 1",
    }
    assert [t for t, _ in texts(facts_of("warehouse.a", files), "upstreams")] == ["raw.o1"]
    assert len(extract(files, SEEN_AT)) == 1


def test_plain_prose_makes_no_claim() -> None:
    assert claims_in("Joined for the region; see the handbook.") == ()
    assert claims_in("never excludes returns") == (Claim(form=ClaimForm.INCLUDES, about="returns"),)


def test_a_comment_that_disagrees_with_its_code_loses_and_is_shown() -> None:
    found = facts_of("warehouse.fct_orders")
    card = reconcile(found.table, found.facts, found.behaviour)
    reasons = " ".join(c.reason for c in card.conflicts)
    assert "45 minutes" in reasons
    assert "refunded orders are included; the code drops them (s.status <> 'refunded')" in reasons
    assert {(c.outcome, c.kept.authority) for c in card.conflicts} == {(ConflictOutcome.SUPERSEDE, Authority.CODE)}
    assert {c.other.pointer for c in card.conflicts} == {"models/marts/fct_orders.sql:1"}


def test_a_comment_that_agrees_makes_no_conflict() -> None:
    files = project_files()
    sql = files["models/marts/fct_orders.sql"]
    files["models/marts/fct_orders.sql"] = sql.replace("30 minutes", "45 minutes").replace("includes", "excludes")
    found = facts_of("warehouse.fct_orders", files)
    assert reconcile(found.table, found.facts, found.behaviour).conflicts == ()


def fact(slot: str, text: str, authority: Authority) -> Fact:
    return Fact(
        slot=slot,
        text=text,
        source=SourceType.OWNER_NOTE,
        authority=authority,
        pointer=f"{authority}:{text}",
        observed_at=SEEN_AT,
    )


def test_an_owner_and_the_code_are_both_kept_with_their_scopes() -> None:
    behaviour = behaviour_of("warehouse.t", "select a from x", "t.sql")
    card = reconcile("warehouse.t", (fact("caveats", "Cancelled orders are excluded.", Authority.OWNER),), behaviour)
    (conflict,) = card.conflicts
    assert conflict.outcome is ConflictOutcome.RETAIN_BOTH
    assert (conflict.kept.authority, conflict.other.authority) == (Authority.CODE, Authority.OWNER)
    assert card.caveats == ("Cancelled orders are excluded.",)


@pytest.mark.parametrize(
    ("slot", "first", "second", "outcome"),
    [
        ("owner", Authority.OWNER, Authority.DOCUMENT, ConflictOutcome.SUPERSEDE),
        ("population", Authority.OWNER, Authority.OWNER, ConflictOutcome.CLARIFY),
        ("freshness", Authority.OWNER, Authority.DOCUMENT, ConflictOutcome.VERIFY_LIVE),
        ("grain", Authority.CODE, Authority.CODE, ConflictOutcome.ABSTAIN),
    ],
)
def test_each_kind_of_disagreement_has_its_outcome(
    slot: str, first: Authority, second: Authority, outcome: ConflictOutcome
) -> None:
    card = reconcile("warehouse.t", (fact(slot, "this", first), fact(slot, "that", second)))
    assert [c.outcome for c in card.conflicts] == [outcome]
    same = reconcile("warehouse.t", (fact(slot, "this", first), fact(slot, "This.", second)))
    assert same.conflicts == ()


def test_owners_speak_for_intent_and_code_for_behaviour() -> None:
    facts = (
        fact("purpose", "code's words", Authority.DOCUMENT),
        fact("purpose", "owner's words", Authority.OWNER),
        fact("filters_upstream", "owner's filter", Authority.OWNER),
        fact("filters_upstream", "code's filter", Authority.CODE),
    )
    card = reconcile("warehouse.t", facts)
    assert (card.purpose, card.filters_upstream) == ("owner's words", "code's filter")
    assert set(card.facts) == set(facts)


def test_templates_keep_their_lines_and_unknown_values_lower_the_confidence() -> None:
    text = "{{ config(\n  schema='x') }}\nselect 1 as a\nfrom {{ ref('b') }}\nwhere c > {{ var('least') }}\n"
    rendered = render(text)
    assert rendered.sql.split("\n")[3] == 'from ref."b"'
    assert (rendered.schema, rendered.dynamic) == ("x", True)
    assert [f.confidence for f in facts_of("x.a", {"models/a.sql": text}).facts if f.slot == "filters_upstream"] == [
        0.7
    ]


def test_quoted_dashes_are_no_comment() -> None:
    found = comments_in("select '-- no' as a -- yes\n/* and\n this */\n-- one\n-- two")
    assert [(c.text, c.line) for c in found] == [("yes", 1), ("and\n this", 2), ("one\ntwo", 4)]


def test_a_card_file_points_to_its_lines_and_refuses_unknown_slots(tmp_path: Path) -> None:
    table, facts = facts_of_note("cards/a.yaml", "table: w.a\ncaveats:\n  - one\n  - two\n", SEEN_AT)
    assert (table, [(f.text, f.pointer) for f in facts]) == (
        "w.a",
        [("one", "cards/a.yaml:3"), ("two", "cards/a.yaml:4")],
    )
    with pytest.raises(CardError, match=r"cards/a\.yaml:2: a card has no “colour”"):
        facts_of_note("cards/a.yaml", "table: w.a\ncolour: red\n", SEEN_AT)


def test_facts_change_the_card_digest_and_moments_do_not() -> None:
    one = fact("purpose", "this", Authority.OWNER)
    later = replace(one, observed_at=SEEN_AT.replace(year=2026))
    assert reconcile("w.t", (one,)).digest == reconcile("w.t", (later,)).digest
    assert reconcile("w.t", (one,)).digest != reconcile("w.t", (replace(one, text="that"),)).digest
