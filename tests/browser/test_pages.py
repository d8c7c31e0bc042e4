"""What only a real browser shows: keys, the stream, reading without a script, a small screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from dataagent.runs import service as runs
from tests.intent.test_completion import going_on

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
DESK, PHONE = (1440, 900), (360, 740)
Open = Callable[..., Any]


@pytest.fixture
def signed_in(chromium: Any, site: str) -> Iterator[Open]:
    """Opens a page signed in as the analyst; at the end no page may have complained in its console."""
    complaints: list[str] = []
    contexts = []

    def opened(size: tuple[int, int] = DESK, **options: Any) -> Any:
        context = chromium.new_context(viewport={"width": size[0], "height": size[1]}, base_url=site, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto("/sign-in/")
        page.click('button[value="analyst"]')
        page.wait_for_url("**/ask/")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


def ask(page: Any, question: str) -> None:
    page.fill("#question", question)
    page.keyboard.press("Enter")


def test_a_question_is_asked_with_keys_and_its_steps_turn_into_the_document(signed_in: Open) -> None:
    page = signed_in()
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "question"
    page.keyboard.type("net revenue by month")
    page.keyboard.press("Enter")
    page.wait_for_selector(".steps li:has-text('Reading your question')")
    page.evaluate("window.sameVisit = true")
    page.wait_for_selector(".headline strong")
    assert page.evaluate("window.sameVisit"), "the document came through the stream, without a reload"
    assert "answered" in page.inner_text(".turns")
    assert page.evaluate("document.querySelector('[sse-connect]')") is None


def test_a_question_is_completed_with_keys_while_it_is_typed(signed_in: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "complete", lambda _, text: going_on(text))
    page = signed_in()
    page.click("#question")
    page.keyboard.type("late")
    page.wait_for_selector("#completions li:has-text('late rate')")
    page.keyboard.press("ArrowDown")
    assert page.get_attribute("#question", "aria-activedescendant") == "completion-1"
    page.keyboard.press("Enter")
    assert page.input_value("#question") == "late rate "
    assert page.is_hidden("#completions")
    page.keyboard.type("by gen")
    page.wait_for_selector("#completions li:has-text('genre')")
    page.keyboard.press("Escape")
    assert page.is_hidden("#completions")
    assert page.input_value("#question") == "late rate by gen"


def test_a_clarification_takes_one_click(signed_in: Open) -> None:
    page = signed_in()
    ask(page, "revenue last month")
    page.click("button.option:has-text('Net revenue')")
    page.wait_for_selector(".stat dd")
    assert "1\u202f284" in page.inner_text(".stat dd")


def test_without_a_script_the_page_reloads_into_the_answer(signed_in: Open) -> None:
    page = signed_in(java_script_enabled=False)
    page.fill("#question", "how many orders yesterday?")
    page.click(".ask button")
    page.wait_for_selector(".stat dd", timeout=10_000)
    assert "1\u202f284" in page.inner_text(".stat dd")
    assert page.locator("details.fold").count() >= 1


def test_on_a_small_phone_nothing_sticks_out(signed_in: Open) -> None:
    page = signed_in(PHONE)
    for question in ("net revenue by month", "top products", "everything", "gross margin", "employee"):
        page.goto("/ask/")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
        ask(page, question)
        page.wait_for_selector("article:is([data-state=answered], [data-state=refused], [data-state=abstained])")
        page.evaluate("document.querySelectorAll('details.fold').forEach(fold => fold.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0], question


def test_charts_and_tables_are_read_and_sorted_in_place(signed_in: Open) -> None:
    page = signed_in()
    ask(page, "net revenue by month")
    page.wait_for_selector(".chart-wide .hit")
    page.locator(".chart-wide .hit").nth(2).hover()
    assert page.inner_text(".readout") == "Mar 2025: $905\u202f412"
    page.focus(".chart-wide")
    page.keyboard.press("ArrowRight")
    assert page.inner_text(".readout").startswith("Apr 2025")
    page.click("thead th:nth-child(2) button")
    assert "Apr 2025" in page.locator("tbody tr").first.inner_text()
    assert page.get_attribute("thead th:nth-child(2)", "aria-sort") == "descending"


def test_a_default_is_changed_in_one_click(signed_in: Open) -> None:
    page = signed_in()
    ask(page, "net revenue by month")
    page.click("summary.chip:has-text('time range')")
    page.click("button:has-text('last 12 months')")
    page.wait_for_selector(".turns li:nth-child(2)")
    assert page.inner_text(".question") == "net revenue by month last 12 months"


def test_a_word_tells_what_it_was_bound_to_and_another_meaning_takes_one_click(signed_in: Open) -> None:
    page = signed_in()
    ask(page, "top 5 products by units sold last quarter")
    word = page.wait_for_selector(".word-menu summary:has-text('units sold')")
    word.focus()
    page.keyboard.press("Enter")
    assert "metric: units_sold" in page.inner_text(".word-menu[open] .menu-body")
    page.keyboard.press("Escape")
    assert page.query_selector(".word-menu[open]") is None
    assert page.evaluate("document.activeElement.textContent") == "units sold"
    page.keyboard.press("Enter")
    page.click(".word-menu[open] button:has-text('orders')")
    page.wait_for_selector(".turns li:nth-child(2)")
    assert page.inner_text(".question") == "top 5 products by orders last quarter"


def test_an_inherited_part_is_left_out_in_one_click_without_a_script_too(signed_in: Open) -> None:
    page = signed_in(PHONE, java_script_enabled=False)
    page.fill("#question", "top 5 products by units sold last quarter")
    page.click("form.ask button")
    page.wait_for_timeout(2500)
    page.reload()
    page.click("summary.chip:has-text('Units sold')")
    assert "cannot be left out" in page.inner_text(".menu[open] .menu-body")
    page.click("summary.chip:has-text('region is EMEA')")
    assert "units in EMEA" in page.inner_text(".menu[open] >> nth=-1")
    page.click("button:has-text('Ask again without it')")
    page.wait_for_timeout(500)
    assert "top 5 products" in page.inner_text(".turns")


def test_the_keys_are_shown_and_the_theme_is_remembered(signed_in: Open) -> None:
    page = signed_in(color_scheme="light")
    page.keyboard.press("?")
    assert page.is_visible("#keys")
    page.keyboard.press("Escape")
    assert not page.is_visible("#keys")
    page.click("[data-theme-toggle] button")
    page.reload()
    assert page.get_attribute("html", "data-theme") == "dark"


def test_a_running_question_is_cancelled(signed_in: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.browser.conftest.STEP_S", 2.0)
    page = signed_in()
    ask(page, "net revenue by month")
    page.click("button:has-text('Cancel')")
    page.wait_for_selector("article[data-state=cancelled]", timeout=10_000)
    assert "You cancelled this question." in page.inner_text(".headline")
