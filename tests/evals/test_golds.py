"""Gold texts: several queries, columns of which any will do, and the pinned clock."""

from __future__ import annotations

from datetime import date

from evals.golds import MAX_GOLDS, at_noon, golds_of

DAY = date(2031, 2, 3)


def test_golds_are_parted_outside_of_quoted_texts() -> None:
    assert golds_of("SELECT ';' AS a; SELECT 2 -- one; two\n;") == ("SELECT ';' AS a", "SELECT 2 -- one; two")


def test_any_of_the_columns_in_braces_will_do_alone_or_together() -> None:
    assert golds_of("SELECT {a.name AS n, a.id}, COUNT(*) FROM a GROUP BY {}") == (
        "SELECT a.name AS n, COUNT(*) FROM a GROUP BY a.name",
        "SELECT a.id, COUNT(*) FROM a GROUP BY a.id",
        "SELECT a.name AS n, a.id, COUNT(*) FROM a GROUP BY a.name, a.id",
    )


def test_commas_in_brackets_and_braces_in_texts_part_nothing() -> None:
    assert golds_of("SELECT {coalesce(a, 0), b} FROM t WHERE c = '{x,y}'")[0] == (
        "SELECT coalesce(a, 0) FROM t WHERE c = '{x,y}'"
    )


def test_choices_of_several_braces_are_all_made_up_to_a_cap() -> None:
    assert len(golds_of("SELECT {a, b}, {c, d} FROM t")) == 9
    many = ", ".join(f"c{n}" for n in range(20))
    assert len(golds_of(f"SELECT {{{many}}} FROM t")) == MAX_GOLDS


def test_the_clock_stands_at_noon_of_the_day() -> None:
    sql = "SELECT CURRENT_DATE - INTERVAL '1 day', now ( ), localtimestamp, 'current_date', \"now()\" -- now()"
    assert at_noon(sql, DAY) == (
        "SELECT DATE '2031-02-03' - INTERVAL '1 day', TIMESTAMPTZ '2031-02-03 12:00:00+00', "
        "TIMESTAMP '2031-02-03 12:00:00', 'current_date', \"now()\" -- now()"
    )


def test_names_that_only_begin_like_a_clock_stay() -> None:
    assert at_noon("SELECT current_dates, known() FROM now", DAY) == "SELECT current_dates, known() FROM now"
