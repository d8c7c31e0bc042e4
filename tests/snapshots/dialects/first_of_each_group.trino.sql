WITH "orders_totals" AS (
  SELECT
    "orders"."status" AS "status",
    "stores"."name" AS "store_name",
    COUNT(*) AS "orders"
  FROM "shop"."orders" AS "orders"
  LEFT JOIN "shop"."stores" AS "stores"
    ON "orders"."store_id" = "stores"."store_id"
  GROUP BY
    1,
    2
), "answer" AS (
  SELECT
    "orders_totals"."status" AS "status",
    "orders_totals"."store_name" AS "store_name",
    "orders_totals"."orders" AS "orders"
  FROM "orders_totals"
), "placed" AS (
  SELECT
    "answer"."status",
    "answer"."store_name",
    "answer"."orders",
    RANK() OVER (PARTITION BY "answer"."status" ORDER BY "answer"."orders" DESC) AS "place"
  FROM "answer"
)
SELECT
  "placed"."status",
  "placed"."store_name",
  "placed"."orders"
FROM "placed"
WHERE
  "placed"."place" <= 1 AND NOT "placed"."orders" IS NULL
ORDER BY
  "status" ASC,
  "orders" DESC,
  "store_name" ASC
