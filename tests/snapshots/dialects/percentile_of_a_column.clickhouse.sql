WITH "orders_totals" AS (
  SELECT
    "stores"."region" AS "region",
    quantileExactInclusive(0.9)(CAST(FLOOR(CAST("orders"."amount" AS Nullable(Float64)) / 50) AS Nullable(Float64))) AS "orders_amount_band_p90"
  FROM "shop"."orders" AS "orders"
  LEFT JOIN "shop"."stores" AS "stores"
    ON "orders"."store_id" = "stores"."store_id"
  GROUP BY
    1
)
SELECT
  "orders_totals"."region" AS "region",
  "orders_totals"."orders_amount_band_p90" AS "orders_amount_band_p90"
FROM "orders_totals"
ORDER BY
  "region" ASC
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, count_distinct_implementation = 'uniqExact', enable_extended_results_for_datetime_functions = 1, prefer_column_name_to_alias = 1, session_timezone = 'UTC'
