WITH "orders_totals" AS (
  SELECT
    CAST(CAST(toStartOfMonth(CAST("orders"."ordered_at" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS Nullable(Date32)) AS "metric_time__month",
    COUNT(*) AS "orders"
  FROM "shop"."orders" AS "orders"
  WHERE
    "orders"."ordered_at" >= {p1: Date32} AND "orders"."ordered_at" < {p2: Date32}
  GROUP BY
    1
), "each_one" AS (
  SELECT
    "orders_totals"."metric_time__month" AS "metric_time__month",
    "orders_totals"."orders" AS "orders"
  FROM "orders_totals"
)
SELECT
  CASE
    WHEN ABS(CAST(SUM("each_one"."orders") AS Nullable(Float64)) / nullIf(3, 0)) < 1000000000000000
    THEN CAST(CAST(CAST(SUM("each_one"."orders") AS Nullable(Float64)) / nullIf(3, 0) AS Nullable(Decimal(38, 12))) AS Nullable(Float64))
  END AS "average_orders_per_month",
  COUNT("each_one"."orders") AS "months_counted"
FROM "each_one"
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, count_distinct_implementation = 'uniqExact', enable_extended_results_for_datetime_functions = 1, prefer_column_name_to_alias = 1, session_timezone = 'UTC'
