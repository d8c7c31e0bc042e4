WITH "orders_totals" AS (
  SELECT
    "stores"."NAME" AS "store_name",
    SUM("orders"."AMOUNT") AS "revenue",
    COUNT(*) AS "orders"
  FROM "SHOP"."ORDERS" AS "orders"
  LEFT JOIN "SHOP"."STORES" AS "stores"
    ON "orders"."STORE_ID" = "stores"."STORE_ID"
  GROUP BY
    1
), "answer" AS (
  SELECT
    "orders_totals"."store_name" AS "store_name",
    "orders_totals"."revenue" AS "revenue",
    "orders_totals"."orders" AS "orders"
  FROM "orders_totals"
)
SELECT
  "answer"."store_name",
  "answer"."revenue"
FROM "answer"
WHERE
  "answer"."orders" >= :p1
ORDER BY
  "revenue" DESC NULLS LAST,
  "store_name" ASC
LIMIT 2
