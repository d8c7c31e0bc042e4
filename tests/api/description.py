"""The API's own description, to hold answers against."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.test import Client
from jsonschema import Draft202012Validator

PREFIX = "/api/v1/"
PROBLEM = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Route:
    """One method at one address, with what the description says about it."""

    method: str
    path: str
    told: dict[str, Any]

    def parameters(self) -> tuple[str, ...]:
        return tuple(re.findall(r"\{(\w+)\}", self.path))

    def questions(self) -> tuple[str, ...]:
        """Names of the parameters behind the question mark."""
        return tuple(p["name"] for p in self.told.get("parameters", ()) if p["in"] == "query")

    def address(self, values: dict[str, str]) -> str:
        """The path below the prefix with its parameters filled in."""
        return self.path.removeprefix(PREFIX).format(**values)

    def statuses(self) -> set[int]:
        return {int(status) for status in self.told["responses"]}

    def body_schema(self) -> dict[str, Any] | None:
        content = self.told.get("requestBody", {}).get("content", {})
        found: dict[str, Any] | None = content.get("application/json", {}).get("schema")
        return found


@cache
def description() -> dict[str, Any]:
    """The OpenAPI document; objects are closed, so that nothing undocumented is let through."""
    response = Client().get(f"{PREFIX}schema", headers={"Accept": "application/vnd.oai.openapi+json"})
    document: dict[str, Any] = json.loads(response.content)
    for part in document["components"]["schemas"].values():
        if "properties" in part:
            part["additionalProperties"] = False
    return document


def routes() -> tuple[Route, ...]:
    """Every method at every address but the description's own."""
    return tuple(sorted(_routes(), key=lambda r: (r.path, r.method)))


def _routes() -> Iterator[Route]:
    for path, methods in description()["paths"].items():
        for method, told in methods.items():
            if not path.endswith("/schema"):
                yield Route(method, path, told)


def faults(route: Route, response: Any) -> list[str]:
    """In what ways an answer is not one that the description promises."""
    told = route.told["responses"].get(str(response.status_code))
    if told is None:
        return [f"{response.status_code} is not among {sorted(route.statuses())}: {response.content[:200]!r}"]
    media = response["Content-Type"].split(";")[0]
    if media not in told["content"]:
        return [f"{media} is not among {sorted(told['content'])}"]
    if (response.status_code >= 400) != (media == PROBLEM):
        return [f"{response.status_code} with {media}"]
    if media in {"text/event-stream", "text/csv"}:
        return []
    body = json.loads(response.content)
    wrong = [e.message for e in validator(told["content"][media]["schema"]).iter_errors(body)]
    if media == PROBLEM and body.get("status") != response.status_code:
        wrong.append("the body tells another status")
    return wrong


def validator(schema: dict[str, Any]) -> Draft202012Validator:
    """Checks a value against a schema of the description."""
    return Draft202012Validator({**schema, "components": description()["components"]})
