"""Document files (Markdown with YAML front matter) → documents.  Their text is data."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import PurePosixPath
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from catalog.importers.yaml_bounds import check_bounds
from contextcards.digests import document_digest
from contextcards.types import CardError, ClaimKind, Document


def _as_tuple(value: Any) -> Any:
    return (value,) if isinstance(value, str) else () if value is None else value


class FrontMatter(BaseModel):
    """What a document's file says about it, above its text."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = ""
    title: str
    owner: str
    claim: ClaimKind = ClaimKind.CAVEAT
    audience: Annotated[tuple[str, ...], BeforeValidator(_as_tuple)] = ()
    tables: Annotated[tuple[str, ...], BeforeValidator(_as_tuple)] = ()
    effective_from: date | None = None
    effective_to: date | None = None
    superseded_by: str = ""
    version: int = 1


def document_of(file: str, text: str) -> Document:
    """The document in a file.  Raises: CardError invalid_input naming the file and what is wrong."""
    head, body = _parts(file, text)
    try:
        check_bounds(head)
        front = FrontMatter.model_validate(yaml.safe_load(head) or {})
    except yaml.YAMLError as error:
        raise CardError("invalid_input", f"{file}: the front matter is no YAML ({error}).") from error
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise CardError("invalid_input", f"{file}: {field}: {first['msg']}.") from error
    document = Document(
        name=front.name or PurePosixPath(file).stem,
        title=front.title,
        text=body,
        owner=front.owner,
        claim=front.claim,
        audience=front.audience,
        tables=front.tables,
        effective_from=front.effective_from,
        effective_to=front.effective_to,
        superseded_by=front.superseded_by,
        version=front.version,
    )
    return replace(document, digest=document_digest(document))


def _parts(file: str, text: str) -> tuple[str, str]:
    text = text.replace("\r\n", "\n")
    if not text.startswith("---\n") or "\n---\n" not in text[4:]:
        raise CardError("invalid_input", f"{file}:1: a document starts with front matter between two lines of ---.")
    head, body = text[4:].split("\n---\n", maxsplit=1)
    return head, body.strip()
