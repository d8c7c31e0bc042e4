WITH "orders_totals_rows" AS (
  SELECT DISTINCT
    "orders"."order_id" AS "row_key",
    "products"."category" AS "category",
    1 AS "orders",
    "orders"."amount" AS "average_order"
  FROM "shop"."orders" AS "orders"
  LEFT JOIN "shop"."items" AS "items"
    ON "orders"."order_id" = "items"."order_id"
  LEFT JOIN "shop"."products" AS "products"
    ON "items"."product_id" = "products"."product_id"
), "orders_totals" AS (
  SELECT
    "orders_totals_rows"."category" AS "category",
    COUNT(*) AS "orders",
    AVG(CAST("orders_totals_rows"."average_order" AS Nullable(Float64))) AS "average_order"
  FROM "orders_totals_rows"
  GROUP BY
    1
)
SELECT
  "orders_totals"."category" AS "category",
  "orders_totals"."orders" AS "orders",
  "orders_totals"."average_order" AS "average_order"
FROM "orders_totals"
ORDER BY
  "category" ASC
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, count_distinct_implementation = 'uniqExact', enable_extended_results_for_datetime_functions = 1, prefer_column_name_to_alias = 1, session_timezone = 'UTC'
