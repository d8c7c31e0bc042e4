WITH "orders_totals" AS (
  SELECT
    SUM("orders"."amount") AS "revenue"
  FROM "shop"."orders" AS "orders"
)
SELECT
  "orders_totals"."revenue" AS "revenue"
FROM "orders_totals"
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, count_distinct_implementation = 'uniqExact', enable_extended_results_for_datetime_functions = 1, prefer_column_name_to_alias = 1, session_timezone = 'UTC'
