"""Our own YAML becomes a snapshot, or every error with file and line."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from catalog.content import decode, digest_of, encode
from catalog.importers.own import load_folder
from catalog.issues import CatalogError, issue_line
from catalog.types import Filter, MetricInput, Operator
from tests.catalog.shop import FOLDER, shop


def _errors(folder: Path, text: str | bytes) -> list[str]:
    (folder / "bad.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(CatalogError) as caught:
        load_folder(folder)
    return [issue_line(i) for i in caught.value.issues]


def test_objects_know_their_file_and_line() -> None:
    text = (FOLDER / "catalog.yaml").read_text().splitlines()
    metric = next(m for m in shop().metrics if m.name == "refund_rate")
    assert metric.source is not None
    assert metric.source.file == "catalog.yaml"
    assert "name: refund_rate" in text[metric.source.line - 1]
    dimension = shop().models[0].dimensions[1]
    assert dimension.source is not None
    assert "name: status" in text[dimension.source.line - 1]


def test_short_forms_become_the_same_types_as_long_forms() -> None:
    gold = next(m for m in shop().metrics if m.name == "gold_share")
    assert gold.denominator == MetricInput(metric="revenue")
    assert gold.numerator == MetricInput(
        metric="revenue", filters=(Filter(field="tier", op=Operator.EQ, values=("gold",)),)
    )
    assert shop().entities[1].synonyms == ("client",)
    assert shop().events[0].date == date(2025, 3, 14)


def test_the_digest_counts_content_and_not_where_it_was_written(tmp_path: Path) -> None:
    text = (FOLDER / "catalog.yaml").read_text()
    (tmp_path / "moved.yaml").write_text("# a comment more\n" + text)
    assert load_folder(tmp_path).digest == shop().digest
    (tmp_path / "moved.yaml").write_text(text.replace("label: Revenue", "label: Income"))
    assert load_folder(tmp_path).digest != shop().digest


def test_json_brings_back_the_same_content() -> None:
    again = decode(json.loads(json.dumps(encode(shop()))))
    assert again.digest == shop().digest == digest_of(shop())
    assert encode(again) == encode(shop())


def test_all_errors_are_told_at_once_with_their_lines(tmp_path: Path) -> None:
    found = _errors(
        tmp_path,
        "metrics:\n  - {name: a, type: simpel}\n  - name: b\n    type: simple\n    synonym: [x]\n  - {type: simple}\n",
    )
    assert [line.split(": ")[0] for line in found] == ["bad.yaml:2", "bad.yaml:5", "bad.yaml:6"]
    assert "simple" in found[0]
    assert 'did you mean "synonyms"' in found[1]
    assert '"name" is missing' in found[2]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("metrics:\n  - {name: a, name: b, type: simple}\n", 2, "stands here twice"),
        ("metrics:\n\t- broken", 2, "not valid YAML"),
        ("metrics: [a\n", 2, "not valid YAML"),
        ("a: &x [1]\nmetrics: *x\n", 2, "Aliases"),
        ("metrics: !!python/object:os.system {}\n", 1, "tag "),
        ("metrics:\n  - " + "[" * 60 + "]" * 60, 2, "nested"),
        (b"metrics:\n  - {name: \xff\xfe}\n", 2, "UTF-8"),
        ("surprise: 1\n", 1, "Unknown key"),
        ("- just\n- a list\n", 1, "must hold keys"),
        ("metrics:\n  - {name: a b, type: simple}\n", 2, "letters, digits"),
        ("metrics:\n  - {name: a, type: simple}\n  - {name: a, type: simple}\n", 3, "declared twice"),
        ("metrics:\n  - {name: a, type: simple, synonyms: [true]}\n", 2, "quotes"),
        ("metrics:\n  - {name: a, type: simple, fill_nulls_with: 2025-99-99}\n", 2, "quotes"),
        ("catalog: {dialect: oracle}\n", 1, "duckdb or postgres"),
        ("metrics: {a: {type: simple}}\nmetrics: {b: {type: simple}}\n", 2, "twice"),
    ],
)
def test_a_broken_file_gets_one_clear_sentence(tmp_path: Path, text: str | bytes, line: int, words: str) -> None:
    found = _errors(tmp_path, text)
    assert len(found) == 1
    assert found[0].startswith(f"bad.yaml:{line}: ")
    assert words in found[0]


def test_a_country_code_no_stays_text_and_numbers_stay_exact(tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text(
        "adjectives:\n  - {word: norse, filter: {field: country, op: '=', value: NO}}\n"
        "  - {word: dear, filter: {field: price, op: '>', value: 0.10}}\n"
        "  - {word: both, filter: {field: on, op: in, value: [true, 2025-01-02, 7]}}\n"
    )
    norse, dear, both = load_folder(tmp_path).adjectives
    assert norse.filter.values == ("NO",)
    assert dear.filter.values == (Decimal("0.10"),)
    assert both.filter.values == (True, date(2025, 1, 2), 7)


def test_an_empty_or_absent_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="holds no"):
        load_folder(tmp_path)
    with pytest.raises(CatalogError, match="no such folder"):
        load_folder(tmp_path / "absent")


def test_a_huge_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    assert "larger than" in _errors(tmp_path, b"#" * (4 * 1024 * 1024 + 1))[0]
