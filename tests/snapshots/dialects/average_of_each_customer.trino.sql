WITH "orders_totals" AS (
  SELECT
    "stores"."region" AS "region",
    "orders"."customer_id" AS "customer",
    SUM("orders"."amount") AS "revenue"
  FROM "shop"."orders" AS "orders"
  LEFT JOIN "shop"."stores" AS "stores"
    ON "orders"."store_id" = "stores"."store_id"
  WHERE
    "orders"."ordered_at" >= :p1 AND "orders"."ordered_at" < :p2
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
  AVG(CAST("each_one"."revenue" AS DOUBLE)) AS "average_revenue_per_customer",
  COUNT("each_one"."revenue") AS "customers_counted"
FROM "each_one"
WHERE
  NOT "each_one"."customer" IS NULL
GROUP BY
  1
ORDER BY
  "region" ASC
