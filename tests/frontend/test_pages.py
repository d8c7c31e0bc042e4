"""Every state of the document is drawn from a value: complete, escaped, without inline script or style."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from django.template.loader import render_to_string
from django.test import RequestFactory

from dataagent.answering.types import Inherited, WordChoice
from dataagent.runs.types import RunState
from frontend.contexts.run import conversations, run_document
from frontend.contexts.shell import shell
from tests.frontend.samples import ANALYST, RUNS, by_month, events, run_of

VOID = {"meta", "link", "input", "br", "img", "hr"}
HOSTILE = "<img src=x onerror=alert(1)><script>alert(1)</script>"


class Outline(HTMLParser):
    """Collects attributes and tags, and checks that tags are closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.ids: list[str] = []
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        self.ids += [value or "" for name, value in attrs if name == "id"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def page_of(name: str) -> str:
    run = RUNS[name]
    context = {
        "shell": shell(run.question, ANALYST, place="ask"),
        "run": run_document(run, events() if name == "running" else (), [run]),
        "conversations": conversations((), [run], run),
    }
    return render_to_string("frontend/run/page.html", context, request=RequestFactory().get("/"))


def outline_of(html: str) -> Outline:
    outline = Outline()
    outline.feed(html)
    return outline


@pytest.mark.parametrize("name", sorted(RUNS))
def test_a_page_is_well_formed_and_its_ids_are_unique(name: str) -> None:
    outline = outline_of(page_of(name))
    assert outline.wrong == []
    assert outline.open == []
    assert len(outline.ids) == len(set(outline.ids))


@pytest.mark.parametrize("name", sorted(RUNS))
def test_a_page_has_no_inline_script_style_or_handler(name: str) -> None:
    html = page_of(name)
    outline = outline_of(html)
    assert [a for a in outline.attributes if a[1] == "style" or a[1].startswith("on")] == []
    assert re.findall(r"<script(?![^>]*\bsrc=)", html) == []
    assert "<style" not in html


@pytest.mark.parametrize("name", sorted(RUNS))
def test_a_page_has_landmarks_one_first_heading_and_a_way_past_the_bar(name: str) -> None:
    html = page_of(name)
    assert html.count("<main") == 1
    assert html.count("<h1") == 1
    assert 'href="#main"' in html


def test_an_answer_shows_all_that_it_rests_on() -> None:
    html = page_of("by_month")
    for part in (
        "4\u202f692\u202f513.06\u202fUSD",
        "year to date",
        "June is not over",
        "region is EMEA",
        "version 3",
        "SELECT",
        "The months add up to the total.",
        "9f2c4e1b7a6d",
        "net revenue by country this year for EMEA",
        "<svg",
        "not arrived yet: 14 Jun 2025",
    ):
        assert part in html, part


def test_a_default_can_be_changed_in_one_click_that_asks_again() -> None:
    html = page_of("by_month")
    asked = (
        '<button name="question" value="net revenue by month this year for EMEA last 12 months">last 12 months</button>'
    )
    assert asked in html
    assert '<input type="hidden" name="session" value="s1">' in html


def test_the_question_is_whole_when_its_words_are_marked() -> None:
    run = RUNS["by_month"]
    document = run_document(run)
    assert document.answer is not None
    assert "".join(segment.text for segment in document.answer.segments) == run.question


def test_an_unbound_word_is_marked_and_the_near_terms_are_offered() -> None:
    html = page_of("abstain")
    assert 'data-kind="unbound"' in html
    assert 'value="revenue per customer"' in html


def test_a_clarification_offers_each_reading_as_a_button() -> None:
    html = page_of("clarify")
    assert re.findall(r'name="choice" value="(\d)"', html) == ["0", "1"]


def test_a_refusal_says_what_can_be_done() -> None:
    html = page_of("refused")
    assert "Request access" in html
    assert 'value="net revenue by category"' in html
    assert 'value="gross_margin"' not in html


def test_an_empty_result_gives_no_number() -> None:
    html = page_of("empty")
    assert "No rows matched" in html
    assert 'class="stat"' not in html
    assert "<svg class=" not in html.split("<article", 1)[1].split("</article>", 1)[0]


def test_a_running_question_reloads_without_a_script_and_can_be_cancelled() -> None:
    html = page_of("running")
    assert '<noscript><meta http-equiv="refresh" content="1"></noscript>' in html
    assert 'sse-connect="/runs/r1/events/?after=4"' in html
    assert 'action="/runs/r1/cancel/"' in html
    assert 'aria-live="polite"' in html


def test_a_finished_page_does_not_reload() -> None:
    assert 'http-equiv="refresh"' not in page_of("by_month")


def test_a_very_large_result_shows_its_first_rows_and_says_how_many() -> None:
    html = page_of("very_large")
    assert html.count("<tr>") < 210
    assert "The first 200 of 10\u202f000 rows are shown." in html
    assert "cut at 10\u202f000 rows" in html


def test_text_from_outside_stays_text() -> None:
    answer = replace(
        by_month(),
        headline=HOSTILE,
        claims=(),
        caveats=(HOSTILE,),
        assumptions=(HOSTILE,),
        sql=HOSTILE,
        row_scope=(HOSTILE,),
        next_questions=(HOSTILE,),
        rows=((HOSTILE, None),),
        restatement=HOSTILE,
        choices=tuple(
            WordChoice(start=b.start, end=b.end, label=HOSTILE, question=HOSTILE) for b in by_month().certificate
        ),
        inherited=(Inherited(label=HOSTILE, turn=HOSTILE, run_id="", question=HOSTILE),),
    )
    run = replace(run_of(answer, RunState.ANSWERED), question=HOSTILE)
    context = {"shell": shell("x", ANALYST), "run": run_document(run), "conversations": ()}
    html = render_to_string("frontend/run/page.html", context, request=RequestFactory().get("/"))
    assert "<img src=x" not in html
    assert "<script>alert" not in html
    assert html.count("&lt;script&gt;") >= 6


def test_a_reader_who_did_not_ask_cannot_go_on_from_there() -> None:
    run = RUNS["by_month"]
    mine, others = (
        render_to_string(
            "frontend/run/_part.html", {"run": run_document(run, own=own)}, request=RequestFactory().get("/")
        )
        for own in (True, False)
    )
    assert 'id="question"' in mine
    assert 'id="question"' not in others
    assert "Ask next" not in others


def test_the_chart_can_be_changed() -> None:
    run = RUNS["by_month"]
    line, bars = (
        render_to_string(
            "frontend/run/_part.html", {"run": run_document(run, chart=kind)}, request=RequestFactory().get("/")
        )
        for kind in ("", "bar")
    )
    assert 'class="line s1"' in line
    assert 'class="bar s1"' in bars
