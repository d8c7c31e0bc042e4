"""An answer as text for a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable

import sqlglot

from dataagent.answering.numerals import cell_text
from dataagent.answering.types import Answer
from dataagent.intent.types import BoundTo
from dataagent.runs.types import RunView

DIALECT = "duckdb"
MAX_ROWS = 40
MAX_WIDTH = 44

Write = Callable[[str], None]


def _harmless(write: Write) -> Write:
    """The same writer without control and direction characters: text must not drive the terminal."""

    def written(text: str) -> None:
        write("".join(c if c == "\n" or unicodedata.category(c) not in ("Cc", "Cf") else "\ufffd" for c in text))

    return written


def print_run(run: RunView, write: Write) -> None:
    """Writes the headline, the table and all that the answer rests on."""
    answer = run.answer
    if answer is None:
        write(f"This question is {run.state.value}.")
        return
    write = _harmless(write)
    write(answer.headline)
    for line in (answer.subline, answer.restatement):
        if line and line != answer.headline:
            write(line)
    if answer.columns and answer.rows:
        write("")
        _table(answer, write)
    _stop(answer, write)
    _lists(answer, write)
    _reading(answer, write)
    if answer.sql:
        write(f"\nSQL that ran\n{_indented(answer.sql)}")
    _record(run, write)


def _table(answer: Answer, write: Write) -> None:
    shown = answer.rows[:MAX_ROWS]
    head = [c.label or c.name for c in answer.columns]
    body = [[_cut(cell_text(v, c)) for v, c in zip(row, answer.columns, strict=True)] for row in shown]
    numeric = [all(not isinstance(row[i], str) for row in shown) for i in range(len(head))]
    widths = [max(len(line[i]) for line in [head, *body]) for i in range(len(head))]
    for line in [head, ["-" * w for w in widths], *body]:
        cells = (t.rjust(w) if n else t.ljust(w) for t, w, n in zip(line, widths, numeric, strict=True))
        write("  " + "  ".join(cells).rstrip())
    if len(answer.rows) > MAX_ROWS:
        write(f"  … and {len(answer.rows) - MAX_ROWS} more rows")
    if answer.truncated:
        write("  The result was cut at the row limit.")


def _stop(answer: Answer, write: Write) -> None:
    if answer.options:
        write(f"\n{answer.prompt}" if answer.prompt and answer.prompt != answer.headline else "")
        for number, option in enumerate(answer.options, start=1):
            write(f"  {number}. {option.label}" + (f": {option.detail}" if option.detail else ""))
        write("Choose with --choose NUMBER --session SESSION.")
    limitation = answer.limitation
    if limitation is None:
        return
    if limitation.message != answer.headline:
        write(limitation.message)
    if limitation.suggestions:
        write("You can ask: " + "; ".join(limitation.suggestions))
    if limitation.ask_whom:
        write(f"Who can help: {limitation.ask_whom}")


def _lists(answer: Answer, write: Write) -> None:
    _section("Decided for you", (f"{d.text} ({d.key}: {d.value})" for d in answer.defaults), write)
    _section("Assumed", answer.assumptions, write)
    _section("Be careful", answer.caveats, write)
    _section("Only these rows", answer.row_scope, write)
    _section("Checked", (f"{c.name}: {c.outcome.value}. {c.detail}" for c in answer.checks), write)
    _section("Sources", (f"{s.title}, version {s.version}" for s in answer.sources), write)


def _reading(answer: Answer, write: Write) -> None:
    words = (
        f"“{b.text}” → {b.target or b.kind.value}" + (f" ({b.note})" if b.note else "")
        for b in answer.certificate
        if b.kind is not BoundTo.IGNORABLE
    )
    _section("How each word was read", words, write)


def _record(run: RunView, write: Write) -> None:
    write("")
    write(f"Receipt  {run.receipt_digest or 'none yet: the question waits for you'}")
    write(f"Run      {run.id}")
    write(f"Session  {run.session_id}")


def _section(title: str, lines: Iterable[str], write: Write) -> None:
    found = list(lines)
    if found:
        write(f"\n{title}")
        for line in found:
            write(f"  - {line}")


def _indented(sql: str) -> str:
    """The SQL laid out over lines; as it stands where it cannot be parsed."""
    try:
        laid_out = sqlglot.transpile(sql, read=DIALECT, write=DIALECT, pretty=True)[0]
    except sqlglot.errors.SqlglotError:
        laid_out = sql
    return "\n".join(f"  {line}" for line in laid_out.splitlines())


def _cut(text: str) -> str:
    return text if len(text) <= MAX_WIDTH else text[: MAX_WIDTH - 1] + "…"
