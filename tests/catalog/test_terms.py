"""The term index holds what a scope may see, in the forms that people write."""

from __future__ import annotations

from dataclasses import replace

from catalog.access import AccessScope, Mask, MaskKind, RowFilter, TableAccess
from catalog.terms import TermKind, TermSource, build_index, normalise_surface
from tests.catalog.shop import everything, shop


def _targets(surface: str, scope: AccessScope | None = None, **values: tuple[str, ...]) -> list[tuple[str, str]]:
    index = build_index(shop(), scope or everything(), values)
    return [(t.kind.value, t.target) for t in index.lookup(surface)]


def _granting(*tables: TableAccess) -> AccessScope:
    return replace(everything(), tables=tables)


STORES = TableAccess(table="shop.stores", columns=frozenset({"store_id", "name", "region"}))


def test_surfaces_fold_case_accents_hyphens_and_spaces() -> None:
    assert normalise_surface("  Café_In-Store\u00a0ÖSTERREICH ") == "cafe in store osterreich"


def test_names_labels_synonyms_and_their_plurals_lead_to_the_metric() -> None:
    assert _targets("average order value") == _targets("average order values") == [("metric", "aov")]
    assert ("metric", "revenue") in _targets("turnover")
    assert _targets("clients") == _targets("client's") == [("entity", "customer")]


def test_the_strongest_source_comes_first() -> None:
    terms = build_index(shop(), everything(), {}).lookup("orders")
    assert (terms[0].source, terms[0].kind) == (TermSource.NAME, TermKind.METRIC)


def test_a_metric_that_is_not_permitted_is_like_one_that_does_not_exist() -> None:
    less = replace(everything(), metrics=everything().metrics - {"aov"})
    assert _targets("average order value", less) == []
    assert _targets("average order value") == [("metric", "aov")]


def test_values_that_fold_together_are_one_term() -> None:
    term = build_index(shop(), everything(), {"country_name": ("Österreich", "OSTERREICH", "France")}).lookup(
        "osterreich"
    )
    assert term[0].values == ("OSTERREICH", "Österreich")
    by_synonym = build_index(shop(), everything(), {"country_name": ("Österreich", "OSTERREICH")}).lookup("austria")
    assert by_synonym[0].values == ("OSTERREICH", "Österreich")


def test_a_value_synonym_needs_its_value_to_be_seen() -> None:
    assert _targets("usa", country_name=("United States",)) == [("value", "country_name")]
    assert _targets("usa", country_name=("France",)) == []


def test_personal_and_unindexed_values_are_never_held() -> None:
    assert _targets("maria lopez", customer_name=("Maria Lopez",)) == []
    assert _targets("harbour", store_name=("Harbour",)) == [("value", "store_name")]


def test_value_limits_hide_values() -> None:
    limited = replace(everything(), value_limits=(("region", frozenset({"EMEA"})),))
    assert _targets("emea", limited) == [("value", "region")]
    assert _targets("amer", limited) == []


def test_a_table_or_column_that_is_not_granted_hides_its_dimensions() -> None:
    assert _targets("region", _granting(STORES)) == [("dimension", "region")]
    assert _targets("region", _granting(replace(STORES, columns=frozenset({"store_id"})))) == []
    assert _targets("category", _granting(STORES)) == []
    assert _targets("branch", _granting(STORES)) == [("entity", "store")]
    assert _targets("client", _granting(STORES)) == []


def test_declared_values_do_not_stand_in_where_rows_are_filtered() -> None:
    filtered = replace(STORES, row_filter=RowFilter(id="r", predicate="region = 'EMEA'", label="region is EMEA"))
    assert _targets("amer", _granting(STORES)) == [("value", "region")]
    assert _targets("amer", _granting(filtered)) == []
    assert _targets("emea", _granting(filtered), region=("EMEA",)) == [("value", "region")]


def test_a_masked_column_shows_no_values() -> None:
    masked = replace(STORES, masks=(Mask(column="region", kind=MaskKind.HASH),))
    assert _targets("emea", _granting(masked), region=("EMEA",)) == []
    assert _targets("region", _granting(masked)) == [("dimension", "region")]


def test_ambiguous_words_adjectives_and_events_are_terms() -> None:
    assert _targets("sales") == [("ambiguous", "sales")]
    assert _targets("golden") == [("adjective", "golden")]
    assert _targets("spring launch") == [("event", "spring_launch")]
    assert _targets("sales", replace(everything(), metrics=frozenset({"aov"}))) == []


def test_look_alikes_are_suggested_nearest_first_and_never_looked_up() -> None:
    index = build_index(shop(), everything(), {})
    assert index.near("net revenu")[0].target == "net_revenue"
    assert index.lookup("net revenu") == ()
    assert index.near("qqqqqq") == ()


def test_the_vocabulary_counts_words_and_the_longest_surface() -> None:
    index = build_index(shop(), everything(), {})
    assert index.vocabulary()["revenue"] >= 2
    assert index.max_words == 3
