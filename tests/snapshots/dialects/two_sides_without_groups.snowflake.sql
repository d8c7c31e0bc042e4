WITH "orders_totals" AS (
  SELECT
    SUM("orders"."AMOUNT") AS "revenue",
    COUNT(*) AS "orders"
  FROM "SHOP"."ORDERS" AS "orders"
  WHERE
    "orders"."ORDERED_AT" >= :p1 AND "orders"."ORDERED_AT" < :p2
), "refunds_totals" AS (
  SELECT
    SUM("refunds"."AMOUNT") AS "refunded"
  FROM "SHOP"."REFUNDS" AS "refunds"
  WHERE
    "refunds"."REFUNDED_AT" >= :p3 AND "refunds"."REFUNDED_AT" < :p4
)
SELECT
  CASE
    WHEN NOT "orders_totals"."revenue" IS NULL OR NOT "refunds_totals"."refunded" IS NULL
    THEN COALESCE("orders_totals"."revenue", 0) - COALESCE("refunds_totals"."refunded", 0)
  END AS "net_revenue",
  COALESCE("orders_totals"."orders", 0) AS "orders"
FROM "orders_totals"
CROSS JOIN "refunds_totals"
