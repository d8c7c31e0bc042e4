"""The closed list of English phrases that the grammar knows, by grammatical role.

The phrases stand in `lexicon.txt`; nothing there belongs to a catalog.
`IGNORABLE` roles write no part of a plan and are accepted only in the positions
where the grammar names them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from dataagent.intent.normalise import tokens_of

IGNORABLE = frozenset(
    {"GREET", "LEAD", "TAIL", "DET", "LIGHT", "STOP", "ONES", "SELF", "COMMA", "PLACED", "WERE", "CAMPAIGN"}
)

_SOURCE = Path(__file__).with_name("lexicon.txt")


def _read(text: str) -> Iterator[tuple[str, str]]:
    kept = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    for entry in "\n".join(kept).replace("\n ", " ").splitlines():
        role, _, body = entry.partition(": ")
        for phrase in body.split(" | "):
            if phrase.strip(" |"):
                yield role.strip(), phrase.strip(" |")


def _phrases() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Every (role, words) pair, words as the tokeniser makes them."""
    pairs = _read(_SOURCE.read_text(encoding="utf-8"))
    return tuple((role, tuple(token.norm for token in tokens_of(phrase))) for role, phrase in pairs)


_PAIRS = _phrases()


def word_set(role: str) -> frozenset[str]:
    """The single words listed under a role whose name begins with an underscore."""
    return frozenset(words[0] for listed, words in _PAIRS if listed == role)


def _by_first() -> dict[str, tuple[tuple[str, tuple[str, ...]], ...]]:
    grouped: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for role, words in _PAIRS:
        if role.startswith("_"):
            continue
        grouped.setdefault(words[0], []).append((role, words))
    return {first: tuple(entries) for first, entries in grouped.items()}


BY_FIRST = _by_first()
"""First word → (role, words) pairs."""

GRAMMAR_WORDS = frozenset(word for _, words in _PAIRS for word in words)
"""Every single word that the grammar itself uses; never a typo."""
