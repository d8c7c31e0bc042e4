"""Manifests, receipts and the audit of the chain."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from dataagent.accounts import service as accounts
from dataagent.errors import ShownError
from dataagent.policy import service as policy
from dataagent.policy.audit import AuditFault, AuditKind
from dataagent.policy.decide import decide
from dataagent.policy.doors import permit
from dataagent.policy.principal import Capability, Principal
from dataagent.runs import chain, store
from dataagent.runs import manifest as manifests
from dataagent.runs import receipt as receipts
from dataagent.runs.chain import ChainVerdict
from dataagent.runs.manifest import Manifest
from dataagent.runs.receipt import Audience, Place, Verdict
from dataagent.runs.service import keys
from dataagent.runs.service.reading import not_found, tell_reading, visible_run

NEEDS: dict[Audience, Capability] = {
    Audience.ASKER: Capability.READ_OWN_RUNS,
    Audience.OWNER: Capability.CURATE_CARDS,
    Audience.AUDITOR: Capability.VERIFY_AUDIT,
    Audience.EVALUATOR: Capability.RUN_EVALS,
}
"""What it takes to receive a receipt for each audience, besides seeing the run."""


def audiences(principal: Principal, run_id: str) -> tuple[Audience, ...]:
    """The audiences for which this principal may take the run's receipt; the asker's view is the asker's alone.

    Raises: ShownError(not_found) for an absent, foreign or hidden run alike.
    """
    own = visible_run(principal, run_id).asker_id == principal.user_id
    return tuple(
        audience
        for audience, need in NEEDS.items()
        if decide(principal, need).allowed() and (own or audience is not Audience.ASKER)
    )


def receipt(principal: Principal, run_id: str, audience: str = "asker") -> dict[str, Any]:
    """The signed envelope for an audience; see `receipt_file` for the exact bytes to hand out."""
    envelope: dict[str, Any] = json.loads(receipt_file(principal, run_id, audience))
    return envelope


def receipt_file(principal: Principal, run_id: str, audience: str = "asker") -> str:
    """The receipt file's text for an audience, always the same bytes.

    Raises: ShownError(not_found) for hidden runs and unfinished ones, ShownError(not_permitted)
    where the principal may not receive this audience's view.
    """
    wanted = _audience(audience)
    permit(principal, NEEDS[wanted])
    facts = visible_run(principal, run_id)
    link = store.manifest(facts.workspace_id, facts.id)
    if link is None:
        raise not_found("receipt")
    # The asker's view holds what only the asker may check: it goes to nobody else.
    if wanted is Audience.ASKER and facts.asker_id != principal.user_id:
        raise not_found("receipt")
    issued = store.receipt(facts.workspace_id, facts.id) if wanted is Audience.ASKER else None
    tell_reading(principal, facts, AuditKind.RECEIPT_READ, wanted.value)
    place = Place(sequence=link.sequence, previous_digest=link.previous_digest, digest=link.digest)
    return issued or receipts.issue(manifests.read(link.content), place, wanted, keys.signing_key())


def receipt_view(principal: Principal, run_id: str, audience: str = "asker") -> Mapping[str, Any]:
    """What a receipt says, as data: audience, run, chain and the view."""
    verdict = check_receipt(receipt_file(principal, run_id, audience).encode("utf-8"))
    if not verdict.ok or verdict.payload is None:
        raise ShownError("unavailable", f"This receipt does not hold: {verdict.message}")
    return verdict.payload


def manifest(principal: Principal, run_id: str) -> Manifest:
    """The whole manifest, for auditors.

    Raises: ShownError(not_permitted), ShownError(not_found).
    """
    permit(principal, Capability.VERIFY_AUDIT)
    facts = visible_run(principal, run_id)
    link = store.manifest(facts.workspace_id, facts.id)
    if link is None:
        raise not_found("manifest")
    tell_reading(principal, facts, AuditKind.MANIFEST_READ)
    return manifests.read(link.content)


def check_receipt(data: bytes) -> Verdict:
    """The verdict on a receipt file under this product's own public keys."""
    keys.signing_key()
    return receipts.verify(data, keys.public_keys())


def verify_chain(principal: Principal) -> ChainVerdict:
    """The verdict on the principal's workspace.  Raises: ShownError(not_permitted)."""
    permit(principal, Capability.VERIFY_AUDIT)
    return _verified(principal.workspace_id)


def audit(workspace: str | None = None) -> Iterator[tuple[str, ChainVerdict]]:
    """The verdict on one workspace or on all, for the command line of whoever runs the product.

    Raises: ShownError(not_found) for an unknown workspace.
    """
    slugs = (workspace,) if workspace else sorted({*store.workspaces_with_runs(), *policy.audited_workspaces()})
    for slug in slugs:
        found = accounts.workspace(slug)
        if found is None:
            raise not_found("workspace")
        yield slug, _verified(found.id)


def _verified(workspace_id: int) -> ChainVerdict:
    verdict = _verified_chain(workspace_id)
    return _with_audit(workspace_id, verdict) if verdict.ok else verdict


def _with_audit(workspace_id: int, verdict: ChainVerdict) -> ChainVerdict:
    """The verdict on the audit too, and on whether it and the chain of manifests tell the same runs."""
    manifests_there = dict(store.digests(workspace_id))
    told: set[int] = set()
    count = 0
    for found in policy.verified_entries(workspace_id):
        if isinstance(found, AuditFault):
            return replace(verdict, ok=False, position=found.position, code=found.code, message=found.message)
        count += 1
        if found.kind != AuditKind.RUN_ENDED:
            continue
        link = int(found.facts()["link"])
        if manifests_there.get(link) != found.facts()["manifest"]:
            words = f"Entry {found.sequence} of the audit tells of manifest {link}, which is gone or another one."
            return replace(verdict, ok=False, position=link, code="audit_manifest", message=words)
        told.add(link)
    # Runs that ended before there was an audit are told by none of its entries.
    untold = next((n for n in sorted(manifests_there) if told and n > min(told) and n not in told), None)
    if untold is not None:
        words = f"No entry of the audit tells of manifest {untold}."
        return replace(verdict, ok=False, position=untold, code="audit_untold", message=words)
    return replace(verdict, entries=count)


def _verified_chain(workspace_id: int) -> ChainVerdict:
    verdict = chain.verify(store.links(workspace_id))
    if not verdict.ok:
        return verdict
    trusted = keys.public_keys()
    for sequence, digest, envelope in store.receipts_in_order(workspace_id):
        checked = receipts.verify(envelope.encode("utf-8"), trusted)
        if not checked.ok or checked.payload is None or checked.payload["chain"]["digest"] != digest:
            words = f"The signed receipt of manifest {sequence} does not fit it."
            return ChainVerdict(ok=False, links=verdict.links, position=sequence, code="receipt", message=words)
    missing = store.ended_without_proof(workspace_id)
    if missing:
        position = verdict.links + 1
        words = f"Run {missing} has ended, but its manifest or receipt is missing."
        return ChainVerdict(ok=False, links=verdict.links, position=position, code="missing_manifest", message=words)
    return verdict


def _audience(name: str) -> Audience:
    try:
        return Audience(name)
    except ValueError as error:
        raise ShownError("invalid_input", f"Choose one of: {', '.join(Audience)}.") from error
