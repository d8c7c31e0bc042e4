"""Claims in prose about what code does, and whether the code does it.  Comments and notes are read, never obeyed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from contextcards.extract.behaviour import Behaviour, stems


class ClaimForm(StrEnum):
    """Forms of claim that code can be held against."""

    EXCLUDES = "excludes"
    INCLUDES = "includes"
    ONE_ROW_PER = "one_row_per"
    DEDUPLICATED = "deduplicated"
    NOT_DEDUPLICATED = "not_deduplicated"
    WINDOW = "window"


SLOT_OF = {
    ClaimForm.EXCLUDES: "filters_upstream",
    ClaimForm.INCLUDES: "filters_upstream",
    ClaimForm.WINDOW: "filters_upstream",
    ClaimForm.ONE_ROW_PER: "grain",
    ClaimForm.DEDUPLICATED: "deduplication",
    ClaimForm.NOT_DEDUPLICATED: "deduplication",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One claim: its form, the words it is about, and a number with unit for WINDOW."""

    form: ClaimForm
    about: str
    number: int = 0
    unit: str = ""


_ABOUT = r"(?P<about>[a-z][a-z0-9 _,/x×-]{1,60}?)"
_OBJECT = rf"(?:the |any |all |every )?{_ABOUT}(?=[.,;:()]| from | by | before | because | so |$)"
_SUBJECT = rf"(?:^|[.,;:] ?|and |the ){_ABOUT} (?:is|are|was|were|have been|has been) (?P<no>not |never )?"
_NO = r"\b(?P<no>not |never |no longer |no )?"
_DROPS = r"(?:exclud(?:es|e|ing)|remov(?:es|e|ing)|drops?|filters? out|ignor(?:es|e|ing)|skips?|omits?|leaves out)"
_DROPPED = r"(?:excluded|removed|filtered out|taken out|dropped|left out|ignored|omitted|skipped)\b"
_UNIQUE = r"(?P<about>de-?duplicat\w*|duplicates (?:are )?(?:removed|dropped)|latest (?:version|row|record) (?:per|of))"
_FORMS: tuple[tuple[ClaimForm, re.Pattern[str]], ...] = (
    (ClaimForm.EXCLUDES, re.compile(f"{_NO}{_DROPS} {_OBJECT}")),
    (ClaimForm.EXCLUDES, re.compile(f"{_SUBJECT}{_DROPPED}")),
    (ClaimForm.INCLUDES, re.compile(rf"{_NO}(?:includ(?:es|e|ing)|keeps?|contains?) {_OBJECT}")),
    (ClaimForm.INCLUDES, re.compile(rf"{_SUBJECT}(?:included|kept)\b")),
    (
        ClaimForm.ONE_ROW_PER,
        re.compile(rf"\bone (?:row|record|line) (?:per|for each|for every|is one|is a) {_ABOUT}(?=[.;:()]|$)"),
    ),
    (ClaimForm.DEDUPLICATED, re.compile(f"{_NO}{_UNIQUE}")),
)
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBER = rf"(\d+|{'|'.join(_NUMBERS)})"
_WINDOW = re.compile(rf"\b(?:last|past|previous|within|after|over|of) {_NUMBER} (minute|hour|day|week|month|year)s?\b")
_OPPOSITE = {
    ClaimForm.EXCLUDES: ClaimForm.INCLUDES,
    ClaimForm.INCLUDES: ClaimForm.EXCLUDES,
    ClaimForm.DEDUPLICATED: ClaimForm.NOT_DEDUPLICATED,
}


def claims_in(text: str) -> tuple[Claim, ...]:
    """The claims that a text makes about code, in order of form."""
    plain = re.sub(r"\s+", " ", text.lower()).strip()
    return tuple(dict.fromkeys((*_worded(plain), *_windows(plain))))


def _worded(plain: str) -> Iterator[Claim]:
    for form, pattern in _FORMS:
        for match in pattern.finditer(plain):
            said_no = bool(match.groupdict().get("no"))
            turned = _OPPOSITE.get(form) if said_no else form
            if turned is not None:
                yield Claim(form=turned, about=match.group("about").strip())


def _windows(plain: str) -> Iterator[Claim]:
    for written, unit in _WINDOW.findall(plain):
        number = int(written) if written.isdigit() else _NUMBERS.index(written) + 1
        yield Claim(form=ClaimForm.WINDOW, about=f"{number} {unit}", number=number, unit=unit)


def contradiction(claim: Claim, does: Behaviour) -> str:
    """How the code disagrees with the claim, as a sentence; empty when it agrees or when code cannot tell."""
    return _JUDGES[claim.form](claim, does)


def _about(claim: Claim, does: Behaviour) -> frozenset[str]:
    """What distinguishes the claim's object: its stems without the table's own words."""
    own = stems(does.table.rsplit(".", maxsplit=1)[-1]) | {"account", "data", "table"}
    return (stems(claim.about) - own) or stems(claim.about)


def _amounts(does: Behaviour) -> frozenset[str]:
    """Stems of the columns put out that are no flags: words that need not be about rows."""
    columns = (c for c in does.columns if not c.startswith(("is_", "has_", "was_")))
    return frozenset().union(*(stems(c) for c in columns))


def _excludes(claim: Claim, does: Behaviour) -> str:
    about = _about(claim, does)
    related = [p for p in does.predicates if about & p.mentions]
    if not related and about & _amounts(does):
        return ""  # it may speak of what an amount holds, not of which rows there are
    if not related:
        return f"It says that {claim.about} are excluded; no filter in the code does that."
    kept = [p for p in related if about & p.keeps and not about & p.drops]
    return f"It says that {claim.about} are excluded; the code keeps only them ({kept[0].sql})." if kept else ""


def _includes(claim: Claim, does: Behaviour) -> str:
    about = _about(claim, does)
    dropped = [p for p in does.predicates if about & p.drops]
    return f"It says that {claim.about} are included; the code drops them ({dropped[0].sql})." if dropped else ""


def _one_row_per(claim: Claim, does: Behaviour) -> str:
    if not does.grain:
        return ""
    said = stems(claim.about)
    columns = {column: stems(column) for column in does.grain}
    matched = [c for c, words in columns.items() if words & said]
    times = {"day", "week", "month", "hour", "year", "quarter"}
    finer = [c for c, words in columns.items() if words & times and not words & said]
    if matched and not finer:
        return ""
    return f"It says one row per {claim.about}; the code makes one row per {', '.join(does.grain)}."


def _deduplicated(_: Claim, does: Behaviour) -> str:
    return "" if does.deduplications else "It says that duplicates are removed; the code removes none."


def _not_deduplicated(_: Claim, does: Behaviour) -> str:
    if not does.deduplications:
        return ""
    return f"It says that duplicates stay; the code removes them ({does.deduplications[0].how})."


def _window(claim: Claim, does: Behaviour) -> str:
    numbers = sorted(n for n, unit in does.windows if unit == claim.unit)
    if not numbers or claim.number in numbers:
        return ""
    return f"It says {claim.number} {claim.unit}s; the code says {' and '.join(map(str, numbers))} {claim.unit}s."


_JUDGES = {
    ClaimForm.EXCLUDES: _excludes,
    ClaimForm.INCLUDES: _includes,
    ClaimForm.ONE_ROW_PER: _one_row_per,
    ClaimForm.DEDUPLICATED: _deduplicated,
    ClaimForm.NOT_DEDUPLICATED: _not_deduplicated,
    ClaimForm.WINDOW: _window,
}
