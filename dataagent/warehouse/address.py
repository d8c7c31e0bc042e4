"""What an address of a warehouse may say, and where it may lead.

An address is a word of somebody who may not reach what this machine reaches.  What libpq would take from a
URL beyond a name, a password and a place (files, services, start options, other hosts) is refused by name,
and so are places that only this machine should talk to.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

LOOK = "A warehouse's address must look like postgresql://user:password@host:5432/name."
PORT = 5432
TAKEN = frozenset({"channel_binding", "gssencmode", "sslmode", "sslnegotiation", "sslrootcert", "target_session_attrs"})
"""Parameters of libpq that only make a connection safer or choose among its servers."""
METADATA = frozenset(map(ipaddress.ip_address, ("100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254")))
"""Where clouds tell a machine its secrets, beside the link-local addresses."""
NAT64 = ipaddress.ip_network("64:ff9b::/96")
IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


class AddressError(ValueError):
    """An address that is none or says too much.  Its words never repeat a password."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where a warehouse is and as whom it is read.  Its text never holds the password."""

    user: str
    password: str = field(repr=False)
    host: str
    port: int
    database: str
    parameters: tuple[tuple[str, str], ...]

    @property
    def shown(self) -> str:
        """The place in words, without the login."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"postgresql://{host}:{self.port}/{self.database}"


def target_of(url: str) -> Target:
    """The target that a URL names.  Raises: AddressError."""
    if any(ord(c) < 33 or ord(c) == 127 for c in url):
        raise AddressError(LOOK)
    try:
        parts = urlsplit(url)
        given = parse_qsl(parts.query, strict_parsing=bool(parts.query))
        port = parts.port or PORT
    except ValueError:
        raise AddressError(LOOK) from None
    found = Target(
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        host=unquote(parts.hostname or ""),
        port=port,
        database=unquote(parts.path.removeprefix("/")),
        parameters=tuple(given),
    )
    _check(found, parts)
    return found


def _check(found: Target, parts: SplitResult) -> None:
    """Raises: AddressError."""
    if parts.scheme not in {"postgres", "postgresql"} or parts.fragment or not found.database:
        raise AddressError(LOOK)
    if any("\0" in text for text in (found.user, found.password, found.host, found.database)):
        raise AddressError(LOOK)
    # libpq takes a slash or an at sign for a socket in the file system, a comma for a list of hosts.
    if not found.host or any(c in found.host for c in "/\\@,%") or "=" in found.database or "://" in found.database:
        raise AddressError(f"{LOOK} Name one host; sockets and lists of hosts are not taken.")
    names = [name for name, _ in found.parameters]
    if unknown := next((n for n in names if n not in TAKEN or names.count(n) > 1), None):
        raise AddressError(
            f"The parameter “{unknown[:40]}” of a warehouse's address is not taken, or stands there twice. "
            f"Taken are: {', '.join(sorted(TAKEN))}."
        )


def refused(addresses: Iterable[str]) -> str:
    """The first address that no warehouse is read from; empty where all may be."""
    return next((text for text in addresses if not _may_be_read(text)), "")


def _may_be_read(text: str) -> bool:
    try:
        found = _plain(ipaddress.ip_address(text.partition("%")[0]))
    except ValueError:
        return False
    return not (
        found in METADATA or found.is_link_local or found.is_multicast or found.is_unspecified or _broadcast(found)
    )


def _broadcast(found: IPAddress) -> bool:
    return isinstance(found, ipaddress.IPv4Address) and found.is_reserved


def _plain(found: IPAddress) -> IPAddress:
    """The IPv4 address that an IPv6 one stands for, where it does."""
    if isinstance(found, ipaddress.IPv4Address):
        return found
    if found in NAT64:
        return ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
    return found.ipv4_mapped or found.sixtofour or found
