WITH "orders_1" AS (
  SELECT
    "customer__customer_history"."tier" AS "customer__tier",
    "customer__country__countries"."continent" AS "customer__country__continent",
    SUM("source"."amount") AS "amount_1"
  FROM "mf"."orders" AS "source"
  LEFT JOIN "mf"."customer_history" AS "customer__customer_history"
    ON "source"."customer_id" = "customer__customer_history"."customer_id"
    AND CAST(toStartOfDay(CAST("source"."ordered_at" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) >= CAST("customer__customer_history"."valid_from" AS Nullable(DateTime64(6)))
    AND (
      CAST(toStartOfDay(CAST("source"."ordered_at" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) < CAST("customer__customer_history"."valid_to" AS Nullable(DateTime64(6)))
      OR "customer__customer_history"."valid_to" IS NULL
    )
  LEFT JOIN "mf"."countries" AS "customer__country__countries"
    ON "customer__customer_history"."country_code" = "customer__country__countries"."code"
  GROUP BY
    1,
    2
)
SELECT
  "orders_1"."customer__tier" AS "customer__tier",
  "orders_1"."customer__country__continent" AS "customer__country__continent",
  "orders_1"."amount_1" AS "revenue"
FROM "orders_1"
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, count_distinct_implementation = 'uniqExact', enable_extended_results_for_datetime_functions = 1, prefer_column_name_to_alias = 1, session_timezone = 'UTC'
