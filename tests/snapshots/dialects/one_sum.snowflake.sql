WITH "orders_totals" AS (
  SELECT
    SUM("orders"."AMOUNT") AS "revenue"
  FROM "SHOP"."ORDERS" AS "orders"
)
SELECT
  "orders_totals"."revenue" AS "revenue"
FROM "orders_totals"
