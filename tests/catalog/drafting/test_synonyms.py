"""Words of a draft beyond its names: by rules of names, and never so that rows pass for things."""

from __future__ import annotations

import pytest

from catalog.drafting.draft import draft
from catalog.drafting.plan import shared_beginning
from catalog.drafting.types import TableDescription, WarehouseDescription
from catalog.types import Dimension, Metric
from tests.catalog.drafting.test_draft import column, table


def drafted(*tables: TableDescription) -> tuple[dict[str, Dimension], dict[str, Metric]]:
    snapshot = draft(WarehouseDescription(name="w", dialect="postgres", tables=tables)).snapshot
    dimensions = {d.name: d for m in snapshot.models for d in m.dimensions}
    return dimensions, {m.name: m for m in snapshot.metrics}


GARDEN = table("garden", column("garden_name", "text"), column("town_name", "text"), column("area", "numeric"))
PARK = table("park", column("park_name", "text"), column("town_name", "text"), column("area", "numeric"))


def test_a_column_that_names_something_is_also_called_after_it() -> None:
    dimensions, _ = drafted(GARDEN, PARK)
    assert set(dimensions["garden_town_name"].synonyms) == {"town name", "town"}


def test_a_thing_with_a_key_keeps_its_word_for_itself() -> None:
    keyed = table("garden", column("id"), column("garden_name", "text"), primary_key=("id",))
    assert "garden" not in drafted(keyed)[0]["garden_name"].synonyms


def test_no_column_takes_the_words_of_another() -> None:
    both = table("garden", column("town", "text"), column("town_name", "text"))
    dimensions, _ = drafted(both)
    assert "town" not in dimensions["town_name"].synonyms
    assert "town name" not in dimensions["town"].synonyms


def test_numbers_are_called_with_and_without_their_thing() -> None:
    _, metrics = drafted(GARDEN, PARK)
    average = metrics["average_garden_area"]
    assert {"average area", "average area of gardens"} <= set(average.synonyms)


def test_a_column_of_counts_is_called_after_what_it_counts() -> None:
    _, metrics = drafted(table("garden", column("garden_name", "text"), column("bench_count", "integer")))
    assert {"benches", "number of benches"} <= set(metrics["total_bench_count"].synonyms)


def test_rows_of_a_thing_without_a_key_are_counted_with_a_word_of_warning() -> None:
    _, metrics = drafted(GARDEN)
    assert metrics["garden_count"].synonyms == ("gardens",)
    assert "declares no key" in metrics["garden_count"].caveats[0]


def test_a_key_needs_no_warning() -> None:
    _, metrics = drafted(table("garden", column("id"), column("name", "text"), primary_key=("id",)))
    assert (metrics["garden_count"].synonyms, metrics["garden_count"].caveats) == ((), ())


@pytest.mark.parametrize(
    "columns",
    [
        (column("garden_id"), column("label_name", "text")),
        (column("id"), column("garden_id"), column("label_name", "text")),
        (column("label_name", "text"), column("count", "integer")),
        (column("label_name", "text"), column("label_count", "integer")),
        (column("tone", "text"), column("mood", "text")),
    ],
)
def test_rows_that_may_be_pairs_or_sums_never_pass_for_things(columns: tuple[object, ...]) -> None:
    _, metrics = drafted(table("label", *columns))  # type: ignore[arg-type]
    counted = next(iter(metrics.values()))
    assert (counted.label, counted.synonyms) == ("Number of label rows", ())


def test_a_table_of_periods_takes_no_word_of_time() -> None:
    _, metrics = drafted(table("month", column("month_name", "text")))
    assert metrics["month_count"].synonyms == ()


def test_a_mark_before_all_names_is_no_part_of_them() -> None:
    dimensions, metrics = drafted(
        table("xy_guest", column("xy_gst_id"), column("xy_gst_town", "text"), column("xy_gst_mood", "text")),
        table("xy_room", column("xy_room_no", "text"), column("xy_room_view", "text"), column("xy_room_kind", "text")),
        table("xy_stay", column("stay_id"), column("nights", "integer"), primary_key=("stay_id",)),
    )
    assert {"town", "mood"} <= set(dimensions)
    assert "room_view" in dimensions
    assert metrics["stay_count"].label == "Number of stays"


@pytest.mark.parametrize(
    ("names", "shared"),
    [
        (("xy_a", "xy_b", "xy_c"), ("xy",)),
        (("xy_a", "xy_b"), ()),
        (("xy", "xy_b", "xy_c"), ()),
        (("xy_1", "xy_b", "xy_c"), ()),
        (("a_b", "c_d", "e_f"), ()),
    ],
)
def test_a_shared_beginning_leaves_each_name_a_word(names: tuple[str, ...], shared: tuple[str, ...]) -> None:
    assert shared_beginning(tuple(tuple(n.split("_")) for n in names)) == shared


def test_what_is_personal_with_its_mark_stays_so_without() -> None:
    columns = (column("cust_name", "text"), column("cust_town", "text"), column("cust_since", "date"))
    dimensions, _ = drafted(table("ledger", *columns))
    assert [d.pii for d in dimensions.values()] == [True, False, False]


def test_moments_as_numbers_never_add_up() -> None:
    _, metrics = drafted(table("reading", column("id"), column("epoch_ms"), primary_key=("id",)))
    assert list(metrics) == ["reading_count"]
