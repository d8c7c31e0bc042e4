"""Words that are part of a catalog name: never bound, but offered ("response time" → first response time)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import lru_cache

from catalog.lookup import Whole, lookup
from catalog.query import MetricIntent
from catalog.surfaces import normalise_surface
from catalog.terms import TermKind
from catalog.types import CatalogSnapshot
from dataagent.intent.normalise import Token, surface
from dataagent.intent.typefilter.pieces import Setting
from dataagent.intent.types import Option
from dataagent.intent.view import shown
from dataagent.intent.words import phrase_of

MAX_OPTIONS = 4
_MAX_WORDS = 3


def completed(
    tokens: tuple[Token, ...], left: tuple[int, ...], setting: Setting, reads: Callable[[str], MetricIntent | None]
) -> tuple[Option, ...]:
    """Options in which the one unknown phrase is replaced by the metric that its words are part of.

    Empty unless the whole question, so completed, is answered.
    """
    if not left or left[-1] - left[0] >= _MAX_WORDS or len(left) != left[-1] - left[0] + 1:
        return ()
    for start in range(max(0, left[0] - 2), left[-1] + 1):
        phrase = surface(tokens, start, left[-1] + 1)
        names = _holding(phrase, setting)
        options = tuple(_options(tokens, (start, left[-1] + 1), phrase, names, setting=setting, reads=reads))
        if options:
            return options[:MAX_OPTIONS]
    return ()


_SAME = {
    "turnover": "revenue",
    "takings": "revenue",
    "earnings": "revenue",
    "proceeds": "revenue",
}
"""Business words that say what another says which more catalogs use; what they may mean is only ever asked."""


def ready_names(snapshot: CatalogSnapshot) -> None:
    """Makes the names of a catalog's metrics that a phrase may be the end of."""
    _metric_surfaces(Whole(snapshot))


def _holding(phrase: str, setting: Setting) -> tuple[str, ...]:
    """Visible metrics one of whose names ends in the phrase."""
    phrase = _SAME.get(phrase, phrase)
    found: dict[str, None] = {}
    by_last, last = _metric_surfaces(Whole(setting.snapshot)), phrase.rpartition(" ")[2]
    for _, text, metric in sorted({*by_last.get(last, ()), *by_last.get(last.removesuffix("s"), ())}):
        ends = text.endswith((f" {phrase}", f" {phrase.removesuffix('s')}"))
        if ends and setting.permitted(metric):
            found.setdefault(metric)
    return tuple(found)


@lru_cache(maxsize=8)
def _metric_surfaces(whole: Whole) -> dict[str, tuple[tuple[int, str, str], ...]]:
    """The names of metrics by their last word, each with its place in the catalog and its metric."""
    found: defaultdict[str, list[tuple[int, str, str]]] = defaultdict(list)
    for place, metric in enumerate(lookup(whole.snapshot).metrics.values()):
        for text in map(normalise_surface, (metric.name, metric.label, *metric.synonyms)):
            found[text.rpartition(" ")[2]].append((place, text, metric.name))
    return {last: tuple(held) for last, held in found.items() if last}


def _options(
    tokens: tuple[Token, ...],
    span: tuple[int, int],
    phrase: str,
    names: tuple[str, ...],
    *,
    setting: Setting,
    reads: Callable[[str], MetricIntent | None],
) -> Iterable[Option]:
    start, end = span
    for name in names[:MAX_OPTIONS]:
        said = surface_of(name, setting)
        text = " ".join((*_texts(tokens[:start]), said, *_texts(tokens[end:])))
        plan = reads(text)
        if plan is not None and name in plan.metrics:
            yield Option(label=shown(name), question=phrase_of(plan, setting.snapshot), intent=plan, detail=phrase)


def _texts(tokens: tuple[Token, ...]) -> tuple[str, ...]:
    return tuple(t.text for t in tokens)


def surface_of(metric: str, setting: Setting) -> str:
    """A wording that means exactly this metric."""
    words = normalise_surface(metric)
    alone = [t for t in setting.index.lookup(words) if t.kind is TermKind.METRIC]
    return words if len(alone) == 1 else metric
