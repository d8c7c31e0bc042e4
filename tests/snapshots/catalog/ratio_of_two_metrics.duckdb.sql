WITH "orders_totals" AS (
  SELECT
    "stores"."region" AS "region",
    SUM("orders"."amount") AS "revenue",
    COUNT(*) AS "orders"
  FROM "shop"."orders" AS "orders"
  LEFT JOIN "shop"."stores" AS "stores"
    ON "orders"."store_id" = "stores"."store_id"
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
  "revenue_per_orders" DESC,
  "region" ASC
LIMIT 2
