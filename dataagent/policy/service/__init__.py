"""The door of policy: principals, scopes, decisions and the audit of them."""

from __future__ import annotations

from dataagent.policy.service.auditing import (
    audit_log,
    audited_workspaces,
    erase_entries,
    record,
    record_once,
    record_refusal,
    refusals_told,
    verified_entries,
)
from dataagent.policy.service.policies import (
    document,
    load_policy,
    principal,
    principal_for_token,
    principal_of_member,
    principal_of_request_user,
    scope,
)
from dataagent.policy.service.requesting import (
    access_requests,
    decide_request,
    own_requests,
    request_access,
    role_names,
)
from dataagent.policy.service.standing import (
    Authority,
    authority_of_run,
    authority_of_session,
    authority_of_token,
    issue_authority,
)

__all__ = [
    "Authority",
    "access_requests",
    "audit_log",
    "audited_workspaces",
    "authority_of_run",
    "authority_of_session",
    "authority_of_token",
    "decide_request",
    "document",
    "erase_entries",
    "issue_authority",
    "load_policy",
    "own_requests",
    "principal",
    "principal_for_token",
    "principal_of_member",
    "principal_of_request_user",
    "record",
    "record_once",
    "record_refusal",
    "refusals_told",
    "request_access",
    "role_names",
    "scope",
    "verified_entries",
]
