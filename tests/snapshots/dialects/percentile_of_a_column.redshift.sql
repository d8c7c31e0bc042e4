WITH "orders_totals" AS (
  SELECT
    "numbered_rows"."key_1" AS "region",
    MAX(
      CASE
        WHEN (
          "numbered_rows"."value_3" - 1
        ) * 10 <= (
          "numbered_rows"."value_4" - 1
        ) * 9
        AND (
          "numbered_rows"."value_3" - 0
        ) * 10 > (
          "numbered_rows"."value_4" - 1
        ) * 9
        THEN CAST("numbered_rows"."value_2" AS DOUBLE PRECISION)
      END
    ) + (
      MAX(
        CASE
          WHEN (
            "numbered_rows"."value_3" - 1
          ) * 10 >= (
            "numbered_rows"."value_4" - 1
          ) * 9
          AND (
            "numbered_rows"."value_3" - 2
          ) * 10 < (
            "numbered_rows"."value_4" - 1
          ) * 9
          THEN CAST("numbered_rows"."value_2" AS DOUBLE PRECISION)
        END
      ) - MAX(
        CASE
          WHEN (
            "numbered_rows"."value_3" - 1
          ) * 10 <= (
            "numbered_rows"."value_4" - 1
          ) * 9
          AND (
            "numbered_rows"."value_3" - 0
          ) * 10 > (
            "numbered_rows"."value_4" - 1
          ) * 9
          THEN CAST("numbered_rows"."value_2" AS DOUBLE PRECISION)
        END
      )
    ) * (
      CAST(MAX(
        CASE
          WHEN (
            (
              "numbered_rows"."value_3" - 1
            ) * 10 <= (
              "numbered_rows"."value_4" - 1
            ) * 9
            AND (
              "numbered_rows"."value_3" - 0
            ) * 10 > (
              "numbered_rows"."value_4" - 1
            ) * 9
          )
          AND NOT "numbered_rows"."value_2" IS NULL
          THEN (
            (
              "numbered_rows"."value_4" - 1
            ) * 9 - (
              "numbered_rows"."value_3" - 1
            ) * 10
          )
        END
      ) AS DOUBLE PRECISION) / 10
    ) AS "orders_amount_band_p90"
  FROM (
    SELECT
      "stores"."region" AS "key_1",
      CAST(FLOOR(CAST("orders"."amount" AS DOUBLE PRECISION) / 50) AS DOUBLE PRECISION) AS "value_2",
      ROW_NUMBER() OVER (
        PARTITION BY "stores"."region"
        ORDER BY CAST(FLOOR(CAST("orders"."amount" AS DOUBLE PRECISION) / 50) AS DOUBLE PRECISION) ASC
      ) AS "value_3",
      COUNT(
        CAST(FLOOR(CAST("orders"."amount" AS DOUBLE PRECISION) / 50) AS DOUBLE PRECISION)
      ) OVER (PARTITION BY "stores"."region") AS "value_4"
    FROM "shop"."orders" AS "orders"
    LEFT JOIN "shop"."stores" AS "stores"
      ON "orders"."store_id" = "stores"."store_id"
  ) AS "numbered_rows"
  GROUP BY
    1
)
SELECT
  "orders_totals"."region" AS "region",
  "orders_totals"."orders_amount_band_p90" AS "orders_amount_band_p90"
FROM "orders_totals"
ORDER BY
  "region" ASC
