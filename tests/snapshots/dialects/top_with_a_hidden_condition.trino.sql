WITH "orders_totals" AS (
  SELECT
    "stores"."name" AS "store_name",
    SUM("orders"."amount") AS "revenue",
    COUNT(*) AS "orders"
  FROM "shop"."orders" AS "orders"
  LEFT JOIN "shop"."stores" AS "stores"
    ON "orders"."store_id" = "stores"."store_id"
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
  "revenue" DESC,
  "store_name" ASC
LIMIT 2
