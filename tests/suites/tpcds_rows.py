"""Rows in the shape of TPC-DS at a small scale, the same every time, with the gaps that data have.

Sales without a customer, a store or a date, sales of things that no dimension knows,
customers and stores without sales, a store without employees, names in part.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal

TABLES = {
    "date_dim": "d_date_sk INT, d_date DATE, d_year INT, d_quarter_name VARCHAR(10), d_month_name VARCHAR(10)",
    "customer": "c_customer_sk INT, c_customer_id VARCHAR(20), c_first_name VARCHAR(20), c_last_name VARCHAR(20), "
    "c_email_address VARCHAR(40)",
    "item": "i_item_sk INT, i_item_id VARCHAR(20), i_item_desc VARCHAR(40), i_brand VARCHAR(20), "
    "i_category VARCHAR(20), i_current_price DECIMAL(7,2)",
    "store": "s_store_sk INT, s_store_id VARCHAR(20), s_store_name VARCHAR(20), s_city VARCHAR(20), "
    "s_state VARCHAR(2), s_number_employees INT",
    "store_sales": "ss_sold_date_sk INT, ss_item_sk INT, ss_customer_sk INT, ss_store_sk INT, ss_ticket_number INT, "
    "ss_quantity INT, ss_sales_price DECIMAL(7,2), ss_ext_sales_price DECIMAL(9,2), ss_net_profit DECIMAL(9,2)",
}
_FIRST, _DAYS, _CUSTOMERS, _ITEMS, _STORES, _TICKETS = date(2023, 11, 1), 500, 60, 45, 7, 900
_CHUNK = 400

Cell = str | int | Decimal | date | None


def statements(schema: str) -> Iterator[str]:
    """The SQL that makes and fills the tables, in a dialect that DuckDB and PostgreSQL share."""
    for name, columns in TABLES.items():
        yield f"CREATE TABLE {schema}.{name} ({columns})"
        rows = list(_ROWS[name]())
        for at in range(0, len(rows), _CHUNK):
            values = ", ".join(f"({', '.join(_text(c) for c in row)})" for row in rows[at : at + _CHUNK])
            yield f"INSERT INTO {schema}.{name} VALUES {values}"


def _text(cell: Cell) -> str:
    if cell is None:
        return "NULL"
    return f"'{cell}'" if isinstance(cell, str | date) else str(cell)


def _dates() -> Iterator[tuple[Cell, ...]]:
    for number in range(_DAYS):
        day = _FIRST + timedelta(days=number)
        quarter = f"{day.year}Q{(day.month - 1) // 3 + 1}"
        yield number + 1, day, day.year, quarter, day.strftime("%B")


def _customers() -> Iterator[tuple[Cell, ...]]:
    for key in range(1, _CUSTOMERS + 1):
        last = None if key % 9 == 0 else f"Last{key % 11}"
        yield key, f"C{key:04}", f"First{key % 7}", last, f"c{key}@example.com"


def _items() -> Iterator[tuple[Cell, ...]]:
    for key in range(1, _ITEMS + 1):
        brand = None if key % 13 == 0 else f"Brand{key % 6}"
        yield key, f"I{key:04}", f"Thing {key}", brand, ("Books", "Music", "Toys")[key % 3], Decimal(key) / 4


def _stores() -> Iterator[tuple[Cell, ...]]:
    for key in range(1, _STORES + 1):
        yield key, f"S{key}", f"Store {key}", f"City{key % 3}", ("TX", "CA", "NY", "OH")[key % 4], (key - 1) * 3


def _sales() -> Iterator[tuple[Cell, ...]]:
    chance = random.Random(2003)
    for ticket in range(1, _TICKETS + 1):
        day, customer = chance.randint(1, _DAYS + 5), chance.randint(1, _CUSTOMERS - 8)
        store = chance.choice((1, 2, 3, 4, 6, 99))
        for item in chance.sample(range(1, _ITEMS + 3), chance.randint(1, 6)):
            quantity, price = chance.randint(1, 9), Decimal(chance.randint(50, 9999)) / 100
            yield (
                None if chance.random() < 0.03 else day,
                item,
                None if chance.random() < 0.05 else customer,
                None if chance.random() < 0.04 else store,
                ticket,
                quantity,
                price,
                None if chance.random() < 0.02 else quantity * price,
                Decimal(chance.randint(-9000, 20000)) / 100,
            )


_ROWS = {"date_dim": _dates, "customer": _customers, "item": _items, "store": _stores, "store_sales": _sales}
