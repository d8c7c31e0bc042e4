"""Words for what comes back in time ("day of the week") and for the company's own periods, as things to group by."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from catalog.surfaces import inflections, normalise_surface
from catalog.terms import TermIndex, TermKind
from catalog.timeparts import custom_periods, part_reference, period_reference
from catalog.types import CatalogSnapshot, DatePart
from dataagent.intent.normalise import Token, surface
from dataagent.intent.parts import Ref
from dataagent.intent.types import BoundTo

_FORMS = {
    DatePart.DAY_OF_WEEK: ("day of the week", "day of week", "days of the week", "weekday", "weekdays", "week day"),
    DatePart.HOUR: ("hour of the day", "hour of day", "hours of the day", "time of day", "time of the day"),
    DatePart.MONTH: (
        "month of the year", "month of year", "months of the year", "month of the year across years",
        "month of the year across all years", "month across years", "month across all years",
    ),
    DatePart.QUARTER: ("quarter of the year", "quarter of year", "quarter across years", "quarter across all years"),
    DatePart.DAY: ("day of the month", "day of month", "days of the month"),
    DatePart.DAY_OF_YEAR: ("day of the year", "day of year"),
    DatePart.FISCAL_YEAR: ("fiscal year", "fiscal years", "financial year", "financial years"),
    DatePart.FISCAL_QUARTER: ("fiscal quarter", "fiscal quarters", "financial quarter", "financial quarters"),
    DatePart.FISCAL_MONTH: ("fiscal month", "fiscal months", "financial month", "financial months"),
}  # fmt: skip
_PARTS = {form: part_reference(part) for part, forms in _FORMS.items() for form in forms}
_LONGEST = max(len(form.split()) for form in _PARTS)


def recurring_refs(
    tokens: tuple[Token, ...], snapshot: CatalogSnapshot, index: TermIndex
) -> Iterator[tuple[tuple[int, int], Ref]]:
    """Each such phrase with its span, unless the catalog has a dimension of that name."""
    known = _known(custom_periods(snapshot))
    for start in range(len(tokens)):
        for end in range(start + 1, min(len(tokens), start + _LONGEST) + 1):
            text = surface(tokens, start, end)
            if text in known and not any(t.kind is TermKind.DIMENSION for t in index.lookup(text)):
                yield (start, end), Ref(kind=BoundTo.DIMENSION, targets=(known[text],), surface=text, words=end - start)


@lru_cache(maxsize=32)
def _known(own_periods: tuple[str, ...]) -> dict[str, str]:
    """The reference of each such phrase, those of the catalog's own periods among them."""
    own = {form: period_reference(name) for name in own_periods for form in _forms(name)}
    return _PARTS | own


def _forms(name: str) -> frozenset[str]:
    words = normalise_surface(name)
    return inflections(words) | {words}
