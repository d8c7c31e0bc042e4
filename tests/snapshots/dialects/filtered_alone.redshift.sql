WITH "orders_totals" AS (
  SELECT
    "numbered_rows"."key_1" AS "tier",
    AVG(
      CAST(CASE
        WHEN (
          "numbered_rows"."value_3" <> %(p1)s OR "numbered_rows"."value_4" IS NULL
        )
        AND (
          "numbered_rows"."value_5" = %(p2)s OR "numbered_rows"."value_6" IS NULL
        )
        THEN "numbered_rows"."value_2"
      END AS DOUBLE PRECISION)
    ) AS "average_amount_0",
    SUM(
      CASE
        WHEN (
          "numbered_rows"."value_7" <> %(p1)s OR "numbered_rows"."value_8" IS NULL
        )
        AND (
          "numbered_rows"."value_9" = %(p2)s OR "numbered_rows"."value_10" IS NULL
        )
        THEN CASE WHEN (
          "numbered_rows"."value_11" >= 100
        ) THEN 1 ELSE 0 END
      END
    ) AS "large_orders_1",
    MAX(
      CASE
        WHEN (
          "numbered_rows"."value_13" - 1
        ) * 2 <= (
          "numbered_rows"."value_14" - 1
        ) * 1
        AND (
          "numbered_rows"."value_13" - 0
        ) * 2 > (
          "numbered_rows"."value_14" - 1
        ) * 1
        THEN CAST("numbered_rows"."value_12" AS DOUBLE PRECISION)
      END
    ) + (
      MAX(
        CASE
          WHEN (
            "numbered_rows"."value_13" - 1
          ) * 2 >= (
            "numbered_rows"."value_14" - 1
          ) * 1
          AND (
            "numbered_rows"."value_13" - 2
          ) * 2 < (
            "numbered_rows"."value_14" - 1
          ) * 1
          THEN CAST("numbered_rows"."value_12" AS DOUBLE PRECISION)
        END
      ) - MAX(
        CASE
          WHEN (
            "numbered_rows"."value_13" - 1
          ) * 2 <= (
            "numbered_rows"."value_14" - 1
          ) * 1
          AND (
            "numbered_rows"."value_13" - 0
          ) * 2 > (
            "numbered_rows"."value_14" - 1
          ) * 1
          THEN CAST("numbered_rows"."value_12" AS DOUBLE PRECISION)
        END
      )
    ) * (
      CAST(MAX(
        CASE
          WHEN (
            (
              "numbered_rows"."value_13" - 1
            ) * 2 <= (
              "numbered_rows"."value_14" - 1
            ) * 1
            AND (
              "numbered_rows"."value_13" - 0
            ) * 2 > (
              "numbered_rows"."value_14" - 1
            ) * 1
          )
          AND NOT "numbered_rows"."value_12" IS NULL
          THEN (
            (
              "numbered_rows"."value_14" - 1
            ) * 1 - (
              "numbered_rows"."value_13" - 1
            ) * 2
          )
        END
      ) AS DOUBLE PRECISION) / 2
    ) AS "median_amount_2",
    MAX(
      CASE WHEN "numbered_rows"."value_16" = %(p3)s THEN "numbered_rows"."value_15" END
    ) AS "largest_amount_3"
  FROM (
    SELECT
      "customers"."tier" AS "key_1",
      "orders"."amount" AS "value_2",
      "orders"."status" AS "value_3",
      "orders"."status" AS "value_4",
      "customers"."tier" AS "value_5",
      "customers"."tier" AS "value_6",
      "orders"."status" AS "value_7",
      "orders"."status" AS "value_8",
      "customers"."tier" AS "value_9",
      "customers"."tier" AS "value_10",
      "orders"."amount" AS "value_11",
      CASE
        WHEN (
          "orders"."status" <> %(p1)s OR "orders"."status" IS NULL
        )
        AND (
          "customers"."tier" = %(p2)s OR "customers"."tier" IS NULL
        )
        THEN CAST("orders"."amount" AS DOUBLE PRECISION)
      END AS "value_12",
      ROW_NUMBER() OVER (
        PARTITION BY "customers"."tier"
        ORDER BY CASE
          WHEN (
            "orders"."status" <> %(p1)s OR "orders"."status" IS NULL
          )
          AND (
            "customers"."tier" = %(p2)s OR "customers"."tier" IS NULL
          )
          THEN CAST("orders"."amount" AS DOUBLE PRECISION)
        END ASC
      ) AS "value_13",
      COUNT(
        CASE
          WHEN (
            "orders"."status" <> %(p1)s OR "orders"."status" IS NULL
          )
          AND (
            "customers"."tier" = %(p2)s OR "customers"."tier" IS NULL
          )
          THEN CAST("orders"."amount" AS DOUBLE PRECISION)
        END
      ) OVER (PARTITION BY "customers"."tier") AS "value_14",
      "orders"."amount" AS "value_15",
      "orders"."status" AS "value_16"
    FROM "shop"."orders" AS "orders"
    LEFT JOIN "shop"."customers" AS "customers"
      ON "orders"."customer_id" = "customers"."customer_id"
    WHERE
      (
        (
          (
            "orders"."status" <> %(p1)s OR "orders"."status" IS NULL
          )
          AND (
            "customers"."tier" = %(p2)s OR "customers"."tier" IS NULL
          )
        )
        OR "orders"."status" = %(p3)s
      )
  ) AS "numbered_rows"
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
