"""Members of dimensions, millions of them, in one run of bytes: found by their normalised words.

Each entry is one text: the words, the dimension's place, and the member where it is written
otherwise.  The texts stand sorted, so that a member costs little more than its letters, and a
look-up touches some twenty of them however many there are.  The bytes may lie in memory or in a
file that is mapped into it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from itertools import islice
from mmap import mmap

from catalog.collector import paused_collector
from catalog.memberpack import Part, once, parts_of, write_packed
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


class _Texts:
    """Sorted texts within a run of bytes."""

    __slots__ = ("ends", "first", "run")

    def __init__(self, run: bytes | mmap, part: Part) -> None:
        self.run, self.first = run, part.start
        self.ends: Sequence[int] = part.ends

    def __len__(self) -> int:
        return len(self.ends)

    def at(self, place: int) -> bytes:
        """The text of a place."""
        return self.run[self.first + (self.ends[place - 1] if place else 0) : self.first + self.ends[place]]

    def place(self, wanted: bytes) -> int:
        """The place of the first text that is not before the wanted one."""
        run, first, ends = self.run, self.first, self.ends
        low, high = 0, len(ends)
        while low < high:
            middle = (low + high) // 2
            if run[first + (ends[middle - 1] if middle else 0) : first + ends[middle]] < wanted:
                low = middle + 1
            else:
                high = middle
        return low


class Members:
    """The members that one scope may name.  Immutable; `longest` is the most words that one has."""

    def __init__(self, packed: bytes | mmap) -> None:
        """Over what `write_packed` wrote.  Raises: ValueError where it did not, or not all of it is there."""
        parts = parts_of(packed)
        self._names = parts.names
        self._texts, self._words = _Texts(packed, parts.texts), _Texts(packed, parts.words)
        self.longest = parts.longest
        self.size_bytes = len(packed)

    def __len__(self) -> int:
        return len(self._texts)

    def lookup(self, surface: str) -> tuple[Found, ...]:
        """The members of a normalised surface, by dimension."""
        return tuple(self._grouped(self._beginning(surface.encode() + _END)))

    def starting(self, beginning: str, limit: int) -> tuple[Found, ...]:
        """Members whose surface begins with the text, in the order of their surfaces, at most `limit`."""
        return tuple(islice(self._grouped(self._beginning(beginning.encode())), limit))

    def has_word(self, word: str) -> bool:
        """Whether the word is part of any member's surface."""
        wanted = word.encode()
        place = self._words.place(wanted)
        return place < len(self._words) and self._words.at(place) == wanted

    def _beginning(self, wanted: bytes) -> Iterator[bytes]:
        texts = self._texts
        for place in range(texts.place(wanted), len(texts)):
            text = texts.at(place)
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
    names = tuple(sorted(members))
    entries = sorted(e for place, name in enumerate(names) for e in entries_of(place, members[name]))
    words: set[bytes] = set()
    longest = 0
    for entry in entries:
        parts = words_of(entry)
        words.update(parts)
        longest = max(longest, len(parts))
    out = BytesIO()
    write_packed(out, names=names, entries=once(entries), words=lambda: (sorted(words), longest))
    return Members(out.getvalue())


def entries_of(place: int, members: Iterable[str]) -> Iterator[bytes]:
    """The entries of members of the dimension at that place of the names, in their order, without those of no words."""
    where = _END + place.to_bytes(_PLACE_BYTES, "big")
    for member in members:
        surface = normalise_surface(member)
        if surface and "\0" not in member:
            yield surface.encode() + where + _written(member, surface)


def words_of(entry: bytes) -> list[bytes]:
    """The words of an entry's surface, in order."""
    return entry[: entry.index(_END)].split(b" ")


def place_of(entry: bytes) -> int:
    """The place of an entry's dimension."""
    after = entry.index(_END) + 1
    return int.from_bytes(entry[after : after + _PLACE_BYTES], "big")


def _written(member: str, surface: str) -> bytes:
    """How the member is written: by rule, or letter by letter."""
    for rule, write in _WRITTEN.items():
        if write(surface) == member:
            return bytes((rule,))
    return bytes((_OTHERWISE,)) + member.encode()
