"""Changed questions, by kind: a word dropped, added, swapped or denied, another number, date, unit or value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MODIFIERS = (
    "own", "still", "net", "first", "less", "other", "only", "not", "no", "without", "average", "never", "almost",
    "expected", "new", "same", "or", "more", "most", "percent", "except", "change", "top", "roughly", "adjusted",
    "both", "every", "neither", "fewer", "growing", "median", "nothing", "cumulative",
)  # fmt: skip
SWAPS = {
    "and": ("or", "and not"), "or": ("and", "and not"), "excluding": ("including",), "more": ("less",),
    "fewer": ("more",), "top": ("bottom",), "bottom": ("top",), "without": ("with",), "least": ("most",),
    "above": ("below",), "over": ("under",), "under": ("over",), "last": ("next", "this"), "this": ("last",),
    "highest": ("lowest",), "lowest": ("highest",), "worst": ("best",), "best": ("worst",), "not": ("",),
    "grow": ("fall",), "grew": ("fell",), "fell": ("grew",), "drop": ("increase",), "dropped": ("increased",),
    "growth": ("decline",), "up": ("down",), "higher": ("lower",), "most": ("least",), "never": ("",), "no": ("",),
    "any": ("no",), "every": ("any",), "all": ("any",), "both": ("only",), "by": ("without",),
    "per": ("minus",), "at": ("at most",), "between": ("outside",), "since": ("before",), "before": ("since",),
    "ascending": ("descending",), "yesterday": ("today",), "today": ("yesterday",), "average": ("total",),
    "nothing": ("something",), "lost": ("gained",), "biggest": ("smallest",), "ytd": ("mtd",), "mtd": ("ytd",),
}  # fmt: skip
DATES = {
    "january": "february", "march": "april", "april": "may", "may": "july", "june": "january", "november": "october",
    "q1": "q2", "q2": "q1", "q3": "q4", "q4": "q3", "2024": "2023", "2025": "2024", "2023": "2024", "week": "month",
    "month": "week", "quarter": "year", "year": "month", "days": "weeks", "weeks": "days", "months": "weeks",
}  # fmt: skip
_NUMBER = re.compile(r"\$?\d+(?:\.\d+)?(?:k|m)?%?")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A changed question; `word` is what was taken away, for kind *drop*."""

    kind: str
    text: str
    word: str = ""


def mutants(question: str, values: dict[str, tuple[str, ...]]) -> Iterator[Mutant]:
    """Every change of a question; `values` maps a member, in lower case, to others of its dimension."""
    words = question.split(" ")
    for place in range(len(words) + 1):
        for modifier in MODIFIERS:
            yield Mutant(kind="add", text=" ".join((*words[:place], modifier, *words[place:])))
    for place, word in enumerate(words):
        bare = word.lower().strip("?,.!")
        before, after = words[:place], words[place + 1 :]
        yield Mutant(kind="drop", text=" ".join((*before, *after)), word=bare)
        for other in SWAPS.get(bare, ()):
            yield Mutant(kind="swap", text=" ".join(w for w in (*before, other, *after) if w))
        if bare in DATES:
            yield Mutant(kind="date", text=" ".join((*before, DATES[bare], *after)))
        if _NUMBER.fullmatch(bare):
            yield from _numbers(bare, before, after)
    yield from _values(question, values)


def _numbers(bare: str, before: list[str], after: list[str]) -> Iterator[Mutant]:
    number = re.sub(r"\d+", lambda m: str(int(m[0]) + 1), bare, count=1)
    yield Mutant(kind="number", text=" ".join((*before, number, *after)))
    if len(bare) != 4:
        unit = bare.rstrip("%") if bare.endswith("%") else f"{bare}%"
        yield Mutant(kind="unit", text=" ".join((*before, unit, *after)))


def _values(question: str, values: dict[str, tuple[str, ...]]) -> Iterator[Mutant]:
    lowered = question.lower()
    for value, others in values.items():
        found = re.search(rf"(?<!\w){re.escape(value)}(?!\w)", lowered)
        if found is None:
            continue
        before, after = question[: found.start()], question[found.end() :]
        for other in (*others[:2], "Zorblax"):
            yield Mutant(kind="value", text=f"{before}{other}{after}")
        yield Mutant(kind="negate", text=f"{before}not {value}{after}")
