"""One decorator for a function of the API: its method, and what it takes to enter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rest_framework.decorators import api_view

from dataagent.policy.doors import requires
from dataagent.policy.principal import Capability

View = Callable[..., Any]


def door(method: str, capability: Capability) -> Callable[[View], View]:
    """A decorator: the view answers `method` for those who hold the capability, and carries it."""

    def decorate(view: View) -> View:
        guarded: View = api_view([method])(requires(capability)(view))
        guarded.capability = capability  # type: ignore[attr-defined]
        return guarded

    return decorate
