"""docs/api.md is true: its table is the description's, and its commands do what they say."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import get_resolver

from dataagent.policy.principal import Capability
from dataagent.runs import service
from dataagent.runs.service.working import claim_and_work
from tests.api.conftest import Caller
from tests.api.description import PREFIX, routes
from tests.architecture.sources import ROOT
from tests.architecture.test_doors import addresses, capability_of
from tests.runs.people import FakeWorld, asked_back

PAGE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^ {4}(curl .+)$", PAGE, re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Command:
    """What a curl command asks for."""

    url: str
    headers: dict[str, str]
    data: str | None

    def send(self) -> Any:
        client, path = Client(), f"{PREFIX}{self.url}"
        if self.data is None:
            return client.get(path, headers=self.headers)
        return client.post(path, data=self.data, content_type=self.headers["Content-Type"], headers=self.headers)


def read(line: str, names: dict[str, str]) -> Command:
    """The command with its variables filled in."""
    for name, value in names.items():
        line = line.replace(f"${name}", value)
    assert "$" not in line, line
    words = shlex.split(line)[1:]
    headers, data, url = {}, None, ""
    while words:
        word = words.pop(0)
        if word == "-H":
            name, _, value = words.pop(0).partition(": ")
            headers[name] = value
        elif word == "-d":
            data = words.pop(0)
        elif word == "-o":
            words.pop(0)
        elif not word.startswith("-"):
            url = word
    return Command(url.removeprefix("API/"), headers, data)


def test_the_table_names_every_route_with_its_capability() -> None:
    told = set(re.findall(r"^\| `([A-Z]+) /(\S+)` \| `?(\w+)`? \|", PAGE, re.MULTILINE))
    needed = {
        re.sub(r"<\w+:(\w+)>", r"{\1}", path): capability_of(view)
        for path, view in addresses(get_resolver().url_patterns)
    }
    wanted = set()
    for route in routes():
        capability = needed[route.path.removeprefix("/")]
        name = capability.value if isinstance(capability, Capability) else "none"
        wanted.add((route.method.upper(), route.path.removeprefix(PREFIX), name))
    assert told == wanted


def test_the_commands_lead_from_a_token_to_a_receipt_that_holds(people: Callable[..., Caller], settings: Any) -> None:
    settings.DEMO = True
    people("analyst")
    world, names, last = FakeWorld(outcome=asked_back), {"API": "API"}, None
    for line in COMMANDS:
        command = read(line.replace('"analyst"', '"analyst_shop"').replace('"demo"', '"shop"'), names)
        last = command.send()
        assert 200 <= last.status_code < 300, (line, last.content)
        if command.url == "token":
            names["TOKEN"] = last.json()["token"]
        elif command.url == "runs":
            names["RUN"] = last.json()["run_id"]
        if last.status_code == 202:
            claim_and_work("w", world.machine())
    assert last is not None
    assert service.check_receipt(last.content).ok


def test_every_address_in_the_page_is_one_of_the_description() -> None:
    known = [re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(r.path)) + "$") for r in routes()]
    assert len(COMMANDS) >= 7
    for line in COMMANDS:
        command = read(line, {"API": "API", "TOKEN": "t", "RUN": "r"})
        path = f"{PREFIX}{urlsplit(command.url).path}"
        assert any(pattern.match(path) for pattern in known), path


@pytest.mark.parametrize("place", ["README.md", "docs/api.md"])
def test_the_description_stands_where_the_documents_say(people: Callable[..., Caller], place: str) -> None:
    named = re.findall(r"`(/api/v1/[\w/]+)`", (ROOT / place).read_text(encoding="utf-8"))
    addresses_named = [a for a in named if a != PREFIX]
    assert addresses_named
    assert {Client().get(a).status_code for a in addresses_named} == {200}
