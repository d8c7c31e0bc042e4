WITH "orders_1" AS (
  SELECT
    "source"."channel" AS "order__channel",
    arrayElementOrNull(
      arraySort(groupArray("source"."amount")),
      greatest(intDiv((
        COUNT("source"."amount") * 1 + 1
      ), 2), 1)
    ) AS "middle_amount_1"
  FROM "mf"."orders" AS "source"
  GROUP BY
    1
)
SELECT
  "orders_1"."order__channel" AS "order__channel",
  "orders_1"."middle_amount_1" AS "middle"
FROM "orders_1"
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, count_distinct_implementation = 'uniqExact', enable_extended_results_for_datetime_functions = 1, prefer_column_name_to_alias = 1, session_timezone = 'UTC'
