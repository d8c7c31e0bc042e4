"""Members in plain arrays: found under their normalised words, as written, by dimension, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.members import gathered
from catalog.surfaces import normalise_surface

TEXTS = st.text(alphabet=st.characters(exclude_categories=("Cs",)), max_size=12)


@given(st.dictionaries(st.sampled_from(("city", "brand", "a__b")), st.lists(TEXTS, max_size=8)))
def test_every_member_is_found_as_it_is_written(given_members: dict[str, list[str]]) -> None:
    held = gathered(given_members)
    expected: dict[tuple[str, str], set[str]] = {}
    for name, texts in given_members.items():
        for text in texts:
            if normalise_surface(text) and "\0" not in text:
                expected.setdefault((normalise_surface(text), name), set()).add(text)
    surfaces = {surface for surface, _ in expected}
    found = {(s, name): set(stored) for surface in surfaces for s, name, stored in held.lookup(surface)}
    assert found == expected
    assert {(s, name) for s, name, _ in held.starting("", 1_000)} == set(expected)


def test_a_beginning_or_a_part_of_a_member_is_not_the_member() -> None:
    held = gathered({"city": ("New York", "York")})
    assert held.lookup("new") == ()
    assert held.lookup("york") == (("york", "city", ("York",)),)
    assert held.has_word("new")
    assert not held.has_word("ne")


def test_beginnings_come_in_order_and_no_more_than_wanted() -> None:
    held = gathered({"city": ("Nice", "New York", "Newark", "Oslo"), "brand": ("NEW LOOK",)})
    assert [(s, n, m) for s, n, m in held.starting("new", 2)] == [
        ("new look", "brand", ("NEW LOOK",)),
        ("new york", "city", ("New York",)),
    ]
    assert held.longest == 2


@pytest.mark.parametrize("member", ["", "  ", "-", "with\0nothing"])
def test_what_has_no_words_is_left_out(member: str) -> None:
    assert len(gathered({"city": (member,)})) == 0


def test_a_member_costs_little_more_than_its_letters() -> None:
    held = gathered({"city": [f"Member Number {n:06}" for n in range(20_000)]})
    assert held.size_bytes / len(held) < 50
