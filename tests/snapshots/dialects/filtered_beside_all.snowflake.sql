WITH "orders_totals" AS (
  SELECT
    "customers"."TIER" AS "tier",
    SUM(CASE WHEN "orders"."STATUS" = :p1 THEN "orders"."AMOUNT" END) AS "order_amount_0",
    SUM("orders"."AMOUNT") AS "order_amount_1",
    NULLIF(COUNT(CASE WHEN "orders"."STATUS" = :p1 THEN 1 END), 0) AS "order_count_2",
    CASE
      WHEN COUNT(
        CASE
          WHEN (
            "orders"."STATUS" <> :p2 OR "orders"."STATUS" IS NULL
          )
          AND (
            "customers"."TIER" = :p3 OR "customers"."TIER" IS NULL
          )
          THEN 1
        END
      ) > 0
      THEN COUNT(
        DISTINCT CASE
          WHEN (
            "orders"."STATUS" <> :p2 OR "orders"."STATUS" IS NULL
          )
          AND (
            "customers"."TIER" = :p3 OR "customers"."TIER" IS NULL
          )
          THEN "orders"."CUSTOMER_ID"
        END
      )
    END AS "buyers_3"
  FROM "SHOP"."ORDERS" AS "orders"
  LEFT JOIN "SHOP"."CUSTOMERS" AS "customers"
    ON "orders"."CUSTOMER_ID" = "customers"."CUSTOMER_ID"
  GROUP BY
    1
)
SELECT
  "orders_totals"."tier" AS "tier",
  "orders_totals"."order_amount_0" AS "order_amount_0",
  "orders_totals"."order_amount_1" AS "order_amount_1",
  COALESCE("orders_totals"."order_count_2", 0) AS "order_count_2",
  COALESCE("orders_totals"."buyers_3", 0) AS "buyers_3"
FROM "orders_totals"
ORDER BY
  "tier" ASC
