WITH "orders_1" AS (
  SELECT
    CAST(toStartOfMonth(CAST("source"."ordered_at" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS "metric_time__month",
    SUM("source"."amount") AS "amount_1",
    COUNT(*) AS "orders_2"
  FROM "mf"."orders" AS "source"
  GROUP BY
    1
)
SELECT
  "orders_1"."metric_time__month" AS "metric_time__month",
  CAST("orders_1"."amount_1" AS Nullable(Float64)) / nullIf("orders_1"."orders_2", 0) AS "average_order"
FROM "orders_1"
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, count_distinct_implementation = 'uniqExact', enable_extended_results_for_datetime_functions = 1, prefer_column_name_to_alias = 1, session_timezone = 'UTC'
