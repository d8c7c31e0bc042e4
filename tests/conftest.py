"""What holds for every test."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings

from tests.emptying import allow_emptying


def pytest_configure(config: pytest.Config) -> None:
    """A quick password hash: the product's own takes half a second a time by design, and no test is about it."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """Tests with several connections empty all tables after them."""
    with django_db_blocker.unblock():
        allow_emptying()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Slow tests run only where a marker expression asks for them; those of one real service run one after another."""
    for item in items:
        if item.get_closest_marker("service"):
            item.add_marker(pytest.mark.xdist_group("service"))
    if "slow" in config.getoption("-m"):
        return
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.skip(reason="slow; run with -m slow"))
