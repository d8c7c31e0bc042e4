WITH "orders_1" AS (
  SELECT
    "customer__customer_history"."TIER" AS "customer__tier",
    "customer__country__countries"."CONTINENT" AS "customer__country__continent",
    SUM("source"."AMOUNT") AS "amount_1"
  FROM "MF"."ORDERS" AS "source"
  LEFT JOIN "MF"."CUSTOMER_HISTORY" AS "customer__customer_history"
    ON "source"."CUSTOMER_ID" = "customer__customer_history"."CUSTOMER_ID"
    AND DATE_TRUNC('DAY', CAST("source"."ORDERED_AT" AS TIMESTAMPNTZ)) >= CAST("customer__customer_history"."VALID_FROM" AS TIMESTAMPNTZ)
    AND (
      DATE_TRUNC('DAY', CAST("source"."ORDERED_AT" AS TIMESTAMPNTZ)) < CAST("customer__customer_history"."VALID_TO" AS TIMESTAMPNTZ)
      OR "customer__customer_history"."VALID_TO" IS NULL
    )
  LEFT JOIN "MF"."COUNTRIES" AS "customer__country__countries"
    ON "customer__customer_history"."COUNTRY_CODE" = "customer__country__countries"."CODE"
  GROUP BY
    1,
    2
)
SELECT
  "orders_1"."customer__tier" AS "customer__tier",
  "orders_1"."customer__country__continent" AS "customer__country__continent",
  "orders_1"."amount_1" AS "revenue"
FROM "orders_1"
