"""What is said of the keys that joins rely on."""

from __future__ import annotations

from dataagent.answering.keyed import keys_tell_apart
from dataagent.answering.types import CheckOutcome, KeyState

STORES = KeyState(table="shop.stores", columns=("store_id",), repeated=0)


def test_without_joins_there_is_nothing_to_say() -> None:
    assert keys_tell_apart(()) == ()


def test_keys_that_hold_pass() -> None:
    assert [c.outcome for c in keys_tell_apart((STORES,))] == [CheckOutcome.PASSED]


def test_one_key_that_repeats_fails_whatever_the_others_do() -> None:
    broken = KeyState(table="shop.plans", columns=("code", "year"), repeated=3)
    (check,) = keys_tell_apart((STORES, broken))
    assert check.outcome is CheckOutcome.FAILED
    assert check.detail.startswith("code with year of shop.plans is declared as a key")


def test_a_key_that_could_not_be_looked_at_is_told() -> None:
    unknown = KeyState(table="shop.plans", columns=("code",), repeated=None)
    (check,) = keys_tell_apart((STORES, unknown))
    assert check.outcome is CheckOutcome.WARNED
    assert "could not be checked in time" in check.detail
