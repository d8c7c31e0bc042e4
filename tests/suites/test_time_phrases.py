"""Two public corpora of time phrases: no reading differs from them without a stated convention that explains it."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date
from pathlib import Path

import pytest
from django.conf import settings

from evals.cases import CaseError
from evals.service.phrases import read_phrases
from evals.timephrases import Read, TimePhrase, Verdict, phrases_in, verdict

FOLDER = settings.SUITES / "time"
TODAY = date(2016, 11, 7)


@pytest.mark.suite
@pytest.mark.skipif(not FOLDER.is_dir(), reason="needs the public suites; set DATAAGENT_SUITES")
@pytest.mark.parametrize(("corpus", "explained"), [("recognizers", 125), ("duckling", 125)])
def test_no_phrase_of_the_public_corpora_is_read_silently_wrong(corpus: str, explained: int) -> None:
    found = [(c.phrase, v, r) for c, v, r in read_phrases(FOLDER) if c.corpus.startswith(corpus)]
    assert [(phrase, r) for phrase, v, r in found if v is Verdict.WRONG] == []
    counts = Counter(v for _, v, _ in found)
    apart = sum(counts[v] for v in (Verdict.UNREAD, Verdict.ASKED, Verdict.FUTURE, Verdict.NO_GOLD))
    assert counts.total() - apart >= explained


@pytest.mark.parametrize(
    ("phrase", "expected", "got"),
    [
        ("from 2014 to 2018", ("2014-01-01", "2018-01-01"), ("2014-01-01", "2020-01-01")),
        ("since late july", ("2016-07-16", None), ("2016-07-21", "2016-11-08")),
        ("march", ("2017-03-01", "2017-04-01"), ("2015-03-01", "2015-04-01")),
        ("march 2017", ("2017-03-01", "2017-04-01"), ("2016-03-01", "2016-04-01")),
        ("last week of dec 2015", ("2015-12-28", "2016-01-04"), ("2015-12-01", "2015-12-08")),
        ("end of 2000", ("2000-09-01", "2001-01-01"), ("2000-12-30", "2001-01-01")),
        ("last 2 months", ("2016-09-07", "2016-11-07"), ("2016-07-01", "2016-09-01")),
        ("previous wednesday", ("2016-10-26", "2016-10-27"), ("2016-10-27", "2016-10-28")),
    ],
)
def test_a_difference_that_no_convention_explains_is_wrong(
    phrase: str, expected: tuple[str | None, str | None], got: tuple[str, str]
) -> None:
    windows = [tuple(date.fromisoformat(d) if d else None for d in pair) for pair in (expected, got)]
    case = TimePhrase(corpus="made", phrase=phrase, today=TODAY, expected=((windows[0][0], windows[0][1]),))
    read = Read(window=(windows[1][0], windows[1][1]), asks=False, ahead=False)
    assert verdict(case, read) is Verdict.WRONG


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("other.json", "[]", "no corpus of time phrases"),
        ("recognizers.json", "[{}]", "not in the form"),
        ("duckling.json", "no json", "not in the form"),
    ],
)
def test_a_file_that_is_no_corpus_is_refused_with_a_sentence(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(CaseError) as refused:
        phrases_in(tmp_path)
    assert said in refused.value.complaints[0]


def test_a_folder_without_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CaseError):
        phrases_in(tmp_path)


def test_json_is_read_as_it_is_written(tmp_path: Path) -> None:
    given = {"phrase": "in 2012", "kind": "datetime", "start": [2012, 1, 1, 0, 0, 0], "end": None, "grain": "Year"}
    (tmp_path / "duckling.json").write_text(json.dumps([given]), encoding="utf-8")
    assert phrases_in(tmp_path)[0].expected == ((date(2012, 1, 1), date(2013, 1, 1)),)
