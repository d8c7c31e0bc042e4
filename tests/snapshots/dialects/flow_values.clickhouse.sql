SELECT
  "source"."tier" AS "customer__tier"
FROM "mf"."customer_history" AS "source"
GROUP BY
  1
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, count_distinct_implementation = 'uniqExact', enable_extended_results_for_datetime_functions = 1, prefer_column_name_to_alias = 1, session_timezone = 'UTC'
