WITH "orders_totals" AS (
  SELECT
    "orders"."customer_id" AS "customer",
    SUM("orders"."amount") AS "revenue"
  FROM "shop"."orders" AS "orders"
  WHERE
    "orders"."ordered_at" >= %(p1)s AND "orders"."ordered_at" < %(p2)s
  GROUP BY
    1
), "each_one" AS (
  SELECT
    "orders_totals"."customer" AS "customer",
    "orders_totals"."revenue" AS "revenue"
  FROM "orders_totals"
), "binned" AS (
  SELECT
    CASE
      WHEN "each_one"."revenue" < %(p3)s
      THEN 0
      WHEN "each_one"."revenue" < %(p4)s
      THEN 1
      ELSE 2
    END AS "place"
  FROM "each_one"
  WHERE
    NOT "each_one"."customer" IS NULL AND NOT "each_one"."revenue" IS NULL
), "bins" AS (
  SELECT
    0 AS "place",
    CAST(%(p5)s AS VARCHAR) AS "range"
  UNION ALL
  SELECT
    1 AS "place",
    CAST(%(p6)s AS VARCHAR) AS "range"
  UNION ALL
  SELECT
    2 AS "place",
    CAST(%(p7)s AS VARCHAR) AS "range"
), "answer" AS (
  SELECT
    "bins"."place" AS "place",
    "bins"."range" AS "range",
    COUNT("binned"."place") AS "customers_counted",
    CASE
      WHEN ABS(
        CAST(COUNT("binned"."place") AS DOUBLE PRECISION) / NULLIF(SUM(COUNT("binned"."place")) OVER (), 0)
      ) < 1000000000000000
      THEN CAST(CAST(CAST(COUNT("binned"."place") AS DOUBLE PRECISION) / NULLIF(SUM(COUNT("binned"."place")) OVER (), 0) AS DECIMAL(38, 12)) AS DOUBLE PRECISION)
    END AS "customers_counted__share"
  FROM "bins"
  LEFT JOIN "binned"
    ON "bins"."place" = "binned"."place"
  GROUP BY
    1,
    2
)
SELECT
  "answer"."range",
  "answer"."customers_counted",
  "answer"."customers_counted__share"
FROM "answer"
ORDER BY
  "answer"."place" ASC,
  "range" ASC
