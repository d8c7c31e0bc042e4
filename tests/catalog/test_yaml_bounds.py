"""A few lines of YAML cannot stand for more than any machine holds, wherever a file is read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from catalog.importers.formats import load_any
from catalog.importers.yaml_bounds import DEEPEST, YAMLBoundsError, check_bounds
from catalog.issues import CatalogError
from contextcards.extract.lined_yaml import load_lined
from contextcards.papers import document_of
from contextcards.types import CardError
from dataagent.policy.document import PolicyError, parse_policy

LAUGHS = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)
)
MERGES = "a0: &a0 {k: x}\n" + "".join(f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}\n" for n in range(1, 9))
CHAIN = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 2000))
BOMBS = {
    "laughs": LAUGHS,
    "merges": MERGES,
    "chain": CHAIN,
    "in itself": "a: &a [*a]\n",
    "through itself": "a: &a {b: [x, {c: *a}]}\n",
    "deep list": "a: " + "[" * 50_000,
    "deep object": "".join(f"{' ' * n}a:\n" for n in range(DEEPEST + 5)),
}
READERS: dict[str, tuple[Callable[[str, Path], object], type[Exception]]] = {
    "a policy": (lambda text, _: parse_policy(f'version: "1"\n{text}', file="policy.yaml"), PolicyError),
    "a dbt file": (lambda text, _: load_lined(text), yaml.YAMLError),
    "a document": (lambda text, _: document_of("x.md", f"---\n{text}\n---\nbody"), CardError),
    "a catalog": (lambda text, path: load_any(_written(path, text)), CatalogError),
}


def _written(path: Path, text: str) -> Path:
    file = path / "catalog.yaml"
    file.write_text(f"catalog: {{name: shop}}\n{text}", encoding="utf-8")
    return file


@pytest.mark.parametrize("bomb", BOMBS)
@pytest.mark.parametrize("reader", READERS)
def test_a_bomb_is_refused_by_every_reader_as_a_file_that_cannot_be_used(
    reader: str, bomb: str, tmp_path: Path
) -> None:
    read, refusal = READERS[reader]
    with pytest.raises(refusal) as told:
        read(BOMBS[bomb], tmp_path)
    assert not isinstance(told.value, RecursionError | MemoryError)


def test_the_place_of_a_bomb_is_told() -> None:
    with pytest.raises(YAMLBoundsError) as told:
        check_bounds(LAUGHS)
    assert told.value.problem_mark is not None
    assert told.value.problem_mark.line < 8


@pytest.mark.parametrize("text", ["", "a: 1", "- &x {a: 1}\n- *x\n- <<: *x\n  b: 2", "a: " + "[" * 50 + "]" * 50])
def test_plain_files_and_honest_aliases_are_read(text: str) -> None:
    check_bounds(text)
    value, _ = load_lined(text)
    assert value == yaml.safe_load(text)


def test_a_long_honest_file_is_read() -> None:
    check_bounds("shared: &s {a: 1, b: [1, 2, 3]}\nlist:\n" + "- *s\n" * 20_000)
