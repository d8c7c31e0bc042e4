WITH "orders_totals" AS (
  SELECT
    CAST(DATE_TRUNC('MONTH', CAST("orders"."ORDERED_AT" AS TIMESTAMPNTZ)) AS DATE) AS "metric_time__month",
    "stores"."REGION" AS "region",
    SUM("orders"."AMOUNT") AS "revenue"
  FROM "SHOP"."ORDERS" AS "orders"
  LEFT JOIN "SHOP"."STORES" AS "stores"
    ON "orders"."STORE_ID" = "stores"."STORE_ID"
  LEFT JOIN "SHOP"."CUSTOMERS" AS "customers"
    ON "orders"."CUSTOMER_ID" = "customers"."CUSTOMER_ID"
  WHERE
    "orders"."ORDERED_AT" >= :p1
    AND "orders"."ORDERED_AT" < :p2
    AND "customers"."TIER" IN (:p3, :p4)
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
