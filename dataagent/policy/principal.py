"""Who asks and what an action needs: identity, capabilities and decisions as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from catalog.types import Scalar


class Capability(StrEnum):
    """What an action needs.  Each door declares one; each role is granted some."""

    SIGN_IN = "sign_in"
    ASK = "ask"
    QUERY = "query"
    SENSITIVE_QUERY = "sensitive_query"
    READ_CATALOG = "read_catalog"
    READ_CARDS = "read_cards"
    CURATE_CARDS = "curate_cards"
    CURATE_WORDS = "curate_words"
    READ_OWN_RUNS = "read_own_runs"
    READ_ALL_RUNS = "read_all_runs"
    VERIFY_AUDIT = "verify_audit"
    RUN_EVALS = "run_evals"
    EXPORT = "export"
    PUBLISH = "publish"
    SHARE = "share"
    WRITE_MEMORY = "write_memory"
    REQUEST_ACCESS = "request_access"
    ADMINISTER = "administer"


class Effect(StrEnum):
    """Outcomes of a policy decision, most restrictive last."""

    ALLOW = "allow"
    REDUCE_SCOPE = "reduce_scope"
    REQUIRE_APPROVAL = "require_approval"
    DENY = "deny"


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """Who asks, in one workspace.  `attributes` feed row filters as parameters, never as text.

    `policy_version` is the policy that granted the capabilities; empty means that there is none.
    """

    user: str
    workspace: str
    workspace_id: int
    roles: tuple[str, ...]
    capabilities: frozenset[Capability]
    attributes: tuple[tuple[str, Scalar], ...] = ()
    user_id: int | None = None
    policy_version: str = ""

    def has(self, capability: Capability) -> bool:
        """Whether the capability is held.  For whether an action is allowed, use policy.decide."""
        return capability in self.capabilities


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyDecision:
    """Yes or no with its reason: rule id, reason code, policy version."""

    effect: Effect
    rule: str
    reason: str
    policy_version: str

    def allowed(self) -> bool:
        """Whether the action may go on as asked."""
        return self.effect is Effect.ALLOW
