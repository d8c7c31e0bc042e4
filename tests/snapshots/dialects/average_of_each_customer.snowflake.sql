WITH "orders_totals" AS (
  SELECT
    "stores"."REGION" AS "region",
    "orders"."CUSTOMER_ID" AS "customer",
    SUM("orders"."AMOUNT") AS "revenue"
  FROM "SHOP"."ORDERS" AS "orders"
  LEFT JOIN "SHOP"."STORES" AS "stores"
    ON "orders"."STORE_ID" = "stores"."STORE_ID"
  WHERE
    "orders"."ORDERED_AT" >= :p1 AND "orders"."ORDERED_AT" < :p2
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
