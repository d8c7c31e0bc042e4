WITH "orders_totals" AS (
  SELECT
    SUM("orders"."amount") AS "revenue"
  FROM "shop"."orders" AS "orders"
)
SELECT
  "orders_totals"."revenue" AS "revenue"
FROM "orders_totals"
