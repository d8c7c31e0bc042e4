SELECT DISTINCT
  "countries"."name" AS "country_name",
  "customers"."tier" AS "tier"
FROM "shop"."customers" AS "customers"
LEFT JOIN "shop"."countries" AS "countries"
  ON "customers"."country_code" = "countries"."code"
ORDER BY
  "country_name" ASC,
  "tier" ASC
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, count_distinct_implementation = 'uniqExact', enable_extended_results_for_datetime_functions = 1, prefer_column_name_to_alias = 1, session_timezone = 'UTC'
