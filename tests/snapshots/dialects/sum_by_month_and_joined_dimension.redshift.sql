WITH "orders_totals" AS (
  SELECT
    CAST(DATE_TRUNC('month', CAST("orders"."ordered_at" AS TIMESTAMP)) AS DATE) AS "metric_time__month",
    "stores"."region" AS "region",
    SUM("orders"."amount") AS "revenue"
  FROM "shop"."orders" AS "orders"
  LEFT JOIN "shop"."stores" AS "stores"
    ON "orders"."store_id" = "stores"."store_id"
  LEFT JOIN "shop"."customers" AS "customers"
    ON "orders"."customer_id" = "customers"."customer_id"
  WHERE
    "orders"."ordered_at" >= %(p1)s
    AND "orders"."ordered_at" < %(p2)s
    AND "customers"."tier" IN (%(p3)s, %(p4)s)
  GROUP BY
    1,
    2
)
SELECT
  "orders_totals"."metric_time__month" AS "metric_time__month",
  "orders_totals"."region" AS "region",
  "orders_totals"."revenue" AS "revenue"
FROM "orders_totals"
ORDER BY
  "metric_time__month" ASC,
  "region" ASC
