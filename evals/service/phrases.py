"""Reads the phrases of time corpora with the product's own reader."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from catalog.types import Calendar
from dataagent.intent.normalise import tokens_of
from dataagent.intent.timex import time_spans
from evals.timephrases import Read, TimePhrase, Verdict, phrases_in, verdict

CALENDAR = Calendar(date_order="MDY")
"""The corpora write months before days; weeks begin on Monday, and several periods are whole ones."""


def read_phrases(folder: Path) -> Iterator[tuple[TimePhrase, Verdict, Read | None]]:
    """Each phrase of the folder with its verdict and what was read, in the order of the files.

    Raises: CaseError for a folder without corpora, or a file in another form.
    """
    for case in phrases_in(folder):
        read = _read(case)
        yield case, verdict(case, read), read


def _read(case: TimePhrase) -> Read | None:
    """What the reader makes of the phrase as a whole."""
    tokens = tokens_of(case.phrase)
    for start, end, reading in time_spans(tokens, CALENDAR, case.today):
        if (start, end) == (0, len(tokens)):
            asks = bool(reading.asks or reading.why)
            return Read(window=(reading.range.start, reading.range.end), asks=asks, ahead=reading.future)
    return None
