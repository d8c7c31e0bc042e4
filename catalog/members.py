"""Members of dimensions, millions of them, in a few plain arrays: found by their normalised words.

Each entry is one text: the words, the dimension's place, and the member where it is written
otherwise.  The texts stand sorted in one run of bytes, so that a member costs little more than
its letters, and a look-up touches some twenty of them however many there are.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice

from catalog.collector import paused_collector
from catalog.surfaces import normalise_surface

_END = b"\0"
_PLACE_BYTES = 3
_AS_IT_IS, _TITLE, _UPPER, _FIRST, _OTHERWISE = range(5)
_WRITTEN: dict[int, Callable[[str], str]] = {
    _AS_IT_IS: str,
    _TITLE: str.title,
    _UPPER: str.upper,
    _FIRST: str.capitalize,
}

Found = tuple[str, str, tuple[str, ...]]
"""A surface, a dimension's public name, and the members as stored, in the order of their letters."""


class Members:
    """The members that one scope may name.  Immutable; `longest` is the most words that one has."""

    def __init__(self, names: tuple[str, ...], entries: list[bytes], words: list[bytes], longest: int) -> None:
        self._names = names
        self._texts, self._ends = _joined(entries)
        self._words, self._word_ends = _joined(words)
        self.longest = longest

    def __len__(self) -> int:
        return len(self._ends)

    @property
    def size_bytes(self) -> int:
        """What the arrays hold."""
        arrays = (self._ends, self._word_ends)
        return len(self._texts) + len(self._words) + sum(a.itemsize * len(a) for a in arrays)

    def lookup(self, surface: str) -> tuple[Found, ...]:
        """The members of a normalised surface, by dimension."""
        return tuple(self._grouped(self._beginning(surface.encode() + _END)))

    def starting(self, beginning: str, limit: int) -> tuple[Found, ...]:
        """Members whose surface begins with the text, in the order of their surfaces, at most `limit`."""
        return tuple(islice(self._grouped(self._beginning(beginning.encode())), limit))

    def has_word(self, word: str) -> bool:
        """Whether the word is part of any member's surface."""
        wanted = word.encode()
        place = _place(self._words, self._word_ends, wanted)
        return place < len(self._word_ends) and _text(self._words, self._word_ends, place) == wanted

    def _beginning(self, wanted: bytes) -> Iterator[bytes]:
        for place in range(_place(self._texts, self._ends, wanted), len(self._ends)):
            text = _text(self._texts, self._ends, place)
            if not text.startswith(wanted):
                return
            yield text

    def _grouped(self, texts: Iterable[bytes]) -> Iterator[Found]:
        """Entries of one surface and dimension, which stand together, as one."""
        held: tuple[str, str] | None = None
        members: list[str] = []
        for text in texts:
            surface, name, member = self._read(text)
            if held is not None and held != (surface, name):
                yield (*held, tuple(sorted(members)))
                members = []
            held = (surface, name)
            members.append(member)
        if held is not None:
            yield (*held, tuple(sorted(members)))

    def _read(self, text: bytes) -> tuple[str, str, str]:
        end = text.index(_END)
        surface, after = text[:end].decode(), end + 1 + _PLACE_BYTES
        name = self._names[int.from_bytes(text[end + 1 : after], "big")]
        written = text[after]
        member = text[after + 1 :].decode() if written == _OTHERWISE else _WRITTEN[written](surface)
        return surface, name, member


@paused_collector()
def gathered(members: Mapping[str, Iterable[str]]) -> Members:
    """The members by their dimensions' public names, each once; a member without words is left out."""
    entries: list[bytes] = []
    words: set[str] = set()
    longest = 0
    names = tuple(sorted(members))
    for place, name in enumerate(names):
        where = _END + place.to_bytes(_PLACE_BYTES, "big")
        for member in members[name]:
            surface = normalise_surface(member)
            if not surface or "\0" in member:
                continue
            entries.append(surface.encode() + where + _written(member, surface))
            parts = surface.split(" ")
            words.update(parts)
            longest = max(longest, len(parts))
    entries.sort()
    return Members(names, _once(entries), sorted(w.encode() for w in words), longest)


def _written(member: str, surface: str) -> bytes:
    """How the member is written: by rule, or letter by letter."""
    for rule, write in _WRITTEN.items():
        if write(surface) == member:
            return bytes((rule,))
    return bytes((_OTHERWISE,)) + member.encode()


def _once(entries: list[bytes]) -> list[bytes]:
    """Sorted entries without repetitions."""
    return [e for before, e in zip([b"", *entries], entries, strict=False) if e != before]


def _joined(texts: list[bytes]) -> tuple[bytes, array[int]]:
    ends, end = array("Q"), 0
    for text in texts:
        end += len(text)
        ends.append(end)
    return b"".join(texts), ends


def _text(texts: bytes, ends: array[int], place: int) -> bytes:
    return texts[ends[place - 1] if place else 0 : ends[place]]


def _place(texts: bytes, ends: array[int], wanted: bytes) -> int:
    """The place of the first text that is not before the wanted one."""
    low, high = 0, len(ends)
    while low < high:
        middle = (low + high) // 2
        if texts[ends[middle - 1] if middle else 0 : ends[middle]] < wanted:
            low = middle + 1
        else:
            high = middle
    return low
