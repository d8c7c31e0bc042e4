WITH "orders_totals" AS (
  SELECT
    "numbered_rows"."key_1" AS "status",
    MAX(
      CASE
        WHEN (
          "numbered_rows"."value_3" - 1
        ) * 2 <= (
          "numbered_rows"."value_4" - 1
        ) * 1
        AND (
          "numbered_rows"."value_3" - 0
        ) * 2 > (
          "numbered_rows"."value_4" - 1
        ) * 1
        THEN CAST("numbered_rows"."value_2" AS DOUBLE PRECISION)
      END
    ) + (
      MAX(
        CASE
          WHEN (
            "numbered_rows"."value_3" - 1
          ) * 2 >= (
            "numbered_rows"."value_4" - 1
          ) * 1
          AND (
            "numbered_rows"."value_3" - 2
          ) * 2 < (
            "numbered_rows"."value_4" - 1
          ) * 1
          THEN CAST("numbered_rows"."value_2" AS DOUBLE PRECISION)
        END
      ) - MAX(
        CASE
          WHEN (
            "numbered_rows"."value_3" - 1
          ) * 2 <= (
            "numbered_rows"."value_4" - 1
          ) * 1
          AND (
            "numbered_rows"."value_3" - 0
          ) * 2 > (
            "numbered_rows"."value_4" - 1
          ) * 1
          THEN CAST("numbered_rows"."value_2" AS DOUBLE PRECISION)
        END
      )
    ) * (
      CAST(MAX(
        CASE
          WHEN (
            (
              "numbered_rows"."value_3" - 1
            ) * 2 <= (
              "numbered_rows"."value_4" - 1
            ) * 1
            AND (
              "numbered_rows"."value_3" - 0
            ) * 2 > (
              "numbered_rows"."value_4" - 1
            ) * 1
          )
          AND NOT "numbered_rows"."value_2" IS NULL
          THEN (
            (
              "numbered_rows"."value_4" - 1
            ) * 1 - (
              "numbered_rows"."value_3" - 1
            ) * 2
          )
        END
      ) AS DOUBLE PRECISION) / 2
    ) AS "median_order",
    COUNT(DISTINCT "numbered_rows"."value_5") AS "buyers",
    SUM(CASE WHEN (
      "numbered_rows"."value_6" >= 100
    ) THEN 1 ELSE 0 END) AS "large_order_count"
  FROM (
    SELECT
      "orders"."status" AS "key_1",
      CAST("orders"."amount" AS DOUBLE PRECISION) AS "value_2",
      ROW_NUMBER() OVER (
        PARTITION BY "orders"."status"
        ORDER BY CAST("orders"."amount" AS DOUBLE PRECISION) ASC
      ) AS "value_3",
      COUNT(CAST("orders"."amount" AS DOUBLE PRECISION)) OVER (PARTITION BY "orders"."status") AS "value_4",
      "orders"."customer_id" AS "value_5",
      "orders"."amount" AS "value_6"
    FROM "shop"."orders" AS "orders"
  ) AS "numbered_rows"
  GROUP BY
    1
)
SELECT
  "orders_totals"."status" AS "status",
  "orders_totals"."median_order" AS "median_order",
  "orders_totals"."buyers" AS "buyers",
  "orders_totals"."large_order_count" AS "large_order_count"
FROM "orders_totals"
ORDER BY
  "status" ASC
