"""What the bench of execution asks: tables by number of rows, and queries beside the best SQL of a person.

By hand, a filtered part of a scan is a FILTER, a balance is looked up by the last days and a conversion
follows the last visit before it (ASOF), as a good engineer writes them for DuckDB.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from catalog.calculations import PeriodComparison, RunningTotal, Share, TimeRange, Top
from catalog.query import GroupBy, QuerySpec
from catalog.types import METRIC_TIME, Filter, Operator, TimeGranularity

TABLES = (
    """CREATE TABLE sales AS
    SELECT i AS sale_id, (hash(i) % 200000)::INT AS customer_id, (hash(i * 7) % 1000)::INT AS product_id,
           DATE '2022-01-01' + (hash(i * 3) % 1096)::INT AS sold_on,
           ((hash(i * 5) % 100000) / 100)::DECIMAL(12, 2) AS amount,
           ((hash(i * 11) % 50000) / 100)::DECIMAL(12, 2) AS cost,
           CASE WHEN hash(i * 13) % 3 = 0 THEN 'web' ELSE 'shop' END AS channel
    FROM range({rows}) AS made(i)""",
    """CREATE TABLE returned_sales AS
    SELECT i AS return_id, (hash(i) % 200000)::INT AS customer_id, (hash(i * 7) % 1000)::INT AS product_id,
           DATE '2022-01-01' + (hash(i * 41) % 1096)::INT AS returned_on,
           ((hash(i * 43) % 100000) / 100)::DECIMAL(12, 2) AS amount FROM range({rows} // 5) AS made(i)""",
    """CREATE TABLE balances AS
    SELECT i AS balance_id, (i % 5000)::INT AS account_id,
           DATE '2020-01-01' + (i * 2000 // {rows})::INT AS day,
           ((hash(i * 17) % 1000000) / 100)::DECIMAL(12, 2) AS amount
    FROM range({rows}) AS made(i) WHERE hash(i * 19) % 20 > 0""",
    """CREATE TABLE visits AS
    SELECT i AS visit_id, (hash(i * 23) % 200000)::INT AS customer_id,
           DATE '2022-01-01' + (hash(i * 29) % 1096)::INT AS visited_on FROM range({rows} // 5) AS made(i)""",
    """CREATE TABLE signups AS
    SELECT i AS signup_id, (hash(i * 31) % 200000)::INT AS customer_id,
           DATE '2022-01-01' + (hash(i * 37) % 1096)::INT AS signed_on FROM range({rows} // 20) AS made(i)""",
    """CREATE TABLE accounts AS
    SELECT i::INT AS account_id, 'branch ' || (i % 50) AS branch FROM range(5000) AS made(i)""",
    """CREATE TABLE customers AS
    SELECT i::INT AS customer_id, 'region ' || (i % 5) AS region FROM range(200000) AS made(i)""",
    """CREATE TABLE products AS
    SELECT i::INT AS product_id, 'category ' || (i % 20) AS category FROM range(1000) AS made(i)""",
)
"""Statements with `{rows}`: the rows of the large tables; the others are a fifth and a twentieth, or fixed."""

_MONTH = GroupBy(dimension=METRIC_TIME, granularity=TimeGranularity.MONTH)
_REGION, _CATEGORY, _BRANCH = (GroupBy(dimension=d) for d in ("region", "category", "branch"))
_WEB = Filter(field="channel", op=Operator.EQ, values=("web",))


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A query, and what a person would write for it; both give the same rows in the same order."""

    name: str
    spec: QuerySpec
    by_hand: str


def _case(name: str, metrics: str, by: tuple[GroupBy, ...], by_hand: str, **more: object) -> Case:
    spec = QuerySpec(metrics=tuple(metrics.split()), group_by=by, **more)  # type: ignore[arg-type]
    return Case(name=name, spec=spec, by_hand=by_hand)


def _year(year: int) -> TimeRange:
    return TimeRange(start=date(year, 1, 1), end=date(year + 1, 1, 1), expr=str(year))


_SUMS = (
    _case(
        "sum by month",
        "revenue",
        (_MONTH,),
        "SELECT date_trunc('month', sold_on)::DATE, sum(amount) FROM sales GROUP BY 1 ORDER BY 1",
    ),
    _case(
        "two joins and a filter",
        "revenue",
        (_REGION, _CATEGORY),
        """SELECT region, category, sum(amount) FROM sales LEFT JOIN customers USING (customer_id)
        LEFT JOIN products USING (product_id) WHERE channel = 'web'
        GROUP BY 1, 2 ORDER BY 1, 2""",
        where=(_WEB,),
    ),
    _case(
        "formula of two sums, joined",
        "margin_rate",
        (_REGION,),
        """SELECT region, (sum(amount) - sum(cost))::DOUBLE / nullif(sum(amount), 0)
        FROM sales LEFT JOIN customers USING (customer_id) GROUP BY 1 ORDER BY 1""",
    ),
    _case(
        "distinct count by month",
        "buyers",
        (_MONTH,),
        """SELECT date_trunc('month', sold_on)::DATE, count(DISTINCT customer_id)
        FROM sales GROUP BY 1 ORDER BY 1""",
    ),
    _case(
        "median and percentile by region",
        "middle_sale high_sale",
        (_REGION,),
        """SELECT region, median(amount::DOUBLE), quantile_cont(amount::DOUBLE, 0.9)
        FROM sales LEFT JOIN customers USING (customer_id) GROUP BY 1 ORDER BY 1""",
    ),
)
_FILTERED = (
    _case(
        "ratio with a filtered part",
        "web_share",
        (_MONTH,),
        """SELECT date_trunc('month', sold_on)::DATE,
        sum(amount) FILTER (WHERE channel = 'web')::DOUBLE / nullif(sum(amount), 0)
        FROM sales GROUP BY 1 ORDER BY 1""",
    ),
    _case(
        "ratio with a filtered part, two joins",
        "web_share",
        (_REGION, _CATEGORY),
        """SELECT region, category, sum(amount) FILTER (WHERE channel = 'web')::DOUBLE / nullif(sum(amount), 0)
        FROM sales LEFT JOIN customers USING (customer_id)
        LEFT JOIN products USING (product_id) GROUP BY 1, 2 ORDER BY 1, 2""",
    ),
    _case(
        "ratio with a part filtered over a join",
        "home_share",
        (_MONTH,),
        """SELECT date_trunc('month', sold_on)::DATE,
        sum(amount) FILTER (WHERE region = 'region 1')::DOUBLE / nullif(sum(amount), 0)
        FROM sales LEFT JOIN customers USING (customer_id) GROUP BY 1 ORDER BY 1""",
    ),
    _case(
        "filtered sum with two joins",
        "web_revenue",
        (_REGION, _CATEGORY),
        """SELECT region, category, sum(amount) FROM sales LEFT JOIN customers USING (customer_id)
        LEFT JOIN products USING (product_id) WHERE channel = 'web'
        GROUP BY 1, 2 ORDER BY 1, 2""",
    ),
    _case(
        "filtered distinct count",
        "web_buyers",
        (_MONTH,),
        """SELECT date_trunc('month', sold_on)::DATE, count(DISTINCT customer_id)
        FROM sales WHERE channel = 'web' GROUP BY 1 ORDER BY 1""",
    ),
    _case(
        "ratio of distinct counts, one filtered",
        "web_buyer_share",
        (_REGION,),
        """SELECT region,
        count(DISTINCT customer_id) FILTER (WHERE channel = 'web')::DOUBLE / nullif(count(DISTINCT customer_id), 0)
        FROM sales LEFT JOIN customers USING (customer_id) GROUP BY 1 ORDER BY 1""",
    ),
    _case(
        "four metrics, two filtered",
        "revenue web_revenue sale_count web_sale_count",
        (_REGION,),
        """SELECT region, sum(amount), sum(amount) FILTER (WHERE channel = 'web'), count(*),
        count(*) FILTER (WHERE channel = 'web')
        FROM sales LEFT JOIN customers USING (customer_id) GROUP BY 1 ORDER BY 1""",
    ),
)
_BALANCES = (
    _case(
        "last balance by month",
        "balance_at_end",
        (_MONTH,),
        """SELECT date_trunc('month', day)::DATE, sum(amount) FROM balances
        WHERE day IN (SELECT max(day) FROM balances GROUP BY date_trunc('month', day)) GROUP BY 1 ORDER BY 1""",
    ),
    _case(
        "last balance by month and branch",
        "balance_at_end",
        (_MONTH, _BRANCH),
        """SELECT date_trunc('month', day)::DATE, branch, sum(amount)
        FROM balances LEFT JOIN accounts USING (account_id)
        WHERE day IN (SELECT max(day) FROM balances GROUP BY date_trunc('month', day)) GROUP BY 1, 2 ORDER BY 1, 2""",
    ),
    _case(
        "first balance by branch",
        "balance_at_start",
        (_BRANCH,),
        """SELECT branch, sum(amount) FROM balances LEFT JOIN accounts USING (account_id)
        WHERE day = (SELECT min(day) FROM balances) GROUP BY 1 ORDER BY 1""",
    ),
    _case(
        "last balance of each account by month and branch",
        "balance_of_accounts",
        (_MONTH, _BRANCH),
        """SELECT date_trunc('month', day)::DATE, branch, sum(amount)
        FROM balances LEFT JOIN accounts USING (account_id)
        JOIN (SELECT account_id, max(day) AS day FROM balances GROUP BY account_id, date_trunc('month', day))
        USING (account_id, day) GROUP BY 1, 2 ORDER BY 1, 2""",
    ),
)
_OF_SEVERAL = (
    _case(
        "ratio of two tables by month",
        "return_rate",
        (_MONTH,),
        """WITH sold AS (
        SELECT date_trunc('month', sold_on)::DATE AS month, sum(amount) AS amount FROM sales GROUP BY 1),
        returned AS (
        SELECT date_trunc('month', returned_on)::DATE AS month, sum(amount) AS amount FROM returned_sales GROUP BY 1)
        SELECT month, coalesce(returned.amount, 0)::DOUBLE / nullif(sold.amount, 0)
        FROM sold FULL JOIN returned USING (month) ORDER BY 1""",
    ),
    _case(
        "conversion by month",
        "signup_rate",
        (_MONTH,),
        """WITH base AS (
        SELECT date_trunc('month', visited_on)::DATE AS month, count(*) AS visits FROM visits GROUP BY 1),
        converted AS (
        SELECT date_trunc('month', visited_on)::DATE AS month, count(*) AS signups
        FROM signups ASOF JOIN visits ON signups.customer_id = visits.customer_id AND signed_on >= visited_on
        WHERE visited_on > signed_on - INTERVAL 7 DAY GROUP BY 1)
        SELECT month, coalesce(signups, 0)::DOUBLE / nullif(visits, 0) FROM base LEFT JOIN converted USING (month)
        ORDER BY 1""",
    ),
)
_COMPARED = """SELECT region, now, before, now - before, (now - before) / abs(nullif(before, 0)) FROM (
        SELECT region, sum(amount) FILTER (WHERE sold_on >= '{now}') AS now,
               sum(amount) FILTER (WHERE sold_on < '{until}') AS before
        FROM sales LEFT JOIN customers USING (customer_id)
        WHERE sold_on >= '{since}' AND sold_on < '{end}' {gap} GROUP BY 1) ORDER BY 1"""
_CALCULATED = (
    _case(
        "cumulative by month",
        "revenue_so_far",
        (_MONTH,),
        """SELECT period, sum(total) OVER (ORDER BY period) FROM (
        SELECT date_trunc('month', sold_on)::DATE AS period, sum(amount) AS total FROM sales GROUP BY 1) ORDER BY 1""",
    ),
    _case(
        "beside the year before",
        "revenue",
        (_REGION,),
        _COMPARED.format(now="2024-01-01", until="2024-01-01", since="2023-01-01", end="2025-01-01", gap=""),
        time_range=_year(2024),
        comparison=PeriodComparison(window=_year(2023)),
    ),
    _case(
        "beside a window of its own",
        "revenue",
        (_REGION,),
        _COMPARED.format(
            now="2024-06-01",
            until="2022-04-15",
            since="2022-03-01",
            end="2024-07-16",
            gap="AND (sold_on < '2022-04-15' OR sold_on >= '2024-06-01')",
        ),
        time_range=TimeRange(start=date(2024, 6, 1), end=date(2024, 7, 16), expr=""),
        comparison=PeriodComparison(window=TimeRange(start=date(2022, 3, 1), end=date(2022, 4, 15), expr="")),
    ),
    _case(
        "share of the whole",
        "revenue",
        (_CATEGORY,),
        """SELECT category, total, total / sum(total) OVER () FROM (
        SELECT category, sum(amount) AS total FROM sales LEFT JOIN products USING (product_id) GROUP BY 1)
        ORDER BY 1""",
        calculations=(Share(metric="revenue"),),
    ),
    _case(
        "first three of each region",
        "revenue",
        (_REGION, _CATEGORY),
        """SELECT region, category, total FROM (
        SELECT region, category, sum(amount) AS total FROM sales LEFT JOIN customers USING (customer_id)
        LEFT JOIN products USING (product_id) GROUP BY 1, 2)
        QUALIFY row_number() OVER (PARTITION BY region ORDER BY total DESC, category) <= 3
        ORDER BY region, total DESC, category""",
        top=Top(by="revenue", count=3, within=("region",)),
    ),
    _case(
        "running total by month",
        "revenue",
        (_MONTH,),
        """SELECT period, total, sum(total) OVER (ORDER BY period) FROM (
        SELECT date_trunc('month', sold_on)::DATE AS period, sum(amount) AS total FROM sales GROUP BY 1) ORDER BY 1""",
        calculations=(RunningTotal(metric="revenue"),),
    ),
)
CASES = (*_SUMS, *_FILTERED, *_BALANCES, *_OF_SEVERAL, *_CALCULATED)
"""Every shape that is timed, in order."""
