WITH "orders_1" AS (
  SELECT
    "source"."channel" AS "order__channel",
    QUANTILE_DISC("source"."amount", 0.5
    ORDER BY
      "source"."amount") AS "middle_amount_1"
  FROM "mf"."orders" AS "source"
  GROUP BY
    1
)
SELECT
  "orders_1"."order__channel" AS "order__channel",
  "orders_1"."middle_amount_1" AS "middle"
FROM "orders_1"
