"""Open words: noted with the end or the pause of their run, read as a log by word."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime

from django.db.models import Count, Max

from dataagent.runs.models import OpenWord as WordRow
from dataagent.runs.models import Run
from dataagent.runs.openwords import LoggedWord, Meaning, Openness, OpenWord
from dataagent.runs.store.reading import facts
from dataagent.runs.types import RunFacts

_NEWEST = 5_000
"""Rows that are looked through for what the words could mean."""


def note_words(row: Run, words: tuple[OpenWord, ...]) -> None:
    """Keeps the words that the run's question left open, each once."""
    WordRow.rows.bulk_create(
        (
            WordRow(
                workspace_id=row.workspace_id,
                run=row,
                surface=w.surface,
                openness=w.openness.value,
                meanings=[asdict(m) for m in w.meanings],
            )
            for w in words
        ),
        ignore_conflicts=True,
    )


def note_choice(row: Run, choice: int) -> None:
    """Keeps which meaning the run's person took."""
    WordRow.rows.of(row.workspace_id).filter(run_id=row.id).update(chosen=choice)


def logged_words(workspace_id: int, limit: int) -> tuple[LoggedWord, ...]:
    """The open words of a workspace, those of most runs first, and of those the latest."""
    groups = (
        WordRow.rows.of(workspace_id)
        .values("surface", "openness")
        .annotate(runs=Count("run", distinct=True), people=Count("run__asker", distinct=True), last=Max("at"))
        .order_by("-runs", "-last", "surface")[:limit]
    )
    found = [(str(g["surface"]), Openness(g["openness"]), g["runs"], g["people"], g["last"]) for g in groups]
    taken = _taken(workspace_id, frozenset(surface for surface, *_ in found))
    return tuple(_logged(group, taken) for group in found)


_Group = tuple[str, Openness, int, int, datetime]
_Taken = dict[tuple[str, Openness], dict[Meaning, int]]


def _logged(group: _Group, taken: _Taken) -> LoggedWord:
    surface, openness, runs, people, last = group
    meanings = taken.get((surface, openness), {})
    return LoggedWord(
        surface=surface, openness=openness, runs=runs, people=people, last_at=last, taken=tuple(meanings.items())
    )


def _taken(workspace_id: int, surfaces: frozenset[str]) -> _Taken:
    """By word its meanings, with how often each was taken."""
    rows = WordRow.rows.of(workspace_id).filter(surface__in=surfaces).exclude(meanings=[]).order_by("-at")
    found: _Taken = {}
    for surface, openness, meanings, chosen in rows.values_list("surface", "openness", "meanings", "chosen")[:_NEWEST]:
        held = found.setdefault((surface, Openness(openness)), {})
        for position, given in enumerate(meanings):
            meaning = Meaning(**given)
            held[meaning] = held.get(meaning, 0) + (position == chosen)
    return found


def runs_with_word(workspace_id: int, surface: str, limit: int) -> tuple[RunFacts, ...]:
    """The latest runs whose question left the word open, newest first."""
    rows = Run.rows.of(workspace_id).select_related("workspace", "asker").filter(open_words__surface=surface)
    return tuple(facts(r) for r in rows.order_by("-created_at")[:limit])
