WITH "balances_1_times" AS (
  SELECT DISTINCT
    "source"."COUNTED_ON" AS "moment"
  FROM "MF"."BALANCES" AS "source"
), "balances_1_moments" AS (
  SELECT
    MAX("balances_1_times"."moment") AS "moment"
  FROM "balances_1_times"
  GROUP BY
    DATE_TRUNC('MONTH', CAST("balances_1_times"."moment" AS TIMESTAMPNTZ))
), "balances_1" AS (
  SELECT
    DATE_TRUNC('MONTH', CAST("source"."COUNTED_ON" AS TIMESTAMPNTZ)) AS "metric_time__month",
    "source"."CUSTOMER_ID" AS "customer",
    SUM("source"."BALANCE") AS "last_balance_1"
  FROM "MF"."BALANCES" AS "source"
  WHERE
    "source"."COUNTED_ON" IN (
      SELECT
        "balances_1_moments"."moment"
      FROM "balances_1_moments"
    )
  GROUP BY
    1,
    2
)
SELECT
  "balances_1"."metric_time__month" AS "metric_time__month",
  "balances_1"."customer" AS "customer",
  "balances_1"."last_balance_1" AS "last_balance"
FROM "balances_1"
