WITH "orders_totals" AS (
  SELECT
    SUM("orders"."AMOUNT") AS "revenue_to_date"
  FROM "SHOP"."ORDERS" AS "orders"
  WHERE
    "orders"."ORDERED_AT" < :p1
), "orders_totals_2" AS (
  SELECT
    SUM("orders"."AMOUNT") AS "revenue_7d"
  FROM "SHOP"."ORDERS" AS "orders"
  WHERE
    "orders"."ORDERED_AT" >= :p2 AND "orders"."ORDERED_AT" < :p3
)
SELECT
  "orders_totals"."revenue_to_date" AS "revenue_to_date",
  "orders_totals_2"."revenue_7d" AS "revenue_7d"
FROM "orders_totals"
CROSS JOIN "orders_totals_2"
