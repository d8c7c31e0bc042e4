WITH "orders_totals" AS (
  SELECT
    "orders"."CUSTOMER_ID" AS "customer",
    SUM("orders"."AMOUNT") AS "revenue"
  FROM "SHOP"."ORDERS" AS "orders"
  GROUP BY
    1
), "each_one" AS (
  SELECT
    "orders_totals"."customer" AS "customer",
    "orders_totals"."revenue" AS "revenue"
  FROM "orders_totals"
)
SELECT
  COUNT("each_one"."revenue") AS "counted",
  COUNT(DISTINCT "each_one"."revenue") AS "different",
  COUNT(CASE WHEN "each_one"."revenue" <> FLOOR("each_one"."revenue") THEN 1 END) AS "broken",
  MIN("each_one"."revenue") AS "smallest",
  PERCENTILE_CONT(0.99) WITHIN GROUP (ORDER BY
    CAST("each_one"."revenue" AS DOUBLE)) AS "high",
  MAX("each_one"."revenue") AS "largest"
FROM "each_one"
WHERE
  NOT "each_one"."customer" IS NULL
