"""Members in plain arrays: found under their normalised words, as written, by dimension, and nothing else."""

from __future__ import annotations

import io
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.memberpack import Sorter
from catalog.members import Members, gathered
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


@given(st.lists(st.binary(max_size=6), max_size=60), st.integers(min_value=1, max_value=9))
def test_texts_beyond_memory_come_sorted_and_once(texts: list[bytes], most: int) -> None:
    sorter = Sorter(io.BytesIO(), most=most)
    sorter.add(texts)
    assert list(sorter.in_order()) == sorted(set(texts))


def test_runs_longer_than_what_is_read_at_a_time_stay_in_order() -> None:
    texts = [f"{n * 7919 % 30_011:05}".encode() for n in range(30_011)]
    sorter = Sorter(io.BytesIO(), most=20_000)
    sorter.add(texts)
    assert list(sorter.in_order()) == sorted(texts)


@pytest.mark.parametrize("broken", [b"", b"x" * 40, "whole[:-1]", "whole[200:]"])
def test_bytes_that_are_not_whole_are_refused(broken: bytes | str) -> None:
    packed = gathered({"city": [f"Member Number {n}" for n in range(50)]})._texts.run
    cut = {"whole[:-1]": packed[:-1], "whole[200:]": packed[200:]}.get(str(broken), broken)
    with pytest.raises(ValueError, match=r"bytes of members|missing"):
        Members(cut)  # type: ignore[arg-type]


def test_a_word_of_a_hidden_member_is_looked_up_as_often_as_one_of_no_member() -> None:
    """The structure behind equal times: a place among sorted texts is found by the same halving."""
    held = gathered({"city": [f"member {n:05}" for n in range(0, 4_000, 2)]})
    looked: list[int] = []

    class Counting:
        def __init__(self, ends: object) -> None:
            self.ends = ends

        def __len__(self) -> int:
            return len(self.ends)  # type: ignore[arg-type]

        def __getitem__(self, place: int) -> int:
            looked.append(place)
            return self.ends[place]  # type: ignore[index, no-any-return]

    held._texts.ends = Counting(held._texts.ends)  # type: ignore[assignment]
    counts = set()
    for number in islice(range(1, 4_000, 2), 0, None, 37):
        looked.clear()
        assert held.lookup(f"member {number:05}") == ()
        counts.add(len(looked))
    assert max(counts) - min(counts) <= 2
