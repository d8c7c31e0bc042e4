WITH "orders_1" AS (
  SELECT
    CAST(toMonday(CAST("source"."ordered_at" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS "metric_time__week",
    SUM("source"."amount") AS "amount_1"
  FROM "mf"."orders" AS "source"
  GROUP BY
    1
)
SELECT
  "orders_1"."metric_time__week" AS "metric_time__week",
  "orders_1"."amount_1" AS "revenue"
FROM "orders_1"
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, count_distinct_implementation = 'uniqExact', enable_extended_results_for_datetime_functions = 1, prefer_column_name_to_alias = 1, session_timezone = 'UTC'
