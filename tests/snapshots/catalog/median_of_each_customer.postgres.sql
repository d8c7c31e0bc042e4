WITH "orders_totals" AS (
  SELECT
    "stores"."region" AS "region",
    "orders"."customer_id" AS "customer",
    COUNT(*) AS "orders"
  FROM "shop"."orders" AS "orders"
  LEFT JOIN "shop"."stores" AS "stores"
    ON "orders"."store_id" = "stores"."store_id"
  GROUP BY
    1,
    2
), "each_one" AS (
  SELECT
    "orders_totals"."region" AS "region",
    "orders_totals"."customer" AS "customer",
    "orders_totals"."orders" AS "orders"
  FROM "orders_totals"
)
SELECT
  "each_one"."region" AS "region",
  PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY
    CAST("each_one"."orders" AS DOUBLE PRECISION)) AS "median_orders_per_customer",
  COUNT("each_one"."orders") AS "customers_counted"
FROM "each_one"
WHERE
  NOT "each_one"."customer" IS NULL
GROUP BY
  1
ORDER BY
  "region" ASC
