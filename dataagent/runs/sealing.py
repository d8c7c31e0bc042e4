"""A run that ends, its steps and its draft → manifest and receipt, ready to be written."""

from __future__ import annotations

from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from dataagent.runs import chain, encoding, manifest, receipt
from dataagent.runs.manifest import Draft, RunPart, StepPart
from dataagent.runs.receipt import Audience, Place
from dataagent.runs.types import RunFacts, StepRecord

KeptStep = tuple[StepRecord, int, int, str]
"""A step with its attempt, its round and its input digest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed:
    """A manifest's text and digest in the chain, and the asker's receipt."""

    content: str
    digest: str
    envelope: str
    receipt_digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Seal:
    """What signs: the key, the draft so far ("" where nothing was understood yet) and two random texts."""

    key: Ed25519PrivateKey
    draft: str
    nonce: str
    salt: str

    def __call__(self, run: RunFacts, steps: tuple[KeptStep, ...], sequence: int, previous: str) -> Sealed:
        """The sealed run at its place in the chain."""
        drafted = Draft.model_validate_json(self.draft) if self.draft else Draft(claims_salt=self.salt)
        whole = manifest.complete(drafted, _run(run), tuple(_step(s) for s in steps), nonce=self.nonce)
        content = manifest.content(whole)
        digest = chain.link_digest(
            workspace=run.workspace,
            sequence=sequence,
            content_digest=encoding.sha256(content.encode("utf-8")),
            previous_digest=previous,
        )
        place = Place(sequence=sequence, previous_digest=previous, digest=digest)
        envelope = receipt.issue(whole, place, Audience.ASKER, self.key)
        return Sealed(
            content=content,
            digest=digest,
            envelope=envelope,
            receipt_digest=encoding.sha256(envelope.encode("utf-8")),
        )


def _run(run: RunFacts) -> RunPart:
    return RunPart(
        id=run.id,
        session=run.session_id,
        workspace=run.workspace,
        asker=run.asker,
        roles=run.roles,
        door=run.door,
        thread=run.thread,
        question=run.question,
        today=run.today,
        choice=run.choice,
        state=run.state.value,
        reason=run.reason,
        attempts=run.attempt,
        created_at=run.created_at,
        finished_at=run.finished_at or run.created_at,
    )


def _step(kept: KeptStep) -> StepPart:
    step, attempt, round_number, input_digest = kept
    return StepPart(
        number=step.number,
        kind=step.kind.value,
        attempt=attempt,
        round_number=round_number,
        elapsed_ms=round(step.elapsed_ms, 3),
        input_digest=input_digest,
        output_digest=step.output_digest,
    )
