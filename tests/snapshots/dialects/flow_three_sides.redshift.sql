WITH "orders_1" AS (
  SELECT
    DATE_TRUNC('day', CAST("source"."ordered_at" AS TIMESTAMP)) AS "metric_time__day",
    "source"."customer_id" AS "customer",
    SUM("source"."amount") AS "amount_1"
  FROM "mf"."orders" AS "source"
  GROUP BY
    1,
    2
), "visits_2" AS (
  SELECT
    DATE_TRUNC('day', CAST("source"."visited_at" AS TIMESTAMP)) AS "metric_time__day",
    "source"."customer_id" AS "customer",
    COUNT(*) AS "visits_2"
  FROM "mf"."visits" AS "source"
  GROUP BY
    1,
    2
), "balances_3_times" AS (
  SELECT DISTINCT
    "source"."counted_on" AS "moment"
  FROM "mf"."balances" AS "source"
), "balances_3_moments" AS (
  SELECT
    MAX("balances_3_times"."moment") AS "moment"
  FROM "balances_3_times"
  GROUP BY
    DATE_TRUNC('day', CAST("balances_3_times"."moment" AS TIMESTAMP))
), "balances_3" AS (
  SELECT
    DATE_TRUNC('day', CAST("source"."counted_on" AS TIMESTAMP)) AS "metric_time__day",
    "source"."customer_id" AS "customer",
    SUM("source"."balance") AS "last_balance_3"
  FROM "mf"."balances" AS "source"
  WHERE
    "source"."counted_on" IN (
      SELECT
        "balances_3_moments"."moment"
      FROM "balances_3_moments"
    )
  GROUP BY
    1,
    2
), "all_sides" AS (
  SELECT
    COALESCE(
      "orders_1"."metric_time__day",
      "visits_2"."metric_time__day",
      "balances_3"."metric_time__day"
    ) AS "metric_time__day",
    COALESCE("orders_1"."customer", "visits_2"."customer", "balances_3"."customer") AS "customer",
    MAX("orders_1"."amount_1") AS "amount_1",
    MAX("visits_2"."visits_2") AS "visits_2",
    MAX("balances_3"."last_balance_3") AS "last_balance_3"
  FROM "orders_1"
  FULL JOIN "visits_2"
    ON "orders_1"."metric_time__day" = "visits_2"."metric_time__day"
    AND "orders_1"."customer" = "visits_2"."customer"
  FULL JOIN "balances_3"
    ON COALESCE("orders_1"."metric_time__day", "visits_2"."metric_time__day") = "balances_3"."metric_time__day"
    AND COALESCE("orders_1"."customer", "visits_2"."customer") = "balances_3"."customer"
  GROUP BY
    1,
    2
)
SELECT
  "all_sides"."metric_time__day" AS "metric_time__day",
  "all_sides"."customer" AS "customer",
  "all_sides"."amount_1" AS "revenue",
  "all_sides"."visits_2" AS "visits",
  "all_sides"."last_balance_3" AS "last_balance"
FROM "all_sides"
