"""What a request carries and the API does not know is refused, and never dropped without a word."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from tests.api.conftest import Caller
from tests.api.test_api import problem

People = Callable[..., Caller]


@pytest.mark.parametrize("field", ["sesion_id", "as", "role", "workspace"])
def test_a_field_that_is_not_known_is_named(people: People, field: str) -> None:
    response = people("analyst").post("runs", {"question": "net revenue", field: "admin"})
    assert problem(response) == (422, "invalid_input")
    assert response.json()["fields"] == {field: ["There is no such field here."]}


@pytest.mark.parametrize("question", [5, 1e999, True, ["net revenue"], {"text": "net revenue"}])
def test_a_question_is_text(people: People, question: object) -> None:
    assert problem(people("analyst").post("runs", {"question": question})) == (422, "invalid_input")


@pytest.mark.parametrize("path", ["me?as=admin", "runs/x?whole=1", "catalog/search?query=net", "conversations?n=1"])
def test_a_parameter_that_is_not_known_is_named(people: People, path: str) -> None:
    response = people("analyst").get(path)
    assert problem(response) == (422, "invalid_input")
    assert "There is no parameter" in response.json()["title"]


@pytest.mark.parametrize("body", ["[" * 100_000, '{"question": ' + '{"a":' * 50_000])
def test_what_is_nested_too_deep_is_no_fault_of_ours(people: People, body: str) -> None:
    caller = people("analyst")
    response = Client().post("/api/v1/runs", data=body, content_type="application/json", headers=caller.headers)
    assert problem(response) == (422, "invalid_input")
