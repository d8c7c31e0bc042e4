"""Ways to cover the whole question with phrases, each token once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise

from dataagent.intent.chart import Edge
from dataagent.intent.types import BoundTo

HEAD = "H"
MAX_PATHS = 600
ANY_PHASE = -1
QUESTION = {"L": 0, "P": 1, HEAD: 1, "Z": 2, "S": ANY_PHASE}
"""Categories of a question and where they may stand: leads, body, tails; separators anywhere."""
EDIT = {"L": 0, "XL": 0, "P": 1, "X": 1, "Z": 2, "XZ": 2, "S": ANY_PHASE, "XS": ANY_PHASE}
"""Categories of a follow-up: it has no head of its own."""

Path = tuple[Edge, ...]


def by_start(edges: Iterable[Edge], places: dict[str, int]) -> dict[int, list[Edge]]:
    """Top-level phrases by first token, the longest first."""
    found: dict[int, list[Edge]] = defaultdict(list)
    for edge in edges:
        if edge.cat in places:
            found[edge.start].append(edge)
    for starting in found.values():
        starting.sort(key=lambda e: (-e.end, e.cat))
    return found


def complete_paths(
    edges: Iterable[Edge], length: int, places: dict[str, int] = QUESTION
) -> tuple[tuple[Path, ...], bool]:
    """All sequences of phrases from the first token to the last, and whether none was left out.

    Leads stand before, tails after everything else; at most one phrase is a head.  What can be
    read as one period is never read as two: "before March 2025" is not "before March", and 2025.
    """
    edges = tuple(edges)
    periods = frozenset((e.start, e.end) for e in edges if e.cat == "T")
    starting = by_start(edges, places)
    alive = _reaching_end(starting, length)
    paths: list[Path] = []
    for path in _walk((0, 0), (), places=places, starting=starting, alive=alive, length=length):
        if _splits(path, periods):
            continue
        paths.append(path)
        if len(paths) >= MAX_PATHS:
            return tuple(paths), False
    return tuple(paths), True


def _splits(path: Path, periods: frozenset[tuple[int, int]]) -> bool:
    """Whether two periods of the sequence stand side by side in words that are one period together."""
    times = sorted((m.start, m.end) for e in path for m in e.marks if m.kind is BoundTo.TIME)
    return any(first[1] == second[0] and (first[0], second[1]) in periods for first, second in pairwise(times))


def _reaching_end(starting: dict[int, list[Edge]], length: int) -> frozenset[int]:
    alive = {length}
    for position in range(length - 1, -1, -1):
        if any(edge.end in alive for edge in starting.get(position, ())):
            alive.add(position)
    return frozenset(alive)


def _walk(
    place: tuple[int, int],
    path: Path,
    *,
    places: dict[str, int],
    starting: dict[int, list[Edge]],
    alive: frozenset[int],
    length: int,
) -> Iterator[Path]:
    position, phase = place
    if position == length:
        yield path
        return
    for edge in starting.get(position, ()):
        moved = phase if places[edge.cat] == ANY_PHASE else places[edge.cat]
        second = edge.cat == HEAD and any(e.cat == HEAD for e in path)
        if edge.end in alive and moved >= phase and not second:
            yield from _walk(
                (edge.end, moved), (*path, edge), places=places, starting=starting, alive=alive, length=length
            )


def best_partial(edges: Iterable[Edge], length: int) -> tuple[Path, tuple[int, ...]]:
    """The sequence that leaves the fewest tokens out, and those tokens."""
    starting = by_start(edges, QUESTION)
    best: list[tuple[int, int, Path, tuple[int, ...]]] = [(0, 0, (), ())] * (length + 1)
    for position in range(length - 1, -1, -1):
        missed, count, path, left = best[position + 1]
        options = [(missed + 1, count, path, (position, *left))]
        for edge in starting.get(position, ()):
            missed, count, path, left = best[edge.end]
            options.append((missed, count + 1, (edge, *path), left))
        best[position] = min(options, key=lambda o: (o[0], o[1]))
    return best[0][2], best[0][3]
