WITH "orders_totals" AS (
  SELECT
    "orders"."STATUS" AS "status",
    "stores"."NAME" AS "store_name",
    COUNT(*) AS "orders"
  FROM "SHOP"."ORDERS" AS "orders"
  LEFT JOIN "SHOP"."STORES" AS "stores"
    ON "orders"."STORE_ID" = "stores"."STORE_ID"
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
    RANK() OVER (PARTITION BY "answer"."status" ORDER BY "answer"."orders" DESC NULLS LAST) AS "place"
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
  "orders" DESC NULLS LAST,
  "store_name" ASC
