"""Hand-made values for every state of the pages; the numbers are nobody's."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

from catalog.query import ColumnRole, Default, ResultColumn
from catalog.types import MetricFormat, TimeGranularity
from dataagent.answering.types import (
    Answer,
    CellRef,
    ChartKind,
    ChartSpec,
    Check,
    CheckOutcome,
    Claim,
    DataState,
    Inherited,
    SourceRef,
    WordChoice,
)
from dataagent.intent.types import Binding, BoundTo, Decision, Limitation, Option
from dataagent.policy.principal import Capability, Principal
from dataagent.runs.types import RunEvent, RunState, RunView

NOW = datetime(2025, 6, 18, 9, 30, tzinfo=UTC)
ANALYST = Principal(
    user="analyst", workspace="demo", workspace_id=1, roles=("analyst",), capabilities=frozenset(Capability), user_id=1
)
REVENUE = ResultColumn(
    name="net_revenue",
    label="Net revenue",
    role=ColumnRole.METRIC,
    format=MetricFormat.CURRENCY,
    unit="USD",
    additive=True,
)
ORDERS = ResultColumn(name="orders", label="Orders", role=ColumnRole.METRIC, additive=True)
SHARE = ResultColumn(name="refund_rate", label="Refund rate", role=ColumnRole.METRIC, format=MetricFormat.PERCENT)
MONTH = ResultColumn(name="metric_time", label="Month", role=ColumnRole.TIME, granularity=TimeGranularity.MONTH)
DAY = ResultColumn(name="metric_time", label="Day", role=ColumnRole.TIME, granularity=TimeGranularity.DAY)
REGION = ResultColumn(name="region", label="Region", role=ColumnRole.DIMENSION)
PRODUCT = ResultColumn(name="product_name", label="Product", role=ColumnRole.DIMENSION)
MONTHLY = tuple(
    (date(2025, month, 1), Decimal(value))
    for month, value in enumerate(("812345.10", "790211.52", "905412.00", "1120333.45", "1064210.99"), start=1)
)


SQL = """SELECT
  DATE_TRUNC('MONTH', o.order_date) AS metric_time,
  SUM(o.net_amount) AS net_revenue
FROM (
  -- access rule: region is EMEA
  SELECT order_date, net_amount, region
  FROM warehouse.fct_orders
  WHERE region = $region
) AS o
WHERE o.order_date >= $p1 AND o.order_date < $p2
GROUP BY 1
ORDER BY 1
LIMIT 10000"""


def binding(question: str, text: str, kind: BoundTo, target: str = "", note: str = "") -> Binding:
    start = question.index(text)
    return Binding(start=start, end=start + len(text), text=text, kind=kind, target=target, note=note)


DEFAULTS = (
    Default(
        key="time_range",
        value="year to date",
        text="“This year” means 1 January up to and including yesterday.",
        alternatives=("last year", "last 12 months"),
    ),
    Default(key="time_zone", value="UTC", text="Days are counted in UTC."),
    Default(
        key="null_rule",
        value="left out",
        text="Orders without an amount are left out.",
        alternatives=("counted as zero",),
    ),
)
SOURCES = (
    SourceRef(id="metric:net_revenue", title="Net revenue", version="3", pointer="metrics/revenue.yaml:12"),
    SourceRef(
        id="card:warehouse.fct_orders",
        title="Orders, one row per order",
        version="2",
        pointer="warehouse.fct_orders",
    ),
    SourceRef(
        id="document:spring",
        title="Spring launch notes",
        version="1",
        pointer="docs/spring_launch.md#2",
    ),
)
CHECKS = (
    Check(name="rows", outcome=CheckOutcome.PASSED, detail="5 rows, none cut off."),
    Check(name="parts_and_whole", outcome=CheckOutcome.PASSED, detail="The months add up to the total."),
    Check(name="completeness", outcome=CheckOutcome.WARNED, detail="June 2025 is not complete yet."),
)


def by_month() -> Answer:
    question = "net revenue by month this year for EMEA"
    return Answer(
        question=question,
        decision=Decision.ANSWER,
        headline="Net revenue: 4\u202f692\u202f513.06\u202fUSD in total",
        subline="1 Jan 2025 to 17 Jun 2025 · Apr 2025 has the highest net revenue: 1\u202f120\u202f333.45\u202fUSD",
        restatement="net revenue by month, this year to date, where region is EMEA",
        columns=(MONTH, REVENUE),
        rows=MONTHLY,
        total_row=(None, Decimal("4692513.06")),
        chart=ChartSpec(kind=ChartKind.LINE, x="metric_time", y=("net_revenue",), reason="Values over time."),
        claims=(
            Claim(
                text="Net revenue: 4\u202f692\u202f513.06\u202fUSD in total",
                value="4\u202f692\u202f513.06\u202fUSD",
                cells=(CellRef(row=0, column="net_revenue", table="total"),),
            ),
        ),
        defaults=DEFAULTS,
        assumptions=(
            "“This year” means 1 January up to and including yesterday.",
            "Net revenue: gross revenue minus discounts and refunds, by order date.",
        ),
        caveats=(
            "June is not over: its bar covers 17 of 30 days.",
            "Refunds arrive up to 30 days after the order, so recent months may still fall.",
        ),
        certificate=(
            binding(question, "net revenue", BoundTo.METRIC, "net_revenue", "name of the metric"),
            binding(question, "by month", BoundTo.TIME, "metric_time by month"),
            binding(question, "this year", BoundTo.TIME, "2025-01-01 to 2025-06-18"),
            binding(question, "for", BoundTo.IGNORABLE),
            binding(question, "EMEA", BoundTo.VALUE, "region = EMEA", "a member of region"),
        ),
        sources=SOURCES,
        row_scope=("region is EMEA",),
        checks=CHECKS,
        data_states=(
            DataState(
                table="warehouse.fct_orders",
                complete_until=NOW.replace(hour=0, minute=0),
                loaded_at=NOW - timedelta(hours=4),
                late_days=(date(2025, 6, 14),),
            ),
        ),
        sql=SQL,
        next_questions=("net revenue by country this year for EMEA", "orders by month this year for EMEA"),
    )


def by_region() -> Answer:
    rows = tuple(
        (
            date(2024 + month // 12, month % 12 + 1, 1),
            region,
            None if (month, i) == (5, 1) else Decimal(base + month * slope + (month * 37 % 11) * 9000),
        )
        for month in range(18)
        for i, (region, base, slope) in enumerate(
            (("EMEA", 800_000, 14_000), ("AMER", 620_000, 22_000), ("APAC", 310_000, 9_000))
        )
    )
    answer = by_month()
    return Answer(
        question="net revenue by month and region",
        decision=Decision.ANSWER,
        headline="Net revenue by month and region",
        subline="1 Jan 2024 to 17 Jun 2025",
        columns=(MONTH, REGION, REVENUE),
        rows=rows,
        chart=ChartSpec(
            kind=ChartKind.LINE,
            x="metric_time",
            y=("net_revenue",),
            series="region",
            reason="Values over time by group.",
        ),
        checks=answer.checks[:1],
        sql=answer.sql,
    )


def top_products() -> Answer:
    names = (
        "Orion Lamp",
        "Trail Runner 2",
        "Aurora Headphones with a very long name that does not fit at all",
        "Bamboo Cutting Board",
        "Kids Puzzle Set",
    )
    units = ResultColumn(name="units_sold", label="Units sold", role=ColumnRole.METRIC, unit="units", additive=True)
    question = "top 5 products by units sold last quarter"
    return Answer(
        question=question,
        decision=Decision.ANSWER,
        headline="Orion Lamp has the highest units sold: 18\u202f204\u202funits",
        subline="1 Jan 2025 to 31 Mar 2025",
        columns=(PRODUCT, units),
        rows=tuple(zip(names, (18204, 16990, 12077, 9950, 9949), strict=True)),
        chart=ChartSpec(kind=ChartKind.BAR, x="product_name", y=("units_sold",), reason="Values by group."),
        claims=(
            Claim(
                text="Orion Lamp has the highest units sold: 18\u202f204\u202funits",
                value="18\u202f204\u202funits",
                cells=(CellRef(row=0, column="units_sold"),),
            ),
        ),
        certificate=(
            binding(question, "top 5", BoundTo.OPERATOR, "order by units_sold descending, limit 5"),
            binding(question, "products", BoundTo.ENTITY, "product"),
            binding(question, "units sold", BoundTo.METRIC, "units_sold"),
            binding(question, "last quarter", BoundTo.TIME, "Q1 2025"),
        ),
        checks=(Check(name="rows", outcome=CheckOutcome.PASSED, detail="5 rows."),),
        choices=(WordChoice(start=18, end=28, label="orders", question="top 5 products by orders last quarter"),),
        inherited=(
            Inherited(label="region is EMEA", turn="units in EMEA", run_id="r1", question="top 5 products"),
            Inherited(label="Units sold", turn="units in EMEA", run_id=""),
        ),
    )


def one_number() -> Answer:
    question = "how many orders yesterday?"
    return Answer(
        question=question,
        decision=Decision.ANSWER,
        headline="Orders: 1\u202f284",
        subline="17 Jun 2025",
        restatement="orders on 17 Jun 2025",
        columns=(ORDERS,),
        rows=((1284,),),
        claims=(Claim(text="Orders: 1\u202f284", value="1\u202f284", cells=(CellRef(row=0, column="orders"),)),),
        certificate=(
            binding(question, "how many", BoundTo.OPERATOR, "count"),
            binding(question, "orders", BoundTo.METRIC, "orders"),
            binding(question, "yesterday", BoundTo.TIME, "2025-06-17"),
        ),
        defaults=(Default(key="time_zone", value="UTC", text="Days are counted in UTC."),),
        sources=by_month().sources[:1],
        checks=by_month().checks[:1],
        sql="SELECT COUNT(*) AS orders FROM warehouse.fct_orders",
        next_questions=("orders by day last week",),
    )


def compared() -> Answer:
    before = ResultColumn(
        name="net_revenue_before",
        label="Net revenue, month before",
        role=ColumnRole.METRIC,
        format=MetricFormat.CURRENCY,
        unit="USD",
    )
    change = ResultColumn(name="change_pct", label="Change", role=ColumnRole.METRIC, format=MetricFormat.PERCENT)
    return Answer(
        question="net revenue in May compared with April",
        decision=Decision.ANSWER,
        headline="Net revenue: 1\u202f064\u202f210.99\u202fUSD",
        columns=(REVENUE, before, change),
        rows=((Decimal("1064210.99"), Decimal("1120333.45"), Decimal("-0.0501")),),
    )


def very_large() -> Answer:
    rows = tuple(
        (date(2024, 1, 1) + timedelta(days=i // 8), f"Product {i % 8}", 100 + i * 7919 % 977) for i in range(10_000)
    )
    return Answer(
        question="orders by day and product",
        decision=Decision.ANSWER,
        headline="The table below answers the question.",
        columns=(DAY, PRODUCT, ORDERS),
        rows=rows,
        truncated=True,
        chart=ChartSpec(kind=ChartKind.NONE, reason="Several groupings read better as a table."),
        caveats=("The result was cut at 10 000 rows.",),
    )


def long_series() -> Answer:
    rows = tuple(
        (date(2024, 5, 1) + timedelta(days=i), 900 + (i * 7919 % 301) + i) for i in range(400) if not 200 <= i < 215
    )
    return Answer(
        question="orders by day",
        decision=Decision.ANSWER,
        headline="Orders by day",
        columns=(DAY, ORDERS),
        rows=rows,
        chart=ChartSpec(kind=ChartKind.LINE, x="metric_time", y=("orders",)),
    )


def negative() -> Answer:
    change = ResultColumn(
        name="change", label="Change", role=ColumnRole.METRIC, format=MetricFormat.CURRENCY, unit="USD"
    )
    rows = (
        ("Electronics", Decimal("120340.5")),
        ("Apparel", Decimal("-88210.25")),
        ("Toys", Decimal(0)),
        ("Beauty", None),
        ("Sports", Decimal("-1210")),
    )
    return Answer(
        question="change in net revenue by category",
        decision=Decision.ANSWER,
        headline="Electronics has the highest change: $120\u202f340.50",
        columns=(ResultColumn(name="category", label="Category", role=ColumnRole.DIMENSION), change),
        rows=rows,
        chart=ChartSpec(kind=ChartKind.BAR, x="category", y=("change",)),
    )


def empty() -> Answer:
    return Answer(
        question="orders in 2031",
        decision=Decision.ANSWER,
        headline="No rows matched. There is no number to give.",
        columns=(ORDERS,),
        checks=(Check(name="rows", outcome=CheckOutcome.FAILED, detail="No rows matched."),),
        sql="SELECT 1",
    )


def clarify() -> Answer:
    question = "revenue last month"
    return Answer(
        question=question,
        decision=Decision.CLARIFY,
        headline="",
        prompt="Which revenue do you mean?",
        options=(
            Option(
                label="Net revenue",
                question="net revenue last month",
                intent=None,
                detail="Gross revenue minus discounts and refunds",
            ),
            Option(
                label="Gross revenue",
                question="gross revenue last month",
                intent=None,
                detail="Before discounts and refunds",
            ),
        ),
        certificate=(
            binding(question, "last month", BoundTo.TIME, "May 2025"),
            binding(question, "revenue", BoundTo.UNBOUND, "", "two metrics share this word"),
        ),
    )


def abstain() -> Answer:
    question = "revenue per employee"
    return Answer(
        question=question,
        decision=Decision.ABSTAIN,
        headline="",
        limitation=Limitation(
            code="unknown_term",
            message="I do not know what “employee” stands for here.",
            unbound=("employee",),
            suggestions=("customer", "order"),
        ),
        certificate=(binding(question, "employee", BoundTo.UNBOUND),),
    )


def refused() -> Answer:
    question = "gross margin by category"
    return Answer(
        question=question,
        decision=Decision.DENY,
        headline="",
        limitation=Limitation(
            code="permission",
            message="Something this question needs is not open to your role.",
            suggestions=("gross_margin",),
            ask_whom="finance",
        ),
        next_questions=("net revenue by category",),
    )


def run_of(
    answer: Answer | None, state: RunState, *, reason: str = "", run_id: str = "r1", session_id: str = "s1"
) -> RunView:
    return RunView(
        id=run_id,
        session_id=session_id,
        workspace="demo",
        asker="analyst",
        question=answer.question if answer else "net revenue by month this year for EMEA",
        state=state,
        reason=reason,
        today=NOW.date(),
        created_at=NOW,
        finished_at=NOW + timedelta(seconds=0.4) if answer else None,
        answer=answer,
        receipt_digest="9f2c4e1b7a6d5c3f2e1d0c9b8a7f6e5d4c3b2a190f8e7d6c5b4a392817060504"
        if state is RunState.ANSWERED
        else "",
        timings_ms={
            "scope": 4.1,
            "terms": 3.0,
            "intent": 21.5,
            "evidence": 18.2,
            "compile": 4.4,
            "guard": 6.0,
            "explain": 9.1,
            "execute": 88.0,
            "validate": 1.2,
            "compose": 2.1,
        }
        if answer
        else {},
    )


def events() -> tuple[RunEvent, ...]:
    said = (
        "Looked up what you may see",
        "Read the question: net revenue by month",
        "Chose 3 pieces of evidence",
        "Running the query",
    )
    return tuple(RunEvent(number=i, kind="step", text=text, at=NOW, data={}) for i, text in enumerate(said, start=1))


RUNS: dict[str, RunView] = {
    "by_month": run_of(by_month(), RunState.ANSWERED),
    "by_region": run_of(by_region(), RunState.ANSWERED),
    "top_products": run_of(top_products(), RunState.ANSWERED),
    "one_number": run_of(one_number(), RunState.ANSWERED),
    "compared": run_of(compared(), RunState.ANSWERED),
    "very_large": run_of(very_large(), RunState.ANSWERED),
    "long_series": run_of(long_series(), RunState.ANSWERED),
    "negative": run_of(negative(), RunState.ANSWERED),
    "empty": run_of(empty(), RunState.ANSWERED),
    "clarify": run_of(clarify(), RunState.WAITING_FOR_PERSON),
    "abstain": run_of(abstain(), RunState.ABSTAINED),
    "refused": run_of(refused(), RunState.REFUSED),
    "running": run_of(None, RunState.RUNNING),
    "failed": run_of(None, RunState.FAILED, reason="warehouse_unavailable"),
    "cancelled": run_of(None, RunState.CANCELLED),
    "exhausted": run_of(None, RunState.EXHAUSTED, reason="wall_clock"),
}
