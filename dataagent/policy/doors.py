"""How a door says what it needs: one decorator for pages and API functions."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from dataagent.errors import ShownError
from dataagent.policy.decide import decide
from dataagent.policy.principal import Capability, PolicyDecision, Principal

View = TypeVar("View", bound=Callable[..., Any])


class NotPermittedError(ShownError):
    """A refusal by policy: what was needed, and the decision on it."""

    def __init__(self, capability: Capability, decision: PolicyDecision) -> None:
        super().__init__(
            "not_permitted",
            "Your role does not include this.",
            action="Ask the workspace's admin for access.",
        )
        self.capability = capability
        self.decision = decision


def requires(capability: Capability) -> Callable[[View], View]:
    """A decorator: the view runs only for a principal that may; it then carries `view.capability`.

    Raises, on the call: ShownError(not_signed_in) for a stranger, ShownError(not_permitted) otherwise.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def door(request: Any, *args: Any, **kwargs: Any) -> Any:
            permit(getattr(request, "principal", None), capability)
            return view(request, *args, **kwargs)

        door.capability = capability  # type: ignore[attr-defined]
        return door  # type: ignore[return-value]

    return decorate


def permit(principal: Principal | None, capability: Capability) -> Principal:
    """The principal, where it may.

    Raises: ShownError(not_signed_in) for nobody, ShownError(not_permitted) otherwise.
    """
    decision = decide(principal, capability)
    if principal is None:
        raise ShownError("not_signed_in", "Please sign in first.", action="Sign in and try again.")
    if not decision.allowed():
        raise NotPermittedError(capability, decision)
    return principal
