WITH "seats_totals_rows" AS (
  SELECT
    "seats"."counted_on" AS "counted_on",
    "seats"."seats" AS "seats",
    "seats"."customer_id" AS "customer_id",
    MIN("seats"."counted_on") OVER (
      PARTITION BY CAST(CAST(toStartOfQuarter(CAST("seats"."counted_on" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS Nullable(Date32)), "seats"."customer_id"
    ) AS "picked"
  FROM "shop"."seats" AS "seats"
  WHERE
    "seats"."counted_on" >= {p1: Date32} AND "seats"."counted_on" < {p2: Date32}
), "seats_totals" AS (
  SELECT
    CAST(CAST(toStartOfQuarter(CAST("seats"."counted_on" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS Nullable(Date32)) AS "metric_time__quarter",
    "customers"."tier" AS "tier",
    SUM("seats"."seats") AS "seats"
  FROM "seats_totals_rows" AS "seats"
  LEFT JOIN "shop"."customers" AS "customers"
    ON "seats"."customer_id" = "customers"."customer_id"
  WHERE
    "seats"."counted_on" = "seats"."picked"
    AND (
      "customers"."tier" = {p3: String} OR "customers"."tier" IS NULL
    )
  GROUP BY
    1,
    2
)
SELECT
  "seats_totals"."metric_time__quarter" AS "metric_time__quarter",
  "seats_totals"."tier" AS "tier",
  "seats_totals"."seats" AS "seats"
FROM "seats_totals"
ORDER BY
  "metric_time__quarter" ASC,
  "tier" ASC
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, count_distinct_implementation = 'uniqExact', enable_extended_results_for_datetime_functions = 1, prefer_column_name_to_alias = 1, session_timezone = 'UTC'
