WITH "orders_totals" AS (
  SELECT
    "orders"."status" AS "status",
    quantileExactInclusive(0.5)(CAST("orders"."amount" AS Nullable(Float64))) AS "median_order",
    COUNT(DISTINCT "orders"."customer_id") AS "buyers",
    SUM(CASE WHEN (
      "orders"."amount" >= 100
    ) THEN 1 ELSE 0 END) AS "large_order_count"
  FROM "shop"."orders" AS "orders"
  GROUP BY
    1
)
SELECT
  "orders_totals"."status" AS "status",
  "orders_totals"."median_order" AS "median_order",
  "orders_totals"."buyers" AS "buyers",
  "orders_totals"."large_order_count" AS "large_order_count"
FROM "orders_totals"
ORDER BY
  "status" ASC
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, count_distinct_implementation = 'uniqExact', enable_extended_results_for_datetime_functions = 1, prefer_column_name_to_alias = 1, session_timezone = 'UTC'
