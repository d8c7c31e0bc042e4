"""Documents → passages of a size that a ranking can compare."""

from __future__ import annotations

import re

from contextcards.digests import text_digest
from contextcards.types import Document, Passage

MAX_CHARACTERS = 900


def passages_of(document: Document, max_characters: int = MAX_CHARACTERS) -> tuple[Passage, ...]:
    """The document's passages in order: paragraphs, joined up to the size; a heading stays with what follows."""
    chunks = _joined(_paragraphs(document.text, max_characters), max_characters)
    return tuple(
        Passage(document=document.name, position=i, text=text, digest=text_digest(text))
        for i, text in enumerate(chunks)
    )


def _paragraphs(text: str, size: int) -> list[str]:
    blocks = [block.strip() for block in re.split(r"\n\s*\n", text.replace("\r\n", "\n")) if block.strip()]
    return [piece for block in blocks for piece in _split(block, size)]


def _split(block: str, size: int) -> list[str]:
    """A long paragraph cut at sentence ends, and inside a sentence only where it alone is too long."""
    if len(block) <= size:
        return [block]
    pieces: list[str] = [""]
    for sentence in re.split(r"(?<=[.!?])\s+", block):
        if pieces[-1] and len(pieces[-1]) + 1 + len(sentence) > size:
            pieces.append("")
        pieces[-1] = f"{pieces[-1]} {sentence}".strip()
    return [piece[i : i + size] for piece in pieces for i in range(0, len(piece), size)]


def _joined(paragraphs: list[str], size: int) -> list[str]:
    chunks: list[str] = []
    for paragraph in paragraphs:
        after_heading = bool(chunks) and chunks[-1].rsplit("\n", maxsplit=1)[-1].startswith("#")
        starts_section = paragraph.startswith("#") and not after_heading
        fits = bool(chunks) and len(chunks[-1]) + 2 + len(paragraph) <= size
        if after_heading or (fits and not starts_section):
            chunks[-1] = f"{chunks[-1]}\n\n{paragraph}"
        else:
            chunks.append(paragraph)
    return chunks
