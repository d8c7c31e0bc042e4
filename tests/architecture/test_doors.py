"""Every address declares the capability that it needs, or stands on the public list with a reason."""

from __future__ import annotations

from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver

from dataagent.policy.principal import Capability

PUBLIC = {
    "sign-in/": "the way in",
    "sign-in/demo/": "the way into the demo; refuses outside it",
    "sign-out/": "ends whatever session there is",
    "theme/": "sets a cookie with one of three words",
    "healthz": "tells a supervisor that the process answers, and nothing else",
    "readyz": "tells a load balancer whether the database answers with its tables up to date, and nothing else",
    "metrics": "for the monitoring of whoever runs the product: only with the token of its setting, else no such page",
    "api/v1/token": "the way in for programs",
    "api/v1/<path:rest>": "says that there is no such address, to everyone alike",
    "api/v1/schema": "describes the API; holds nothing of any workspace",
}
"""Addresses that need no capability."""


def addresses(patterns: list[URLPattern | URLResolver], prefix: str = "") -> Iterator[tuple[str, object]]:
    for pattern in patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns, path)
        else:
            yield path, pattern.callback


def capability_of(view: object) -> object:
    """The capability on a view function, or on the class behind a class-based view."""
    for holder in (view, getattr(view, "cls", None), getattr(view, "view_class", None)):
        if (found := getattr(holder, "capability", None)) is not None:
            return found
    return None


def test_every_address_declares_its_capability_or_is_public_with_a_reason() -> None:
    silent = {
        path for path, view in addresses(get_resolver().url_patterns) if not isinstance(capability_of(view), Capability)
    }
    assert silent == set(PUBLIC)


def test_every_reason_says_something() -> None:
    assert all(len(reason) > 5 for reason in PUBLIC.values())
