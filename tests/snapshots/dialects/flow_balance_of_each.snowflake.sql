WITH "balances_1_rows" AS (
  SELECT
    "source"."COUNTED_ON" AS "counted_on",
    "source"."BALANCE" AS "balance",
    "source"."CUSTOMER_ID" AS "customer_id",
    MAX("source"."COUNTED_ON") OVER (
      PARTITION BY "source"."CUSTOMER_ID", DATE_TRUNC('MONTH', CAST("source"."COUNTED_ON" AS TIMESTAMPNTZ))
    ) AS "picked"
  FROM "MF"."BALANCES" AS "source"
), "balances_1" AS (
  SELECT
    DATE_TRUNC('MONTH', CAST("source"."counted_on" AS TIMESTAMPNTZ)) AS "metric_time__month",
    "customer__country__countries"."CONTINENT" AS "customer__country__continent",
    SUM("source"."balance") AS "last_balance_of_each_1"
  FROM "balances_1_rows" AS "source"
  LEFT JOIN "MF"."CUSTOMER_HISTORY" AS "customer__customer_history"
    ON "source"."customer_id" = "customer__customer_history"."CUSTOMER_ID"
    AND DATE_TRUNC('DAY', CAST("source"."counted_on" AS TIMESTAMPNTZ)) >= CAST("customer__customer_history"."VALID_FROM" AS TIMESTAMPNTZ)
    AND (
      DATE_TRUNC('DAY', CAST("source"."counted_on" AS TIMESTAMPNTZ)) < CAST("customer__customer_history"."VALID_TO" AS TIMESTAMPNTZ)
      OR "customer__customer_history"."VALID_TO" IS NULL
    )
  LEFT JOIN "MF"."COUNTRIES" AS "customer__country__countries"
    ON "customer__customer_history"."COUNTRY_CODE" = "customer__country__countries"."CODE"
  WHERE
    "source"."counted_on" = "source"."picked"
  GROUP BY
    1,
    2
)
SELECT
  "balances_1"."metric_time__month" AS "metric_time__month",
  "balances_1"."customer__country__continent" AS "customer__country__continent",
  "balances_1"."last_balance_of_each_1" AS "last_balance_of_each"
FROM "balances_1"
