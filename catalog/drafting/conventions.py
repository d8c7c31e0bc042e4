"""What a column's name gives away: a key, a code, a rate, a balance, a person.  Careful: in doubt, no sum is drafted.

Nothing here is proof.  A convention may take a measure away or mark a column as personal;
it never adds a join and never widens what may be seen.
"""

from __future__ import annotations

import re
from enum import StrEnum

from catalog.drafting.types import ColumnKind
from catalog.types import MetricFormat


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


class Role(StrEnum):
    """What a column is good for."""

    AMOUNT = "amount"
    AVERAGE_ONLY = "average_only"
    BALANCE = "balance"
    NUMBER = "number"
    CATEGORY = "category"
    FREE_TEXT = "free_text"
    IDENTIFIER = "identifier"
    YES_NO = "yes_no"
    TIME = "time"
    UNUSED = "unused"


_IDENTIFYING = _words(
    "id ids key pk fk uuid guid sku isbn issn ean upc vin ndc hash token slug ref reference serial barcode code"
)
_NUMBERED = _words("num no nr number")
_NO_WORDS_IN_ID = _words("paid bid grid void valid invalid solid liquid rapid hybrid fluid acid kid aid mid covid")
_NO_AMOUNT = _words(
    "year date dt epoch timestamp ts zip postcode postal phone fax mobile tel lat latitude lon lng long longitude"
)
_NO_AMOUNT_AT_THE_END = _words(
    "month quarter week day hour minute weekday version level rank ranking position order sequence seq ordinal index"
    " idx code x y z port pin status flag type category class"
)
_CLOCK = _words("time")
_RATES = _words(
    "age altitude area average avg capacity close coefficient confidence density depth distance distant elevation"
    " factor fraction freq frequency gmt height high highest interval length limit list low lowest margin max"
    " maximum mean median min minimum multiplier offset open pct per percent percentage percentile probability"
    " proportion radius range rate rating ratio score share span speed stddev target temp temperature threshold"
    " unit utc variance velocity weight width yield"
)
_AMOUNTS = _words(
    "count cnt qty quantity amount amt total sum revenue cost price fee paid spend spent tax discount volume population"
    " fare income expense profit turnover value elapsed duration usd eur gbp cents"
)
"""Words that make a whole number one that adds up; a plural (`stops`, `units_sold`) does as well."""
_NO_AMOUNT_STEMS = ("epoch", "timestamp", "percent", "latitude", "longitude", "zipcode", "postal")
_BALANCES = _words("balance stock inventory headcount outstanding backlog onhand")
_FREE = _words(
    "description desc comment comments note notes remark remarks text body content message abstract summary bio url uri"
    " link homepage website path file image photo picture json xml html payload details detail instructions transcript"
)
_DURATION = _words("s sec secs second seconds min mins minute minutes hr hrs hour hours ms duration elapsed days")
_PERSONAL = _words(
    "email mail phone fax tel telephone mobile cell ssn passport birth birthday birthdate dob address addr addr1 addr2"
    " address1 address2 street iban firstname lastname surname maiden password passwd secret salary wage religion"
    " ethnicity nationality fingerprint biometric cvv ip latitude longitude lat lon lng postcode postal zip"
)
_PERSONAL_PAIRS = (
    _words("first name"), _words("last name"), _words("middle name"), _words("full name"), _words("given name"),
    _words("family name"), _words("social security"), _words("credit card"), _words("card number"),
    _words("account number"), _words("national id"), _words("tax id"), _words("license number"),
    _words("policy num"), _words("policy number"), _words("drivers license"), _words("house number"),
)  # fmt: skip
_PERSONAL_STEMS = (
    "email", "phone", "address", "birth", "passport", "password", "surname", "firstname", "lastname", "fullname",
    "username", "custname", "customername", "clientname", "patientname", "postal", "zipcode",
)  # fmt: skip
_PEOPLE = _words(
    "customer cust client user usr emp person people patient employee member contact author doctor physician student"
    " teacher staff salesperson guest subscriber applicant candidate driver owner agent passenger borrower donor player"
    " nurse subject participant individual resident tenant buyer seller lead worker profile account"
)
_NAMES = _words("name fullname")
_LABELS = ("name", "title", "label")


def role_of(words: tuple[str, ...], kind: ColumnKind) -> Role:
    """What a column that is no key is good for, by its words and the kind of its type."""
    by_kind = {
        ColumnKind.BOOLEAN: Role.YES_NO,
        ColumnKind.DATE: Role.TIME,
        ColumnKind.TIMESTAMP: Role.TIME,
        ColumnKind.TIME: Role.FREE_TEXT,
        ColumnKind.UUID: Role.IDENTIFIER,
        ColumnKind.OTHER: Role.UNUSED,
    }
    if kind in by_kind:
        return by_kind[kind]
    return _role_of_text(words) if kind is ColumnKind.TEXT else _role_of_number(words, kind)


def _role_of_text(words: tuple[str, ...]) -> Role:
    if words and (words[-1] in {"id", "uuid", "guid", "hash", "token"} or _ends_in_id(words[-1])):
        return Role.IDENTIFIER
    return Role.FREE_TEXT if words and _FREE & {words[0], words[-1]} else Role.CATEGORY


def _role_of_number(words: tuple[str, ...], kind: ColumnKind) -> Role:
    parts = set(words)
    if not words or _identifies(words, kind):
        return Role.IDENTIFIER
    if "epoch" in parts or (parts & _CLOCK and not parts & _DURATION):
        return Role.NUMBER
    if _is_rate(parts, words):
        return Role.AVERAGE_ONLY
    if (parts & _NO_AMOUNT or words[-1] in _NO_AMOUNT_AT_THE_END or _is_stem(words)) and not _is_duration(words):
        return Role.NUMBER
    if parts & _BALANCES or {"on", "hand"} <= parts:
        return Role.BALANCE
    return Role.AMOUNT if kind is ColumnKind.NUMBER or _adds_up(words) else Role.NUMBER


def _adds_up(words: tuple[str, ...]) -> bool:
    """Whether a whole number says that it counts something; one that does not may be a key of some kind."""
    plurals = (w for w in words if len(w) > 3 and w.endswith("s") and not w.endswith(("ss", "us", "is")))
    return bool(_AMOUNTS & set(words)) or any(True for _ in plurals) or _is_duration(words)


def _is_stem(words: tuple[str, ...]) -> bool:
    return any(stem in "".join(words) for stem in _NO_AMOUNT_STEMS)


def _is_rate(parts: set[str], words: tuple[str, ...]) -> bool:
    return bool(parts & _RATES) or words == ("price",) or {"exchange", "price"} <= parts


def _is_duration(words: tuple[str, ...]) -> bool:
    return len(words) > 1 and words[-1] in _DURATION


def _identifies(words: tuple[str, ...], kind: ColumnKind) -> bool:
    last = words[-1]
    if kind is ColumnKind.INTEGER and (last in _NUMBERED or _ends_in_id(last)):
        return True
    return last in _IDENTIFYING


def _ends_in_id(word: str) -> bool:
    return (word.endswith("id") and word not in _NO_WORDS_IN_ID) or word in {"kid", "aid", "mid"}


def is_personal(words: tuple[str, ...], thing: tuple[str, ...], kind: ColumnKind) -> bool:
    """Whether the column may tell about a person, to judge by its name and by what a row of its table is."""
    if kind in {ColumnKind.BOOLEAN, ColumnKind.OTHER} or (kind is ColumnKind.NUMBER and not _place(words)):
        return False
    parts = set(words)
    joined = "".join(words)
    if parts & _PERSONAL or any(pair <= parts for pair in _PERSONAL_PAIRS):
        return True
    if kind in {ColumnKind.TEXT, ColumnKind.DATE} and any(stem in joined for stem in _PERSONAL_STEMS):
        return True
    named = bool(words) and words[-1] in _NAMES
    return named and (bool(_PEOPLE & set(words[:-1])) or (bool(_PEOPLE & set(thing)) and len(words) == 1))


def _place(words: tuple[str, ...]) -> bool:
    return bool({"lat", "latitude", "lon", "lng", "longitude"} & set(words))


def is_label(words: tuple[str, ...], thing: tuple[str, ...]) -> bool:
    """Whether the column names the things of its table: `name`, `title`, `product_name`, `keyword` of keywords."""
    return words == thing or (bool(words) and words[-1] in _LABELS and words[:-1] in {(), thing, thing[-1:]})


_AUDIT = _words(
    "created updated modified inserted loaded deleted changed crtd upd synced ingested extracted etl dw dwh processed"
    " expired expires valid effective"
)
_ENDS = _words("end ended due expiry expiration termination terminated finish finished completed closed birth dob to")


def event_times(times: tuple[tuple[str, tuple[str, ...]], ...], thing: tuple[str, ...]) -> tuple[str, ...]:
    """Which of a table's times may be when a row happened, by name and words: one where that is clear.

    Times of record keeping are never when it happened, and ends, dues and births are not either;
    a time that is called after the table (`order_date` of orders) goes before the rest.
    """
    happened = tuple((n, w) for n, w in times if not set(w) & (_AUDIT | _ENDS))
    named = tuple((n, w) for n, w in happened if set(thing) & set(w))
    return (named[0][0],) if len(named) == 1 else tuple(n for n, _ in happened)


_UNITS: dict[str, tuple[MetricFormat, str]] = {
    "usd": (MetricFormat.CURRENCY, "USD"),
    "eur": (MetricFormat.CURRENCY, "EUR"),
    "gbp": (MetricFormat.CURRENCY, "GBP"),
    "chf": (MetricFormat.CURRENCY, "CHF"),
    "jpy": (MetricFormat.CURRENCY, "JPY"),
    "hours": (MetricFormat.HOURS, ""),
    "hrs": (MetricFormat.HOURS, ""),
    "days": (MetricFormat.DAYS, ""),
    **{w: (MetricFormat.NUMBER, w) for w in ("kg", "mg", "ml", "cm", "mm", "km", "miles", "ms", "bytes", "kwh")},
    "seconds": (MetricFormat.NUMBER, "s"),
    "secs": (MetricFormat.NUMBER, "s"),
    "minutes": (MetricFormat.NUMBER, "min"),
    "mins": (MetricFormat.NUMBER, "min"),
    "cents": (MetricFormat.NUMBER, "cents"),
}


def unit_of(words: tuple[str, ...]) -> tuple[MetricFormat, str]:
    """The format and unit that a name ends with (`weight_kg`); a plain number where it says nothing."""
    return _UNITS.get(words[-1], (MetricFormat.NUMBER, "")) if len(words) > 1 else (MetricFormat.NUMBER, "")


_SPACE = re.compile(r"\s+")
MAX_COMMENT = 500


def as_text(comment: str) -> str:
    """A comment of the warehouse as one line of a description: text for people, nothing more."""
    clean = "".join(c if c.isprintable() else " " for c in comment)
    return _SPACE.sub(" ", clean).strip()[:MAX_COMMENT]
