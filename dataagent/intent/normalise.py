"""Words of a question with their place in the original text.

Nothing is thrown away: every character that is not a space belongs to a token,
so that the certificate can cover the question from end to end.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace

from catalog.surfaces import normalise_surface

_CONTRACTIONS = {"s": "is", "re": "are", "ve": "have", "d": "would", "m": "am", "ll": "will"}
_TAKES_IS = frozenset({"what", "who", "where", "when", "how", "that", "it", "there", "here", "which", "let"})
_IRREGULAR_NOT = {"can": "can", "wo": "will", "sha": "shall"}

_TOKEN = re.compile(
    r"""
      (?P<quoted>(?<!\w)"[^"]+"(?!\w)|(?<!\w)'[^']+'(?!\w))
    | (?P<date>\b\d{4}-\d{1,2}-\d{1,2}\b|\b\d{1,2}[/.]\d{1,2}[/.](?:\d{4}|\d{2})\b|\b\d{4}/\d{1,2}/\d{1,2}\b)
    | (?P<path>(?<![\w/])/\w[\w/\-]*)
    | (?P<number>\d+(?:,\d{3})+(?:\.\d+)?(?:k|mm|mn|m|bn|b)?(?!\w)|\d+\.\d+(?:k|mm|mn|m|bn|b)?(?!\w))
    | (?P<negated>\w+n't\b)
    | (?P<contracted>[^\W\d_]+'(?:s|re|ve|d|m|ll)\b)
    | (?P<word>\w+)
    | (?P<other>\S)
    """,
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One word: `text` = question[start:end], `norm` what it is compared by.

    `gap` is what stood before it: " " for white space (or the start), "-" for a
    hyphen that belongs to this token's span, "" when it touches its neighbour.
    """

    text: str
    norm: str
    start: int
    end: int
    gap: str = " "
    quoted: bool = False


def _plain(char: str) -> str:
    """The character in its plain form, always one character so that offsets hold."""
    if char in "\u2018\u2019\u02bc\u2032":
        return "'"
    if char in "\u201c\u201d\u201e\u00ab\u00bb\u2033":
        return '"'
    if char in "\u2010\u2011\u2012\u2013\u2014\u2212":
        return "-"
    if char.isspace():
        return " "
    wide = unicodedata.normalize("NFKC", char)
    return wide if len(wide) == 1 else char


def is_invisible(char: str) -> bool:
    """Whether the character shows nothing: it is no part of a word (byte order marks, zero widths, soft hyphens)."""
    return unicodedata.category(char) == "Cf" or char in _BLANKS


_BLANKS = frozenset("\u034f\u115f\u1160\u3164\uffa0\u180b\u180c\u180d") | {chr(c) for c in range(0xFE00, 0xFE10)}


def visible(question: str) -> str:
    """The question without invisible characters."""
    if question.isascii():
        return question
    return "".join(c for c in question if not is_invisible(c))


def _in_plain(text: str) -> str:
    """The text with each character in its plain form."""
    return text.translate(_ASCII_SPACES) if text.isascii() else "".join(_plain(c) for c in text)


_ASCII_SPACES = {code: " " for code in range(128) if chr(code).isspace()}


def fold(text: str) -> str:
    """The comparison form of a text: the catalog's own normal form, hyphens kept by the caller as gaps."""
    plain = _in_plain(text)
    return normalise_surface(plain) or plain.strip()


def tokens_of(question: str) -> tuple[Token, ...]:
    """The question's tokens, left to right; their offsets are those of the question as it was written."""
    shown = visible(question)
    plain = _in_plain(shown)
    found: list[Token] = []
    for match in _TOKEN.finditer(plain):
        found.extend(_split(match, plain, shown))
    joined = _join_hyphens(found)
    if len(shown) == len(question):
        return tuple(joined)
    places = [i for i, c in enumerate(question) if not is_invisible(c)]
    return tuple(replace(t, start=places[t.start], end=places[t.end - 1] + 1) for t in joined)


def _gap(plain: str, start: int) -> str:
    return " " if start == 0 or plain[start - 1] == " " else ""


def _split(match: re.Match[str], plain: str, question: str) -> list[Token]:
    start, end, kind = match.start(), match.end(), match.lastgroup
    text = match.group()
    whole = Token(
        text=question[start:end],
        norm=text if kind == "date" else fold(text),
        start=start,
        end=end,
        gap=_gap(plain, start),
        quoted=kind == "quoted",
    )
    if kind == "quoted":
        return [replace(whole, norm=fold(text[1:-1]))]
    if kind == "negated":
        stem = text[:-3].casefold()
        return _pair(whole, (_IRREGULAR_NOT.get(stem, stem), "not"), len(stem))
    if kind == "contracted":
        return _contracted(whole, text.casefold())
    return [whole]


def _contracted(whole: Token, text: str) -> list[Token]:
    head, tail = text.split("'", 1)
    if tail == "s" and head not in _TAKES_IS:
        return [replace(whole, norm=head)]
    return _pair(whole, (head, "us" if head == "let" else _CONTRACTIONS[tail]), len(head))


def _pair(whole: Token, norms: tuple[str, str], cut: int) -> list[Token]:
    middle = whole.start + cut
    return [
        Token(text=whole.text[:cut], norm=norms[0], start=whole.start, end=middle, gap=whole.gap),
        Token(text=whole.text[cut:], norm=norms[1], start=middle, end=whole.end, gap=" "),
    ]


def _join_hyphens(found: list[Token]) -> list[Token]:
    """Hyphens between two touching words become the second word's gap."""
    kept: list[Token] = []
    waiting: Token | None = None
    for position, token in enumerate(found):
        following = found[position + 1] if position + 1 < len(found) else None
        inside = token.norm == "-" and token.gap == "" and following is not None and following.gap == ""
        if inside and waiting is None and kept and _wordlike(kept[-1]) and following and _wordlike(following):
            waiting = token
            continue
        if waiting is not None:
            token = Token(text="-" + token.text, norm=token.norm, start=waiting.start, end=token.end, gap="-")
            waiting = None
        kept.append(token)
    return kept


def _wordlike(token: Token) -> bool:
    return not token.quoted and token.norm[-1:].isalnum()


def surface(tokens: tuple[Token, ...], start: int, end: int) -> str:
    """How the index writes tokens[start:end]: hyphens as spaces, touching words touching."""
    if end - start == 1:
        return tokens[start].norm
    first, *others = tokens[start:end] or (_NOTHING,)
    return first.norm + "".join([_led(token.gap, token.norm) for token in others])


def _led(gap: str, norm: str) -> str:
    return f" {norm}" if gap else norm


_NOTHING = Token(text="", norm="", start=0, end=0)
