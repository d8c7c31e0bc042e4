WITH "orders_totals" AS (
  SELECT
    SUM("orders"."amount") AS "revenue",
    COUNT(*) AS "orders"
  FROM "shop"."orders" AS "orders"
  WHERE
    "orders"."ordered_at" >= %(p1)s AND "orders"."ordered_at" < %(p2)s
), "refunds_totals" AS (
  SELECT
    SUM("refunds"."amount") AS "refunded"
  FROM "shop"."refunds" AS "refunds"
  WHERE
    "refunds"."refunded_at" >= %(p3)s AND "refunds"."refunded_at" < %(p4)s
)
SELECT
  CASE
    WHEN NOT "orders_totals"."revenue" IS NULL OR NOT "refunds_totals"."refunded" IS NULL
    THEN COALESCE("orders_totals"."revenue", 0) - COALESCE("refunds_totals"."refunded", 0)
  END AS "net_revenue",
  COALESCE("orders_totals"."orders", 0) AS "orders"
FROM "orders_totals"
CROSS JOIN "refunds_totals"
