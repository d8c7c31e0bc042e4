"""How many failed sign-ins are too many.  Pure: the store counts, this decides."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from datetime import timedelta

WINDOW = timedelta(minutes=15)
PER_NAME_AND_ADDRESS = 5
PER_NAME = 20
PER_ADDRESS = 50
SUBSCRIBER_BITS = 64
LONGEST = 45


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempts:
    """Failed and running sign-ins within the window, the present one included."""

    name_and_address: int
    name: int
    address: int


def too_many(attempts: Attempts, *, known: bool = False) -> bool:
    """Whether the present sign-in may not be tried.

    Stops guessing one password, guessing from many addresses, and trying one password on many names.
    A browser in which that name has signed in before is `known` and counted by itself, as if it were an
    address: strangers who guess, from anywhere or from the same address, do not lock its owner out.
    """
    if attempts.name_and_address > PER_NAME_AND_ADDRESS:
        return True
    return not known and (attempts.name > PER_NAME or attempts.address > PER_ADDRESS)


def place_of(address: str) -> str:
    """What is counted as one address: of IPv6 the network that one subscriber is given, who else had 2^64 tries."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:LONGEST]
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, SUBSCRIBER_BITS), strict=False))
