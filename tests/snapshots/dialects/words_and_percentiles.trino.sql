WITH "order_totals" AS (
  SELECT
    "numbered_rows"."key_1" AS "group",
    "numbered_rows"."key_2" AS "user",
    SUM("numbered_rows"."value_3") AS "sales",
    MAX(
      CASE
        WHEN (
          "numbered_rows"."value_5" - 1
        ) * 4 <= (
          "numbered_rows"."value_6" - 1
        ) * 1
        AND (
          "numbered_rows"."value_5" - 0
        ) * 4 > (
          "numbered_rows"."value_6" - 1
        ) * 1
        THEN CAST("numbered_rows"."value_4" AS DOUBLE)
      END
    ) + (
      MAX(
        CASE
          WHEN (
            "numbered_rows"."value_5" - 1
          ) * 4 >= (
            "numbered_rows"."value_6" - 1
          ) * 1
          AND (
            "numbered_rows"."value_5" - 2
          ) * 4 < (
            "numbered_rows"."value_6" - 1
          ) * 1
          THEN CAST("numbered_rows"."value_4" AS DOUBLE)
        END
      ) - MAX(
        CASE
          WHEN (
            "numbered_rows"."value_5" - 1
          ) * 4 <= (
            "numbered_rows"."value_6" - 1
          ) * 1
          AND (
            "numbered_rows"."value_5" - 0
          ) * 4 > (
            "numbered_rows"."value_6" - 1
          ) * 1
          THEN CAST("numbered_rows"."value_4" AS DOUBLE)
        END
      )
    ) * (
      CAST(MAX(
        CASE
          WHEN (
            (
              "numbered_rows"."value_5" - 1
            ) * 4 <= (
              "numbered_rows"."value_6" - 1
            ) * 1
            AND (
              "numbered_rows"."value_5" - 0
            ) * 4 > (
              "numbered_rows"."value_6" - 1
            ) * 1
          )
          AND NOT "numbered_rows"."value_4" IS NULL
          THEN (
            (
              "numbered_rows"."value_6" - 1
            ) * 1 - (
              "numbered_rows"."value_5" - 1
            ) * 4
          )
        END
      ) AS DOUBLE) / 4
    ) AS "middle",
    MAX(
      CASE
        WHEN "numbered_rows"."value_8" * 4 >= "numbered_rows"."value_9" * 1
        AND (
          (
            "numbered_rows"."value_8" - 1
          ) * 4 < "numbered_rows"."value_9" * 1
          OR "numbered_rows"."value_8" = 1
        )
        THEN "numbered_rows"."value_7"
      END
    ) AS "first_quarter"
  FROM (
    SELECT
      "order"."group" AS "key_1",
      "order"."user" AS "key_2",
      "order"."total sales (€)" AS "value_3",
      CAST("order"."amount" AS DOUBLE) AS "value_4",
      ROW_NUMBER() OVER (
        PARTITION BY "order"."group", "order"."user"
        ORDER BY CAST("order"."amount" AS DOUBLE) ASC
      ) AS "value_5",
      COUNT(CAST("order"."amount" AS DOUBLE)) OVER (PARTITION BY "order"."group", "order"."user") AS "value_6",
      "order"."amount" AS "value_7",
      ROW_NUMBER() OVER (PARTITION BY "order"."group", "order"."user" ORDER BY "order"."amount" ASC) AS "value_8",
      COUNT("order"."amount") OVER (PARTITION BY "order"."group", "order"."user") AS "value_9"
    FROM "shop"."order" AS "order"
  ) AS "numbered_rows"
  GROUP BY
    1,
    2
)
SELECT
  "order_totals"."group" AS "group",
  "order_totals"."user" AS "user",
  "order_totals"."sales" AS "sales",
  "order_totals"."middle" AS "middle",
  "order_totals"."first_quarter" AS "first_quarter"
FROM "order_totals"
ORDER BY
  "group" ASC,
  "user" ASC
