WITH "orders_totals" AS (
  SELECT
    "customers"."TIER" AS "tier",
    AVG(
      CAST(CASE
        WHEN (
          "orders"."STATUS" <> :p1 OR "orders"."STATUS" IS NULL
        )
        AND (
          "customers"."TIER" = :p2 OR "customers"."TIER" IS NULL
        )
        THEN "orders"."AMOUNT"
      END AS DOUBLE)
    ) AS "average_amount_0",
    SUM(
      CASE
        WHEN (
          "orders"."STATUS" <> :p1 OR "orders"."STATUS" IS NULL
        )
        AND (
          "customers"."TIER" = :p2 OR "customers"."TIER" IS NULL
        )
        THEN CASE WHEN (
          "orders"."AMOUNT" >= 100
        ) THEN 1 ELSE 0 END
      END
    ) AS "large_orders_1",
    PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY
      CASE
        WHEN (
          "orders"."STATUS" <> :p1 OR "orders"."STATUS" IS NULL
        )
        AND (
          "customers"."TIER" = :p2 OR "customers"."TIER" IS NULL
        )
        THEN CAST("orders"."AMOUNT" AS DOUBLE)
      END) AS "median_amount_2",
    MAX(CASE WHEN "orders"."STATUS" = :p3 THEN "orders"."AMOUNT" END) AS "largest_amount_3"
  FROM "SHOP"."ORDERS" AS "orders"
  LEFT JOIN "SHOP"."CUSTOMERS" AS "customers"
    ON "orders"."CUSTOMER_ID" = "customers"."CUSTOMER_ID"
  WHERE
    (
      (
        (
          "orders"."STATUS" <> :p1 OR "orders"."STATUS" IS NULL
        )
        AND (
          "customers"."TIER" = :p2 OR "customers"."TIER" IS NULL
        )
      )
      OR "orders"."STATUS" = :p3
    )
  GROUP BY
    1
)
SELECT
  "orders_totals"."tier" AS "tier",
  "orders_totals"."average_amount_0" AS "average_amount_0",
  "orders_totals"."large_orders_1" AS "large_orders_1",
  "orders_totals"."median_amount_2" AS "median_amount_2",
  "orders_totals"."largest_amount_3" AS "largest_amount_3"
FROM "orders_totals"
ORDER BY
  "tier" ASC
