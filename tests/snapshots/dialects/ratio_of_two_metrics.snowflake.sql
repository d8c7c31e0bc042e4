WITH "orders_totals" AS (
  SELECT
    "stores"."REGION" AS "region",
    SUM("orders"."AMOUNT") AS "revenue",
    COUNT(*) AS "orders"
  FROM "SHOP"."ORDERS" AS "orders"
  LEFT JOIN "SHOP"."STORES" AS "stores"
    ON "orders"."STORE_ID" = "stores"."STORE_ID"
  GROUP BY
    1
)
SELECT
  "orders_totals"."region" AS "region",
  CAST("orders_totals"."revenue" AS DOUBLE) / NULLIF("orders_totals"."orders", 0) AS "revenue_per_orders",
  "orders_totals"."revenue" AS "revenue",
  "orders_totals"."orders" AS "orders"
FROM "orders_totals"
ORDER BY
  "revenue_per_orders" DESC NULLS LAST,
  "region" ASC
LIMIT 2
