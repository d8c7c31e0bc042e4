WITH "orders_totals" AS (
  SELECT
    "orders"."STATUS" AS "status",
    PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY
      CAST("orders"."AMOUNT" AS DOUBLE)) AS "median_order",
    COUNT(DISTINCT "orders"."CUSTOMER_ID") AS "buyers",
    SUM(CASE WHEN (
      "orders"."AMOUNT" >= 100
    ) THEN 1 ELSE 0 END) AS "large_order_count"
  FROM "SHOP"."ORDERS" AS "orders"
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
