"""How many failed sign-ins are too many.  Pure: the store counts, this decides."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

WINDOW = timedelta(minutes=15)
PER_NAME_AND_ADDRESS = 5
PER_NAME = 20
PER_ADDRESS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempts:
    """Failed and running sign-ins within the window, the present one included."""

    name_and_address: int
    name: int
    address: int


def too_many(attempts: Attempts) -> bool:
    """Whether the present sign-in may not be tried.

    Stops guessing one password, guessing from many addresses, and trying one password on many names.
    """
    return (
        attempts.name_and_address > PER_NAME_AND_ADDRESS or attempts.name > PER_NAME or attempts.address > PER_ADDRESS
    )
