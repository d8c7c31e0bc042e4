WITH "balances_1_times" AS (
  SELECT DISTINCT
    "source"."counted_on" AS "moment"
  FROM "mf"."balances" AS "source"
), "balances_1_moments" AS (
  SELECT
    MAX("balances_1_times"."moment") AS "moment"
  FROM "balances_1_times"
  GROUP BY
    DATE_TRUNC('month', CAST("balances_1_times"."moment" AS TIMESTAMP(6)))
), "balances_1" AS (
  SELECT
    DATE_TRUNC('month', CAST("source"."counted_on" AS TIMESTAMP(6))) AS "metric_time__month",
    "source"."customer_id" AS "customer",
    SUM("source"."balance") AS "last_balance_1"
  FROM "mf"."balances" AS "source"
  WHERE
    "source"."counted_on" IN (
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
