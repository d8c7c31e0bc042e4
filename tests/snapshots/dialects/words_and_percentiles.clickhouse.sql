WITH "order_totals" AS (
  SELECT
    "order"."group" AS "group",
    "order"."user" AS "user",
    SUM("order"."total sales (€)") AS "sales",
    quantileExactInclusive(0.25)(CAST("order"."amount" AS Nullable(Float64))) AS "middle",
    arrayElementOrNull(
      arraySort(groupArray("order"."amount")),
      greatest(intDiv((
        COUNT("order"."amount") * 1 + 3
      ), 4), 1)
    ) AS "first_quarter"
  FROM "shop"."order" AS "order"
  GROUP BY
    1,
    2
)
SELECT
  "order_totals"."group" AS "group",
  "order_totals"."user" AS "user",
  "order_totals"."sales" AS "sales",
  "order_totals"."middle" AS "middle",
  "order_totals"."first_quarter" AS "first_quarter"
FROM "order_totals"
ORDER BY
  "group" ASC,
  "user" ASC
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, count_distinct_implementation = 'uniqExact', enable_extended_results_for_datetime_functions = 1, prefer_column_name_to_alias = 1, session_timezone = 'UTC'
