"""Whether a word is English: such a word is never taken for a typo."""

from __future__ import annotations

from functools import cache
from gzip import decompress
from pathlib import Path

_SOURCE = Path(__file__).with_name("english.txt.gz")
"""NOTICE at the top says whose list it is."""


@cache
def _words() -> frozenset[str]:
    return frozenset(decompress(_SOURCE.read_bytes()).decode("ascii").split())


def is_english(word: str) -> bool:
    """Whether the lower-case word is in the list of common English words."""
    return word in _words()
