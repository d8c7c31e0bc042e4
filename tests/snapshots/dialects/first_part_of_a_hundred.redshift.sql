WITH "orders_totals" AS (
  SELECT
    "stores"."name" AS "store_name",
    SUM("orders"."amount") AS "revenue"
  FROM "shop"."orders" AS "orders"
  LEFT JOIN "shop"."stores" AS "stores"
    ON "orders"."store_id" = "stores"."store_id"
  GROUP BY
    1
), "answer" AS (
  SELECT
    "orders_totals"."store_name" AS "store_name",
    "orders_totals"."revenue" AS "revenue"
  FROM "orders_totals"
), "placed" AS (
  SELECT
    "answer"."store_name",
    "answer"."revenue",
    RANK() OVER (ORDER BY "answer"."revenue" DESC NULLS LAST) AS "place",
    COUNT("answer"."revenue") OVER () AS "of_rows"
  FROM "answer"
)
SELECT
  "placed"."store_name",
  "placed"."revenue"
FROM "placed"
WHERE
  (
    "placed"."place" - 1
  ) * 100 < "placed"."of_rows" * 40
  AND NOT "placed"."revenue" IS NULL
ORDER BY
  "revenue" DESC NULLS LAST,
  "store_name" ASC
