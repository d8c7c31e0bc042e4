"""From the names of tables and columns to words, catalog names and labels.  The same names give the same words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import count

from catalog.labels import with_capital
from catalog.surfaces import plural, singular
from catalog.types import METRIC_TIME

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NO_WORD = re.compile(r"[^A-Za-z0-9]+")
_PREFIXES = ("dim", "fct", "fact", "stg", "tbl")
_SINGULAR = {
    "diagnoses": "diagnosis", "prognoses": "prognosis", "hypotheses": "hypothesis", "theses": "thesis",
    "crises": "crisis", "criteria": "criterion", "phenomena": "phenomenon",
}  # fmt: skip
_KEEP = {"series", "species", "news", "data", "media"}


def words_of(name: str) -> tuple[str, ...]:
    """The lower-case words of a snake-case, camel-case or spaced name; none where it has no Latin letter or digit."""
    folded = unicodedata.normalize("NFKD", name.replace("ß", "ss"))
    parted = _CAMEL.sub(" ", "".join(c for c in folded if not unicodedata.combining(c)))
    return tuple(w.lower() for w in _NO_WORD.split(parted) if w)


def catalog_name(words: Iterable[str], otherwise: str) -> str:
    """The words as a catalog name; `otherwise` where there are none.  A digit never stands first."""
    joined = "_".join(words) or otherwise
    return f"{otherwise}_{joined}" if joined[0].isdigit() or joined == METRIC_TIME else joined


def thing_words(words: tuple[str, ...]) -> tuple[str, ...]:
    """What a row of a table of that name is: its words in the singular, without a prefix such as `dim`."""
    bare = words[1:] if len(words) > 1 and words[0] in _PREFIXES and not words[1].isdigit() else words
    if not bare or bare[-1] in _KEEP:
        return bare
    return (*bare[:-1], _SINGULAR.get(bare[-1]) or singular(bare[-1]) or bare[-1])


def spoken(words: Iterable[str]) -> str:
    """Words with spaces between."""
    return " ".join(words)


def several(words: tuple[str, ...]) -> str:
    """The words of one thing, of several of them."""
    plurals = {one: many for many, one in _SINGULAR.items()}
    return spoken((*words[:-1], plurals.get(words[-1]) or plural(words[-1]) or words[-1])) if words else ""


def label(words: Iterable[str], otherwise: str) -> str:
    """What people read; the name itself where it has no words."""
    return with_capital(spoken(words)) or otherwise


class FreeNames:
    """Hands out names, each once: the first that is free of those tried, then with a number."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)

    def take(self, *tried: str) -> str:
        """The name, which nobody else gets any more."""
        numbered = (f"{tried[-1]}_{n}" for n in count(2))
        found = next((n for n in tried if n not in self._taken), None) or next(
            n for n in numbered if n not in self._taken
        )
        self._taken.add(found)
        return found
