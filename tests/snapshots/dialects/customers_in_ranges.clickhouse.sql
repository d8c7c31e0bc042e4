WITH "orders_totals" AS (
  SELECT
    "orders"."customer_id" AS "customer",
    SUM("orders"."amount") AS "revenue"
  FROM "shop"."orders" AS "orders"
  WHERE
    "orders"."ordered_at" >= {p1: Date32} AND "orders"."ordered_at" < {p2: Date32}
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
      WHEN "each_one"."revenue" < {p3: Decimal(76, 0)}
      THEN 0
      WHEN "each_one"."revenue" < {p4: Decimal(76, 0)}
      THEN 1
      ELSE 2
    END AS "place"
  FROM "each_one"
  WHERE
    NOT (
      "each_one"."customer" IS NULL
    )
    AND NOT (
      "each_one"."revenue" IS NULL
    )
), "bins" AS (
  SELECT
    0 AS "place",
    CAST({p5: String} AS Nullable(String)) AS "range"
  UNION ALL
  SELECT
    1 AS "place",
    CAST({p6: String} AS Nullable(String)) AS "range"
  UNION ALL
  SELECT
    2 AS "place",
    CAST({p7: String} AS Nullable(String)) AS "range"
), "answer" AS (
  SELECT
    "bins"."place" AS "place",
    "bins"."range" AS "range",
    COUNT("binned"."place") AS "customers_counted",
    CASE
      WHEN ABS(
        CAST(COUNT("binned"."place") AS Nullable(Float64)) / nullIf(SUM(COUNT("binned"."place")) OVER (), 0)
      ) < 1000000000000000
      THEN CAST(CAST(CAST(COUNT("binned"."place") AS Nullable(Float64)) / nullIf(SUM(COUNT("binned"."place")) OVER (), 0) AS Nullable(Decimal(38, 12))) AS Nullable(Float64))
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
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, count_distinct_implementation = 'uniqExact', enable_extended_results_for_datetime_functions = 1, prefer_column_name_to_alias = 1, session_timezone = 'UTC'
