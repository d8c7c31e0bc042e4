SELECT DISTINCT
  "countries"."name" AS "country_name",
  "customers"."tier" AS "tier"
FROM "shop"."customers" AS "customers"
LEFT JOIN "shop"."countries" AS "countries"
  ON "customers"."country_code" = "countries"."code"
ORDER BY
  "country_name" ASC,
  "tier" ASC
