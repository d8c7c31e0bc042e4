WITH "orders_1" AS (
  SELECT
    DATE_TRUNC('DAY', CAST("source"."ORDERED_AT" AS TIMESTAMPNTZ)) AS "metric_time__day",
    "source"."CUSTOMER_ID" AS "customer",
    SUM("source"."AMOUNT") AS "amount_1"
  FROM "MF"."ORDERS" AS "source"
  GROUP BY
    1,
    2
), "visits_2" AS (
  SELECT
    DATE_TRUNC('DAY', CAST("source"."VISITED_AT" AS TIMESTAMPNTZ)) AS "metric_time__day",
    "source"."CUSTOMER_ID" AS "customer",
    COUNT(*) AS "visits_2"
  FROM "MF"."VISITS" AS "source"
  GROUP BY
    1,
    2
), "balances_3_times" AS (
  SELECT DISTINCT
    "source"."COUNTED_ON" AS "moment"
  FROM "MF"."BALANCES" AS "source"
), "balances_3_moments" AS (
  SELECT
    MAX("balances_3_times"."moment") AS "moment"
  FROM "balances_3_times"
  GROUP BY
    DATE_TRUNC('DAY', CAST("balances_3_times"."moment" AS TIMESTAMPNTZ))
), "balances_3" AS (
  SELECT
    DATE_TRUNC('DAY', CAST("source"."COUNTED_ON" AS TIMESTAMPNTZ)) AS "metric_time__day",
    "source"."CUSTOMER_ID" AS "customer",
    SUM("source"."BALANCE") AS "last_balance_3"
  FROM "MF"."BALANCES" AS "source"
  WHERE
    "source"."COUNTED_ON" IN (
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
