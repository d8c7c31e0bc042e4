"""Words in their normal form, and the forms that a catalog word takes in a sentence."""

from __future__ import annotations

import re
import unicodedata

_SEPARATORS = re.compile(r"[\s_\-‐-―]+")
_IRREGULAR = {
    "person": "people",
    "child": "children",
    "man": "men",
    "woman": "women",
    "analysis": "analyses",
    "basis": "bases",
    "index": "indices",
    "half": "halves",
    "shelf": "shelves",
    "status": "statuses",
}
_SINGULAR = {plural: singular for singular, plural in _IRREGULAR.items()}
_UNCOUNTED = {"revenue", "sales", "stock", "inventory", "series", "news", "gross", "net"}


def normalise_surface(text: str) -> str:
    """Lower case, compatibility forms and accents folded, hyphens and underscores as single spaces."""
    if text.isascii():
        return _SEPARATORS.sub(" ", text.lower()).strip()
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    bare = "".join(c for c in unicodedata.normalize("NFD", folded) if not unicodedata.combining(c))
    return _SEPARATORS.sub(" ", unicodedata.normalize("NFC", bare)).strip()


_ROLLS = (("trailing", "rolling"), ("rolling", "trailing"))


def inflections(surface: str) -> frozenset[str]:
    """The plural, singular and possessive forms of a normalised surface, without itself.

    What is trailing is rolling as well ("trailing 28 day net revenue").
    """
    words = surface.split()
    rolled = {" ".join(b if w == a else w for w in words) for a, b in _ROLLS if a in words and len(words) > 1}
    return _inflected(surface) | {f for r in rolled for f in (r, *_inflected(r))}


def _inflected(surface: str) -> frozenset[str]:
    head, _, last = surface.rpartition(" ")
    before = f"{head} " if head else ""
    if not last.isalpha() or len(last) < 3:
        return frozenset()
    forms = {f for f in (plural(last), singular(last)) if f}
    owned = {f + ("'" if f.endswith("s") else "'s") for f in {last, *forms}}
    return frozenset(before + f for f in forms | owned) - {surface}


def plural(word: str) -> str | None:
    """The plural of a word, or None where it has none or is one already."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word in _UNCOUNTED or word in _SINGULAR or (word.endswith("s") and not word.endswith(("ss", "us", "is"))):
        return None
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    return word + "s"


def singular(word: str) -> str | None:
    """The singular of a word, or None where it is one already."""
    if word in _SINGULAR:
        return _SINGULAR[word]
    if word in _UNCOUNTED or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return None
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses", "zes")):
        return word[:-2]
    return word[:-1]
