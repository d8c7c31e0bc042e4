"""A snapshot → one OSI 1.0 document, with the list of what other tools do not see in it.

What OSI has words for is written in them.  Where reading that back does not give the
same catalog, the whole catalog is added as a custom extension beside the digest of the
rest, so that our own import gives back all of it unless another tool changed the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from catalog.content import encode
from catalog.exporters.losses import Loss, losses_between
from catalog.exporters.osi_metrics import Writer
from catalog.exporters.osi_parts import DatasetWriter, Given, Kept, told
from catalog.exporters.own import yaml_text
from catalog.importers.given import BadPart
from catalog.importers.osi import snapshot_of_osi
from catalog.importers.osi_embedded import EMBEDDED, VENDOR, native_digest
from catalog.importers.osi_formula import Calculation, World, calculation_of
from catalog.importers.yaml_source import Document, Path_
from catalog.issues import CatalogError
from catalog.types import CatalogSnapshot, Metric

_READER = "A tool that reads OSI"


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """The document's text, and what only our own import reads back from it."""

    text: str
    losses: tuple[Loss, ...]


def osi_yaml(snapshot: CatalogSnapshot, *, file: str = "osi.yaml") -> Exported:
    """The catalog as OSI YAML; the same bytes for the same content."""
    document = Kept(snapshot).value("catalog", "document")
    root: Given = dict(document) if isinstance(document, dict) else {}
    body, back = _readable(snapshot, root)
    if back is not None and back.digest == snapshot.digest:
        return Exported(text=_text(body, root), losses=())
    losses = losses_between(snapshot, back or _empty(snapshot), file=file, reader=_READER)
    return Exported(text=_text(_with_catalog(body, snapshot), root), losses=losses)


def _text(body: Given, root: Given) -> str:
    plain = json.loads(json.dumps({**root, "semantic_model": [body]}, ensure_ascii=False, default=str))
    return yaml_text(plain)


def _empty(snapshot: CatalogSnapshot) -> CatalogSnapshot:
    return CatalogSnapshot(name=snapshot.name, digest="", dialect=snapshot.dialect, models=(), metrics=())


def _with_catalog(body: Given, snapshot: CatalogSnapshot) -> Given:
    content = {EMBEDDED: encode(snapshot), "beside": native_digest(body)}
    text = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    held = body.get("custom_extensions")
    return {
        **body,
        "custom_extensions": [*(held if isinstance(held, list) else []), {"vendor_name": VENDOR, "data": text}],
    }


def _readable(snapshot: CatalogSnapshot, root: Given) -> tuple[Given, CatalogSnapshot | None]:
    """The document without the parts that could not be read back, and what reading it gives."""
    body = _body(snapshot)
    for _ in range(3):
        try:
            return body, snapshot_of_osi(_located(body, root))
        except CatalogError as bad:
            lines = {i.source.line for i in bad.issues if i.source}
            body = _without(body, lines)
    return body, None


_LISTS = ("datasets", "relationships", "metrics")


def _located(body: Given, root: Given) -> Document:
    """The document, each of its parts on a line of its own."""
    lines: dict[Path_, int] = {}
    for line, (key, place) in enumerate(_places(body), 2):
        lines["semantic_model", 0, key, place] = line
    plain = json.loads(json.dumps({**root, "semantic_model": [body]}, default=str))
    return Document("osi", plain, lines)


def _places(body: Given) -> Iterator[tuple[str, int]]:
    for key in _LISTS:
        held = body.get(key)
        yield from ((key, i) for i, _ in enumerate(held if isinstance(held, list) else []))


def _without(body: Given, lines: set[int]) -> Given:
    bad = {place for line, place in enumerate(_places(body), 2) if line in lines}
    made = dict(body)
    for key in _LISTS:
        held = body.get(key)
        if isinstance(held, list):
            made[key] = [part for i, part in enumerate(held) if (key, i) not in bad]
    return made


def _body(snapshot: CatalogSnapshot) -> Given:
    kept = Kept(snapshot)
    datasets = DatasetWriter(snapshot, kept)
    written = [datasets.dataset(m) for m in snapshot.models]
    fields = {
        model.name: {str(f["name"]): _ansi(f) for f in _fields(dataset)}
        for model, dataset in zip(snapshot.models, written, strict=True)
    }
    keys = {m.name: frozenset(e.columns()) for m in snapshot.models if (e := m.primary_entity())}
    world = World(fields=fields, keys=keys, dialect=snapshot.dialect)
    metrics = _Metrics(snapshot, kept, Writer(snapshot, fields), world)
    loose = [json.loads(text) for text in kept.texts("catalog", "relationship")]
    return told(
        name=snapshot.name,
        description=kept.text("catalog", "description"),
        ai_context=kept.context("catalog", tuple(kept.text("catalog", "synonyms").splitlines())),
        datasets=written,
        relationships=[*datasets.relationships(), *loose],
        metrics=[m for metric in snapshot.metrics if not metric.hidden for m in metrics.written(metric)],
        custom_extensions=kept.value("catalog", "custom_extensions"),
    )


def _fields(dataset: Given) -> list[Given]:
    held = dataset.get("fields")
    return held if isinstance(held, list) else []


def _ansi(field: Given) -> str:
    expression = field.get("expression")
    dialects = expression.get("dialects") if isinstance(expression, dict) else None
    first = dialects[0] if isinstance(dialects, list) and dialects else {}
    return str(first.get("expression", "")) if isinstance(first, dict) else ""


@dataclass(frozen=True, slots=True)
class _Metrics:
    snapshot: CatalogSnapshot
    kept: Kept
    writer: Writer
    world: World

    def written(self, metric: Metric) -> Iterator[Given]:
        """The metric, where one expression says all of it."""
        text = self.writer.text(metric)
        if text is None:
            return
        about = f"metric.{metric.name}"
        name = self.kept.text(about, "name")
        yield told(
            name=name or metric.name,
            expression={"dialects": [*self._dialects(about, text)]},
            datatype=self.kept.text(about, "datatype"),
            description=metric.description,
            ai_context=self.kept.context(about, metric.synonyms),
            custom_extensions=self.kept.value(about, "custom_extensions"),
        )

    def _dialects(self, about: str, text: str) -> Iterator[Given]:
        held = self.kept.value(about, "expression.ANSI_SQL")
        own = str(held.get("expression")) if isinstance(held, dict) else ""
        read = own if own and self._same(own, text) else text
        yield {"dialect": "ANSI_SQL", "expression": read}
        for dialect in ("SNOWFLAKE", "MDX", "TABLEAU", "DATABRICKS"):
            other = self.kept.value(about, f"expression.{dialect}")
            if isinstance(other, dict) and self._same(str(other.get("beside")), text):
                yield {"dialect": dialect, "expression": str(other.get("expression"))}

    def _same(self, one: str, other: str) -> bool:
        """Whether two expressions compute the same, so that the author's own words may stand."""
        try:
            return _essence(calculation_of(one, self.world)) == _essence(calculation_of(other, self.world))
        except BadPart:
            return False


def _essence(calculation: Calculation) -> tuple[object, ...]:
    return (calculation.parts, "ratio" if calculation.is_ratio else calculation.formula)
