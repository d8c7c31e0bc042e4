WITH "orders_1" AS (
  SELECT
    CAST(toStartOfQuarter(CAST("source"."ordered_at" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS "metric_time__quarter",
    toDayOfWeek(CAST("source"."ordered_at" AS Nullable(DateTime64(6)))) AS "metric_time__extract_dow",
    SUM("source"."amount") AS "amount_1"
  FROM "mf"."orders" AS "source"
  GROUP BY
    1,
    2
)
SELECT
  "orders_1"."metric_time__quarter" AS "metric_time__quarter",
  "orders_1"."metric_time__extract_dow" AS "metric_time__extract_dow",
  "orders_1"."amount_1" AS "revenue"
FROM "orders_1"
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, count_distinct_implementation = 'uniqExact', enable_extended_results_for_datetime_functions = 1, prefer_column_name_to_alias = 1, session_timezone = 'UTC'
