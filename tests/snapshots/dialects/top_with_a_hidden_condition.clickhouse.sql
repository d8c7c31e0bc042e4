WITH "orders_totals" AS (
  SELECT
    "stores"."name" AS "store_name",
    SUM("orders"."amount") AS "revenue",
    COUNT(*) AS "orders"
  FROM "shop"."orders" AS "orders"
  LEFT JOIN "shop"."stores" AS "stores"
    ON "orders"."store_id" = "stores"."store_id"
  GROUP BY
    1
), "answer" AS (
  SELECT
    "orders_totals"."store_name" AS "store_name",
    "orders_totals"."revenue" AS "revenue",
    "orders_totals"."orders" AS "orders"
  FROM "orders_totals"
)
SELECT
  "answer"."store_name",
  "answer"."revenue"
FROM "answer"
WHERE
  "answer"."orders" >= {p1: Int64}
ORDER BY
  "revenue" DESC,
  "store_name" ASC
LIMIT 2
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, count_distinct_implementation = 'uniqExact', enable_extended_results_for_datetime_functions = 1, prefer_column_name_to_alias = 1, session_timezone = 'UTC'
