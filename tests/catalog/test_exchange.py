"""What is written can be read back: to the same catalog where the format holds it, with a list of what it lacks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings

from catalog.content import encode
from catalog.exporters.osi import osi_yaml
from catalog.exporters.own import own_yaml
from catalog.importers.formats import load_any
from catalog.importers.own import load_folder
from catalog.types import CatalogSnapshot
from tests.catalog.made_catalogs import snapshots
from tests.catalog.osi_shop import DOCUMENT
from tests.catalog.shop import shop
from tests.catalog.test_semantic_manifest import OLDER


def _own(folder: Path, snapshot: CatalogSnapshot) -> CatalogSnapshot:
    (folder / "own.yaml").write_text(own_yaml(snapshot), encoding="utf-8")
    return load_folder(folder / "own.yaml")


def _osi(folder: Path, text: str) -> CatalogSnapshot:
    (folder / "osi.yaml").write_text(text, encoding="utf-8")
    return load_any(folder / "osi.yaml")


def in_any_order(value: Any) -> Any:
    """Lists of named things in the order of their text: that order has no meaning in OSI."""
    if isinstance(value, dict):
        return {k: in_any_order(v) for k, v in value.items()}
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return sorted((in_any_order(v) for v in value), key=lambda v: json.dumps(v, sort_keys=True))
    return value


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(snapshot=snapshots())
def test_any_catalog_comes_back_from_our_own_yaml(
    tmp_path_factory: pytest.TempPathFactory, snapshot: CatalogSnapshot
) -> None:
    folder = tmp_path_factory.mktemp("own")
    again = _own(folder, snapshot)
    assert encode(again) == encode(snapshot)
    assert again.digest == snapshot.digest
    assert own_yaml(again) == own_yaml(snapshot)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(snapshot=snapshots())
def test_any_catalog_comes_back_from_osi_and_what_osi_lacks_is_told(
    tmp_path_factory: pytest.TempPathFactory, snapshot: CatalogSnapshot
) -> None:
    made = osi_yaml(snapshot)
    body = yaml.safe_load(made.text)["semantic_model"][0]
    is_whole = not any(
        "dataagent_catalog" in e["data"] for e in body.get("custom_extensions", ()) if isinstance(e, dict)
    )
    assert is_whole == (not made.losses) or not snapshot.models
    assert _osi(tmp_path_factory.mktemp("osi"), made.text).digest == snapshot.digest


def test_the_shop_comes_back_from_osi_and_back(tmp_path: Path) -> None:
    made = osi_yaml(shop(), file="shop.yaml")
    assert _osi(tmp_path, made.text).digest == shop().digest
    told = {(loss.object, loss.field) for loss in made.losses}
    assert ("metric seats", "") in told
    assert ("semantic model orders", "grain") in told
    assert {loss.file for loss in made.losses} == {"shop.yaml"}
    assert "A tool that reads OSI does not see the metric seats." in {loss.message for loss in made.losses}


def test_what_another_tool_changed_is_read_and_not_what_we_wrote_beside_it(tmp_path: Path) -> None:
    text = osi_yaml(shop()).text
    assert _osi(tmp_path, text.replace("SUM(orders.amount)", "AVG(orders.amount)")).digest != shop().digest
    changed = _osi(tmp_path, text.replace("SUM(orders.amount)", "AVG(orders.amount)"))
    measure = next(m for model in changed.models for m in model.measures if m.name == "revenue")
    assert measure.agg == "average"
    assert not any("dataagent_catalog" in e.text for e in changed.extensions)


def test_an_osi_document_comes_back_through_our_own_yaml(tmp_path: Path) -> None:
    read = _own(tmp_path, _osi(tmp_path, DOCUMENT))
    made = osi_yaml(read)
    assert made.losses == ()
    before, after = (in_any_order(yaml.safe_load(t)["semantic_model"][0]) for t in (DOCUMENT, made.text))
    assert after["metrics"] == before["metrics"]
    assert after["relationships"] == in_any_order(
        [
            {
                **r,
                **(
                    {"from_columns": ["sku", "area"], "to_columns": ["sku", "region"]}
                    if r["name"] == "priced_as"
                    else {}
                ),
            }
            for r in before["relationships"]
        ]
    )
    assert after["custom_extensions"] == before["custom_extensions"]
    assert yaml.safe_load(made.text)["dialects"] == yaml.safe_load(DOCUMENT)["dialects"]
    assert after["ai_context"] == before["ai_context"]
    assert {d["name"]: {f["name"] for f in d["fields"]} for d in after["datasets"]} == {
        d["name"]: {f["name"] for f in d["fields"]} for d in before["datasets"]
    }


def test_words_that_no_longer_fit_a_changed_expression_are_left_out(tmp_path: Path) -> None:
    text = own_yaml(_osi(tmp_path, DOCUMENT)).replace('expr: "CAST(ordered_at', 'expr: "CAST(paid_at')
    (tmp_path / "own.yaml").write_text(text)
    made = osi_yaml(load_folder(tmp_path / "own.yaml")).text
    assert "CAST(paid_at AS DATE)" in made
    native = yaml.safe_load(made)["semantic_model"][0]["datasets"][1]["fields"][0]
    assert [d["dialect"] for d in native["expression"]["dialects"]] == ["ANSI_SQL"]


def test_a_semantic_manifest_comes_back_from_both(tmp_path: Path) -> None:
    path = tmp_path / "semantic_manifest.json"
    path.write_text(json.dumps(OLDER))
    read = load_any(path)
    assert _own(tmp_path, read).digest == read.digest
    made = osi_yaml(read)
    assert _osi(tmp_path, made.text).digest == read.digest
    assert ("metric amount_7d", "") in {(loss.object, loss.field) for loss in made.losses}
