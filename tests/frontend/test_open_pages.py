"""Pages that stay open while the access of whoever looks at them ends."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient, Client

from tests.frontend.conftest import Browsers
from tests.open_streams import after_taking, be_nothing, leave

pytestmark = pytest.mark.django_db(transaction=True)
GONE = "You can no longer follow this question."


def sign_out(client: Client) -> None:
    client.post("/sign-out/")


@pytest.mark.parametrize(
    "attack", [sign_out, lambda _: leave("analyst", "demo"), lambda _: be_nothing("analyst", "demo")]
)
def test_a_page_that_stays_open_tells_nothing_after_the_access_has_ended(browser: Browsers, attack: Any) -> None:
    client = browser("analyst")
    address = client.post("/ask/", {"question": "net revenue", "session": ""})["Location"]
    same = AsyncClient()
    same.cookies = client.cookies.copy()
    took, text = async_to_sync(after_taking)(same, f"{address}events/", {}, lambda: attack(client))
    assert took < 1.5
    assert GONE in text
    assert text.rstrip().endswith("data:")
