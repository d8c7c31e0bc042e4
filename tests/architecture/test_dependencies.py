"""What is installed is pinned by its hash, may be passed on, and is no version that is known to be weak.

All of it works without the internet.  Whether a version was withdrawn, and advisories newer than the list
beside this file, cannot be known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.architecture.sources import ROOT
from tests.architecture.test_docs import licence_of

LOCKS = ("base", "dev", "bench")
PIN = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)")
HASH = re.compile(r"^    --hash=sha256:[0-9a-f]{64}( \\)?$")
FREE = re.compile(
    r"\b(MIT|BSD|ISC|Apache|PSF|Python Software Foundation|0BSD|Zlib|CC0|Unlicense|MPL|Mozilla|ZPL|LGPL|HPND)", re.I
)
OF_TOOLS = {"djlint"}
"""Packages of the tests alone that the product could not be passed on with."""
KNOWN_BAD = Path(__file__).with_name("known_bad.txt")


def pins(lock: str) -> Iterator[tuple[str, str]]:
    """Name and version of each package of a lock."""
    for line in (ROOT / "requirements" / f"{lock}.lock").read_text(encoding="utf-8").splitlines():
        if found := PIN.match(line):
            yield found[1].lower(), found[2]


def known_bad() -> tuple[Requirement, ...]:
    lines = KNOWN_BAD.read_text(encoding="utf-8").splitlines()
    return tuple(Requirement(line.split()[0]) for line in lines if line and not line.startswith("#"))


def weak(found: Iterator[tuple[str, str]], bad: tuple[Requirement, ...]) -> list[str]:
    return [f"{name}=={version}" for name, version in found for r in bad if r.name == name and version in r.specifier]


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_is_pinned_by_hash_and_none_names_where_it_comes_from(lock: str) -> None:
    text = (ROOT / "requirements" / f"{lock}.lock").read_text(encoding="utf-8")
    blocks = re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE)[1:]
    assert len(blocks) > 10
    unpinned = [b.split()[0] for b in blocks if not PIN.match(b) or not any(map(HASH.match, b.splitlines()))]
    assert unpinned == []
    assert re.findall(r"https?:|--(?:extra-)?index-url|--find-links|--trusted-host| @ |^-e ", text, re.MULTILINE) == []


@pytest.mark.parametrize("lock", ["base", "dev"])
def test_every_licence_lets_the_product_be_passed_on_under_its_own(lock: str) -> None:
    odd = set()
    for name, _ in pins(lock):
        try:
            said = licence_of(name)
        except PackageNotFoundError:
            continue  # for another system or another Python
        plain = re.sub(r"\bLGPL\S*|Lesser General Public", "LGPL", said)
        if not FREE.search(plain) or re.search(r"\bA?GPL", plain):
            odd.add(name)
    assert odd == (OF_TOOLS if lock == "dev" else set())


@pytest.mark.parametrize("lock", LOCKS)
def test_no_version_is_known_to_be_weak(lock: str) -> None:
    assert weak(pins(lock), known_bad()) == []


def test_a_weak_version_would_be_noticed() -> None:
    assert weak(iter([("urllib3", "2.5.0"), ("urllib3", "2.6.0")]), known_bad()) == ["urllib3==2.5.0"]


def test_the_list_of_weak_versions_says_its_day() -> None:
    day = re.search(r"Written (\d{4}-\d\d-\d\d)", KNOWN_BAD.read_text(encoding="utf-8"))
    assert day is not None
    assert date.fromisoformat(day[1]) >= date(2026, 12, 1)
