"""How members lie in bytes: sorted texts, where each ends, the words of all, and at the end what they are.

Written from the first byte to the last, so that it never has to be in memory as a whole; read by
looking at its last bytes.
"""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import merge
from itertools import islice, pairwise
from mmap import mmap
from typing import BinaryIO

_MARK = b"members1"
_LENGTH_BYTES = 8
_TOGETHER = 8_192
"""Texts that are written or read at a time."""
_END_BYTES = 8


@dataclass(frozen=True, slots=True)
class Part:
    """Sorted texts: where their run begins, and where each ends, counted from there."""

    start: int
    ends: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What packed bytes hold: the dimensions' names, the most words of a member, its texts and their words."""

    names: tuple[str, ...]
    longest: int
    texts: Part
    words: Part


def write_packed(
    out: BinaryIO,
    *,
    names: tuple[str, ...],
    entries: Iterable[bytes],
    words: Callable[[], tuple[Iterable[bytes], int]],
) -> int:
    """How many entries were written.  They are sorted, each once; `words` (sorted too, with the most that
    one entry has) are asked for when the last entry was taken.
    """
    texts = _write_texts(out, entries, at=0)
    known, longest = words()
    spoken = _write_texts(out, known, at=texts["end"])
    told = {"names": names, "longest": longest, "texts": texts, "words": spoken, "order": sys.byteorder}
    foot = json.dumps(told).encode()
    out.write(foot + len(foot).to_bytes(_LENGTH_BYTES, "big") + _MARK)
    return texts["count"]


def parts_of(packed: bytes | mmap) -> Parts:
    """The parts of packed bytes.  Raises: ValueError where they are not whole, or of another kind of machine."""
    after = len(packed) - len(_MARK) - _LENGTH_BYTES
    if after < 0 or packed[-len(_MARK) :] != _MARK:
        raise ValueError("These are not the bytes of members.")
    length = int.from_bytes(packed[after : after + _LENGTH_BYTES], "big")
    told = json.loads(packed[max(0, after - length) : after])
    if told["order"] != sys.byteorder:
        raise ValueError("These members were packed by another kind of machine.")
    if told["words"]["end"] != after - length:
        raise ValueError("Some of the members are missing.")
    texts, words = (_part(packed, told[name]) for name in ("texts", "words"))
    return Parts(names=tuple(told["names"]), longest=told["longest"], texts=texts, words=words)


def _part(packed: bytes | mmap, told: dict[str, int]) -> Part:
    ends = memoryview(packed)[told["ends"] : told["ends"] + told["count"] * _END_BYTES]
    return Part(start=told["start"], ends=ends.cast("Q"))


def _write_texts(out: BinaryIO, texts: Iterable[bytes], *, at: int) -> dict[str, int]:
    """Texts and then their ends, which begin at a multiple of eight; `at` is where the file stands."""
    ends, end = array("Q"), 0
    for together in _batches(texts):
        for text in together:
            end += len(text)
            ends.append(end)
        out.write(b"".join(together))
    gap = -(at + end) % _END_BYTES
    out.write(b"\0" * gap)
    out.write(ends)
    ends_at = at + end + gap
    return {"start": at, "ends": ends_at, "count": len(ends), "end": ends_at + len(ends) * _END_BYTES}


def _batches(texts: Iterable[bytes]) -> Iterator[list[bytes]]:
    rest = iter(texts)
    while together := list(islice(rest, _TOGETHER)):
        yield together


def once(texts: Iterable[bytes]) -> Iterator[bytes]:
    """Sorted texts without repetitions."""
    before = None
    for text in texts:
        if text != before:
            yield text
            before = text


class Sorter:
    """Texts in order, each once, that never have to be in memory together: sorted runs in a file, merged.

    `file` is empty and belongs to it; `most` texts are in memory before a run is written.
    """

    def __init__(self, file: BinaryIO, *, most: int) -> None:
        self._file, self._most = file, most
        self._held: set[bytes] = set()
        self._runs: list[list[tuple[int, int, int]]] = []

    def add(self, texts: Iterable[bytes]) -> None:
        """Takes texts in."""
        held = self._held
        for text in texts:
            held.add(text)
            if len(held) >= self._most:
                self._put_down()

    def in_order(self) -> Iterator[bytes]:
        """All texts, sorted, each once.  Nothing is added after that."""
        self._put_down()
        yield from once(merge(*map(self._read, self._runs)))

    def _put_down(self) -> None:
        run: list[tuple[int, int, int]] = []
        for together in _batches(sorted(self._held)):
            lengths = array("Q", map(len, together))
            start = self._file.seek(0, 2)
            self._file.write(lengths)
            self._file.write(b"".join(together))
            run.append((start, len(lengths), sum(lengths)))
        self._held.clear()
        if run:
            self._runs.append(run)

    def _read(self, run: list[tuple[int, int, int]]) -> Iterator[bytes]:
        for start, count, size_bytes in run:
            self._file.seek(start)
            lengths = array("Q", self._file.read(count * _END_BYTES))
            texts = self._file.read(size_bytes)
            end, ends = 0, [0]
            for length in lengths:
                end += length
                ends.append(end)
            yield from [texts[a:b] for a, b in pairwise(ends)]
