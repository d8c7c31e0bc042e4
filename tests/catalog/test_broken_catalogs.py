"""Whatever stands in a file: it is read, or told in sentences with file and line; nothing else comes out."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalog.exporters.own import own_yaml
from catalog.importers.formats import load_any
from catalog.issues import CatalogError, Issue
from tests.catalog.osi_shop import DOCUMENT
from tests.catalog.shop import shop
from tests.catalog.test_dbt_project import FOLDER

JUNK = st.sampled_from(
    [None, True, 0, -1, 2.5, "", "x", "a.b.c", "{{", "1 +", [], [[]], [None], {}, {"name": None}, {"x": 1}]
)
WHOLE: dict[str, Any] = {
    "osi.yaml": yaml.safe_load(DOCUMENT),
    "own.yaml": yaml.safe_load(own_yaml(shop())),
    "schema.yml": yaml.safe_load((FOLDER / "newer" / "schema.yml").read_text()),
    "older.yml": yaml.safe_load((FOLDER / "older" / "schema.yml").read_text()),
    "semantic_manifest.json": json.loads((FOLDER / "newer" / "semantic_manifest.json").read_text()),
    "manifest.json": json.loads((FOLDER / "older" / "manifest.json").read_text()),
}


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(p for key, held in inner for p in _places(held, (*path, key)))]


PLACES = {name: _places(body)[1:] for name, body in WHOLE.items()}


def _put(body: Any, path: tuple[Any, ...], value: Any) -> Any:
    made = copy.deepcopy(body)
    holder = made
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return made


def _told(path: Path) -> tuple[str, ...]:
    """The sentences that reading gives; nothing for a file that can be read."""
    issues: tuple[Issue, ...] = ()
    try:
        load_any(path)
    except CatalogError as bad:
        issues = bad.issues
    assert all(i.message.endswith(".") and i.source is not None for i in issues)
    return tuple(i.message for i in issues)


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_part_that_is_something_else_is_read_or_told(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(sorted(WHOLE)))
    body = _put(WHOLE[name], data.draw(st.sampled_from(PLACES[name])), data.draw(JUNK))
    path = tmp_path_factory.mktemp("broken") / name
    path.write_text(json.dumps(body) if name.endswith(".json") else yaml.safe_dump(body), encoding="utf-8")
    _told(path)


@pytest.mark.parametrize("name", sorted(WHOLE))
@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (lambda raw: b"\xff\xfe" + raw, "UTF-8"),
        (lambda raw: raw.decode().encode("utf-16"), "UTF-8"),
        (lambda raw: raw[: len(raw) // 2] + b"\n  ]]] {{{ : :", "not valid"),
        (lambda raw: raw + b"\x00", "not valid"),
        (lambda raw: raw.ljust(70 * 2**20), "larger than"),
    ],
)
def test_a_broken_file_is_told(tmp_path: Path, name: str, broken: Callable[[bytes], bytes], told: str) -> None:
    text = json.dumps(WHOLE[name]) if name.endswith(".json") else yaml.safe_dump(WHOLE[name])
    (tmp_path / name).write_bytes(broken(text.encode()))
    assert any(told in message for message in _told(tmp_path / name))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("semantic_model:\n- &a [x]\n- *a\n", "aliases"),
        ("semantic_model:\n- !!python/object/apply:os.system [ls]\n", "tag"),
        ("semantic_model:\n- {name: a, name: b, datasets: []}\n", "stands here twice"),
        ("metric:\n  name: &a x\n  type: *a\n", "Aliases"),
        ("models:\n- {name: a, name: b}\n", "stands here twice"),
        ("---\n" * 3 + "metric: [}\n", "not valid YAML"),
        ("semantic_model:\n- " + "[" * 50 + "]" * 50 + "\n", "nested more than"),
    ],
)
def test_bombs_tags_and_repeated_keys_are_refused(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "file.yaml").write_text(text)
    assert any(told.lower() in message.lower() for message in _told(tmp_path / "file.yaml"))


def test_a_file_that_may_not_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").symlink_to(tmp_path / "absent")
    assert _told(tmp_path / "a.yaml") == ("There is no such folder or file.",)
    (tmp_path / "b.yaml").write_text("metric: {name: a, type: simple, type_params: {measure: m}}\n")
    assert _told(tmp_path) != ()


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("semantic_manifest.json", "[]", "A semantic manifest holds a list of semantic_models."),
        ("semantic_manifest.json", "null", "A semantic manifest holds a list of semantic_models."),
        ("semantic_manifest.json", "", "This is not valid JSON"),
        ("semantic_manifest.json", '{"semantic_models": [], "metrics": ["x"]}', "must be a list of mappings"),
        ("schema.yml", "models:\n- {name: a, semantic_model: true, columns: 3}\n", "its columns must be a list"),
        ("schema.yml", "version: 9\nmodels:\n- {name: a, semantic_model: true}\n", "Version 9 is not known here"),
        ("schema.yml", "version: 2\nmodels: [a]\n", "Its models must be a list of mappings"),
        (
            "osi.yaml",
            "version: '1.0'\nsemantic_model:\n- {name: a, datasets: [1]}\n",
            "its datasets must be a list of mappings",
        ),
    ],
)
def test_what_is_no_list_of_parts_is_never_left_out_unsaid(tmp_path: Path, name: str, text: str, told: str) -> None:
    (tmp_path / name).write_text(text)
    assert any(told in message for message in _told(tmp_path if name != "osi.yaml" else tmp_path / name))
