"""`manage.py catalog draft`: writes a folder that can be used, never over reviewed work, and says plainly why not."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import duckdb
import pytest
from django.core.management import CommandError, call_command

from catalog.compiler import compile_query
from catalog.importers.own import load_folder
from catalog.query import CompiledQuery, GroupBy, QuerySpec


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, region VARCHAR)")
        connection.execute("CREATE TABLE visits (customer_id INTEGER REFERENCES customers (id))")
        connection.execute("CREATE SCHEMA raw; CREATE TABLE raw.files (name VARCHAR)")
    return path


def drafted(*arguments: object) -> dict[str, Any]:
    out = io.StringIO()
    call_command("catalog", "draft", *map(str, arguments), "--json", stdout=out)
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def test_a_duckdb_file_becomes_a_folder_that_can_be_used(file: Path, tmp_path: Path) -> None:
    found = drafted("--warehouse", file, "--out", tmp_path / "out")
    assert found["status"] == "draft"
    assert found["files"] == ["catalog.yaml", "models/customers.yaml", "models/files.yaml", "models/visits.yaml"]
    assert (found["counts"]["joins"], found["counts"]["errors"]) == (1, 0)
    assert load_folder(tmp_path / "out").digest == found["digest"]


def test_a_schema_may_be_named(file: Path) -> None:
    found = drafted("--warehouse", file, "--schema", "main")
    assert (found["models"], found["files"]) == (["customers", "visits"], [])


def test_descriptions_from_elsewhere_are_taken(file: Path, tmp_path: Path) -> None:
    (tmp_path / "texts.json").write_text('{"customers": {"region": "Where they live."}}', encoding="utf-8")
    drafted("--warehouse", file, "--descriptions", tmp_path / "texts.json", "--out", tmp_path / "out")
    assert "Where they live." in (tmp_path / "out" / "models" / "customers.yaml").read_text(encoding="utf-8")


def test_a_draft_is_written_over_only_when_told_and_reviewed_work_never(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    drafted("--warehouse", file, "--out", out)
    before = {p: p.read_bytes() for p in out.rglob("*.yaml")}
    with pytest.raises(CommandError, match="--replace"):
        drafted("--warehouse", file, "--out", out)
    drafted("--warehouse", file, "--out", out, "--replace")
    assert {p: p.read_bytes() for p in out.rglob("*.yaml")} == before
    (out / "mine.yaml").write_text("metrics: []\n", encoding="utf-8")
    with pytest.raises(CommandError, match="no draft"):
        drafted("--warehouse", file, "--out", out, "--replace")
    assert (out / "mine.yaml").exists()


def test_a_reviewed_model_is_not_written_over_although_its_head_still_says_draft(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    drafted("--warehouse", file, "--out", out)
    model = out / "models" / "customers.yaml"
    reviewed = model.read_text(encoding="utf-8").replace("  status: draft\n", "")
    assert reviewed != model.read_text(encoding="utf-8")
    model.write_text(reviewed, encoding="utf-8")
    with pytest.raises(CommandError, match="somebody has changed it since"):
        drafted("--warehouse", file, "--out", out, "--replace")
    assert model.read_text(encoding="utf-8") == reviewed


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--warehouse", "nowhere.duckdb"], "There is no DuckDB file"),
        (["--warehouse", "postgresql://u:secret@127.0.0.1:1/none"], "did not answer"),
        (["--workspace", "no_such"], "not built yet"),
        (["--workspace", "../etc"], "did not answer"),
        (["--warehouse", "FILE", "--schema", "none"], "no tables in the schemas none"),
        (["--warehouse", "FILE", "--descriptions", "none.json"], "cannot be read"),
        (["--warehouse", "FILE", "--out", "FILE"], "is a file"),
    ],
)
def test_what_cannot_be_drafted_is_one_sentence(
    file: Path, tmp_path: Path, settings: Any, arguments: list[str], words: str
) -> None:
    settings.HOME = tmp_path
    with pytest.raises(CommandError, match=words) as caught:
        drafted(*(a.replace("FILE", str(file)) for a in arguments))
    assert "secret" not in str(caught.value)


def test_keys_that_no_constraint_declares_are_looked_up_where_that_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "books.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE authors AS SELECT i AS aid, 'A' || i AS name FROM range(3) t(i)")
        connection.execute("CREATE TABLE books AS SELECT i AS bid, 'B' || i AS title FROM range(4) t(i)")
        connection.execute("CREATE TABLE writes AS SELECT i % 3 AS aid, i AS bid FROM range(4) t(i)")
        connection.execute("CREATE TABLE prices AS SELECT i AS bid, 9 AS price FROM range(9) t(i)")
    assert drafted("--warehouse", path)["counts"]["joins"] == 0
    found = drafted("--warehouse", path, "--observe", "--out", tmp_path / "out")
    assert (found["counts"]["joins"], found["counts"]["errors"]) == (2, 0), "prices names books that are not there"
    snapshot = load_folder(tmp_path / "out")
    assert snapshot.digest == found["digest"]
    assert [(b.from_entity, b.to_entity) for b in snapshot.bridges] == [("author", "book"), ("book", "author")]
    spec = QuerySpec(metrics=("book_count",), group_by=(GroupBy(dimension="name"),))
    compiled = compile_query(spec, snapshot)
    assert isinstance(compiled, CompiledQuery)
    assert any("No constraint declares that" in note for note in compiled.notes)
    with duckdb.connect(str(path), read_only=True) as connection:
        assert sorted(connection.execute(compiled.sql).fetchall()) == [("A0", 2), ("A1", 1), ("A2", 1)]
