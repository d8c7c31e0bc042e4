WITH "orders_totals" AS (
  SELECT
    "stores"."region" AS "region",
    "orders"."customer_id" AS "customer",
    SUM("orders"."amount") AS "revenue"
  FROM "shop"."orders" AS "orders"
  LEFT JOIN "shop"."stores" AS "stores"
    ON "orders"."store_id" = "stores"."store_id"
  WHERE
    "orders"."ordered_at" >= {p1: Date32} AND "orders"."ordered_at" < {p2: Date32}
  GROUP BY
    1,
    2
), "each_one" AS (
  SELECT
    "orders_totals"."region" AS "region",
    "orders_totals"."customer" AS "customer",
    "orders_totals"."revenue" AS "revenue"
  FROM "orders_totals"
)
SELECT
  "each_one"."region" AS "region",
  AVG(CAST("each_one"."revenue" AS Nullable(Float64))) AS "average_revenue_per_customer",
  COUNT("each_one"."revenue") AS "customers_counted"
FROM "each_one"
WHERE
  NOT (
    "each_one"."customer" IS NULL
  )
GROUP BY
  1
ORDER BY
  "region" ASC
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, count_distinct_implementation = 'uniqExact', enable_extended_results_for_datetime_functions = 1, prefer_column_name_to_alias = 1, session_timezone = 'UTC'
