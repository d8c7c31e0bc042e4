SELECT DISTINCT
  "countries"."NAME" AS "country_name",
  "customers"."TIER" AS "tier"
FROM "SHOP"."CUSTOMERS" AS "customers"
LEFT JOIN "SHOP"."COUNTRIES" AS "countries"
  ON "customers"."COUNTRY_CODE" = "countries"."CODE"
ORDER BY
  "country_name" ASC,
  "tier" ASC
