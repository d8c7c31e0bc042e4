"""Holds YAML to a size and a depth before anything is built from it.

A few lines of anchors and aliases stand for more values than any memory holds, and a value that holds itself
has no end ("billion laughs").  The text is read event by event, which costs no more than its length.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import yaml

MOST_VALUES = 500_000
DEEPEST = 100


class YAMLBoundsError(yaml.MarkedYAMLError):
    """A text that stands for too much.  `problem_mark` says where."""


@dataclass(slots=True)
class _Open:
    """A list or an object that is being read: its anchor, how many values it holds, how deep they go."""

    anchor: str | None
    values: int = 1
    height: int = 1


def check_bounds(text: str) -> None:
    """Nothing, where a YAML text stands for a bounded number of values, aliases written out.

    Raises: YAMLBoundsError where it does not, yaml.YAMLError for a text that is no YAML.
    """
    known: dict[str, tuple[int, int]] = {}
    stack = [_Open(None)]
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        mark = event.start_mark
        if isinstance(event, yaml.AliasEvent):
            _add(stack, *known.get(event.anchor or "", (MOST_VALUES, DEEPEST)), mark)
        elif isinstance(event, yaml.ScalarEvent):
            _know(known, event.anchor, 1, 0)
            _add(stack, 1, 0, mark)
        elif isinstance(event, yaml.CollectionStartEvent):
            stack.append(_Open(event.anchor))
        elif isinstance(event, yaml.CollectionEndEvent):
            done = stack.pop()
            _know(known, done.anchor, done.values, done.height)
            _add(stack, done.values, done.height, mark)


def _know(known: dict[str, tuple[int, int]], anchor: str | None, values: int, height: int) -> None:
    if anchor:
        known[anchor] = (values, height)


def _add(stack: list[_Open], values: int, height: int, mark: Any) -> None:
    """Count values into what is being read.  An anchor that is still open (a value in itself) counts as too much."""
    stack[-1].values += values
    stack[-1].height = max(stack[-1].height, height + 1)
    if len(stack) + height > DEEPEST:
        raise YAMLBoundsError(problem="The values lie too deep in one another.", problem_mark=mark)
    if sum(held.values for held in stack) > MOST_VALUES:
        raise YAMLBoundsError(problem="The text stands for too many values.", problem_mark=mark)
