"""YAML → plain values together with the line that each value was written on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

from catalog.importers.yaml_bounds import check_bounds

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The safe loader in C where the library has it: ten times as fast."""

Path = tuple[str | int, ...]
Lines = Mapping[Path, int]


def load_lined(text: str) -> tuple[Any, Lines]:
    """The value of a YAML text and the 1-based line of every value by its path of keys and positions.

    Raises: yaml.YAMLError for a text that is no YAML, or stands for more than can be held.
    """
    check_bounds(text)
    loader = _LOADER(text)
    try:
        root = loader.get_single_node()
        if root is None:
            return None, {}
        lines: dict[Path, int] = {}
        _note(root, (), lines)
        return loader.construct_document(root), lines
    finally:
        loader.dispose()


def _note(node: yaml.Node, path: Path, lines: dict[Path, int]) -> None:
    lines[path] = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        for key, item in node.value:
            _note(item, (*path, str(key.value)), lines)
            lines[*path, str(key.value)] = key.start_mark.line + 1
    elif isinstance(node, yaml.SequenceNode):
        for i, item in enumerate(node.value):
            _note(item, (*path, i), lines)
