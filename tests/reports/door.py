"""A small company behind its real doors: what the API, the file and the page say to one question."""

from __future__ import annotations

import csv
import html
import io
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
from django.test import Client

from catalog import service as catalog
from dataagent.accounts import service as accounts
from dataagent.policy import service as policy
from dataagent.runs.service.machine import MACHINE
from dataagent.runs.service.working import claim_and_work
from dataagent.warehouse import pool

Row = list[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One answer as each door gives it.  `cells` are the page's table, `page` is its text with plain spaces."""

    json: dict[str, Any]
    csv: list[list[str]]
    cells: list[list[str]]
    foot: list[str]
    page: str

    @property
    def rows(self) -> list[Row]:
        """The rows of the API."""
        found: list[Row] = self.json["rows"]
        return found

    @property
    def said(self) -> str:
        """Everything that is assumed or to be careful about, as one text."""
        return " ".join((*self.json["assumptions"], *self.json["caveats"]))


class Company:
    """A workspace with a catalog, tables, and one person who may see all of it."""

    def __init__(self, name: str, catalog_text: str, folder: Path) -> None:
        place = accounts.create_workspace(name, name=name)
        account = accounts.create_user(f"reader_{name}")
        (folder / "catalog.yaml").write_text(catalog_text, encoding="utf-8")
        snapshot = catalog.publish_folder(place.id, folder)
        tables = "".join(f'      "{t}": {{columns: "*"}}\n' for t in sorted({m.table for m in snapshot.models}))
        (folder / "policy.txt").write_text(_POLICY + tables, encoding="utf-8")
        policy.load_policy(place.id, folder / "policy.txt")
        accounts.set_member(place.id, account.id, roles=("reader",))
        token = accounts.mint_token(place.id, account.id, name="test").plain
        self._api = Client(headers={"Authorization": f"Bearer {token}"})
        self._page = Client()
        self._page.post("/sign-in/demo/", {"username": f"reader_{name}"})

    def ask(self, question: str, today: str) -> Told:
        """The question asked on a day, and its answer at every door; it must be answered."""
        told = self.stop(question, today)
        assert told["decision"] == "answer", (told["decision"], told.get("headline"), told.get("options"))
        address = f"runs/{told['run_id']}"
        file = self._api.get(f"/api/v1/{address}/result.csv").content.decode()
        page = self._page.get(f"/{address}/").content.decode()
        return Told(
            json=told,
            csv=list(csv.reader(io.StringIO(file, newline=""))),
            cells=[_cells(row) for row in re.findall(r"<tr>(.*?)</tr>", _part(page, "tbody"), re.DOTALL)],
            foot=_cells(_part(page, "tfoot")),
            page=_text(page),
        )

    def stop(self, question: str, today: str) -> dict[str, Any]:
        """What the API says to the question, whatever it is."""
        body = {"question": question, "today": today}
        started = self._api.post("/api/v1/runs", data=body, content_type="application/json").json()
        claim_and_work("test", MACHINE, run_id=started["run_id"])
        told: dict[str, Any] = self._api.get(f"/api/v1/runs/{started['run_id']}").json()
        return told


def make_tables(name: str, tables: str) -> None:
    """The company's warehouse file, made by a script."""
    file = pool.file_of(name)
    file.parent.mkdir(exist_ok=True)
    with duckdb.connect(str(file)) as connection:
        connection.execute(tables)


def _part(page: str, tag: str) -> str:
    found = re.search(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
    return found[1] if found else ""


def _cells(row: str) -> list[str]:
    return [_text(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL)]


def _text(markup: str) -> str:
    """The words of the markup, with plain spaces and a plain minus."""
    bare = html.unescape(re.sub(r"<[^>]*>", "", markup))
    return " ".join(bare.replace("\u202f", " ").replace("\u2212", "-").split())


_POLICY = """
version: "1"
roles:
  reader:
    capabilities: [sign_in, ask, query, read_catalog, read_cards, read_own_runs, export]
    metrics: {allow: "*"}
    tables:
"""
