WITH "orders_totals" AS (
  SELECT
    CAST(DATE_TRUNC('MONTH', "orders"."ordered_at") AS DATE) AS "metric_time__month",
    "stores"."region" AS "region",
    COUNT(DISTINCT "orders"."customer_id") AS "buyers",
    SUM("orders"."amount") AS "revenue",
    COUNT(*) AS "orders"
  FROM "shop"."orders" AS "orders"
  LEFT JOIN "shop"."stores" AS "stores"
    ON "orders"."store_id" = "stores"."store_id"
  WHERE
    "orders"."ordered_at" >= %(p1)s AND "orders"."ordered_at" < %(p2)s
  GROUP BY
    1,
    2
), "asked" AS (
  SELECT
    "orders_totals"."metric_time__month" AS "metric_time__month",
    "orders_totals"."region" AS "region",
    "orders_totals"."buyers" AS "buyers",
    CAST("orders_totals"."revenue" AS DOUBLE PRECISION) / NULLIF("orders_totals"."orders", 0) AS "aov"
  FROM "orders_totals"
), "reach" AS (
  SELECT
    MIN("orders"."ordered_at") AS "first_moment",
    MAX("orders"."ordered_at") AS "last_moment"
  FROM "shop"."orders" AS "orders"
), "span" AS (
  SELECT
    CAST(DATE_TRUNC('MONTH', "reach"."first_moment") AS DATE) AS "first_period",
    CAST(DATE_TRUNC('MONTH', "reach"."last_moment") AS DATE) AS "last_period",
    GREATEST(
      CAST(DATE_TRUNC('MONTH', "reach"."first_moment") AS DATE),
      CAST(GREATEST(
        CAST(DATE_TRUNC('MONTH', "reach"."first_moment") AS DATE),
        CAST(DATE_TRUNC('MONTH', CAST(%(p7)s AS TIMESTAMP)) AS DATE)
      ) - INTERVAL '1 MONTH' AS DATE)
    ) AS "first_needed",
    GREATEST(
      CAST(DATE_TRUNC('MONTH', "reach"."first_moment") AS DATE),
      CAST(DATE_TRUNC('MONTH', CAST(%(p7)s AS TIMESTAMP)) AS DATE)
    ) AS "first_shown",
    LEAST(
      CAST(DATE_TRUNC('MONTH', "reach"."last_moment") AS DATE),
      CAST(DATE_TRUNC('MONTH', CAST(%(p8)s AS TIMESTAMP)) AS DATE)
    ) AS "last_shown"
  FROM "reach"
), "digits" AS (
  SELECT
    0 AS "digit"
  UNION ALL
  SELECT
    1 AS "digit"
  UNION ALL
  SELECT
    2 AS "digit"
  UNION ALL
  SELECT
    3 AS "digit"
  UNION ALL
  SELECT
    4 AS "digit"
  UNION ALL
  SELECT
    5 AS "digit"
  UNION ALL
  SELECT
    6 AS "digit"
  UNION ALL
  SELECT
    7 AS "digit"
), "periods_1" AS (
  SELECT
    "span"."first_needed" AS "period",
    "span"."last_shown" AS "last_shown"
  FROM "span"
  WHERE
    "span"."first_needed" <= "span"."last_shown"
), "periods" AS (
  SELECT
    CAST("periods_1"."period" + "digits"."digit" * INTERVAL '1 MONTH' AS DATE) AS "period",
    "periods_1"."last_shown" AS "last_shown"
  FROM "periods_1"
  CROSS JOIN "digits"
  WHERE
    CAST("periods_1"."period" + "digits"."digit" * INTERVAL '1 MONTH' AS DATE) <= "periods_1"."last_shown"
), "so_far_buyers_periods" AS (
  SELECT
    "periods"."period" AS "period",
    CAST(CAST(DATE_TRUNC('YEAR', "periods"."period") AS DATE) AS DATE) AS "since"
  FROM "periods"
), "so_far_buyers_orders_totals_rows" AS (
  SELECT DISTINCT
    CAST(DATE_TRUNC('MONTH', "orders"."ordered_at") AS DATE) AS "metric_time__month",
    "stores"."region" AS "region",
    "orders"."customer_id" AS "buyers"
  FROM "shop"."orders" AS "orders"
  LEFT JOIN "shop"."stores" AS "stores"
    ON "orders"."store_id" = "stores"."store_id"
  WHERE
    "orders"."ordered_at" >= %(p3)s AND "orders"."ordered_at" < %(p4)s
), "so_far_buyers_orders_totals" AS (
  SELECT
    "so_far_buyers_periods"."period" AS "metric_time__month",
    "so_far_buyers_orders_totals_rows"."region" AS "region",
    COUNT(DISTINCT "so_far_buyers_orders_totals_rows"."buyers") AS "buyers"
  FROM "so_far_buyers_orders_totals_rows"
  INNER JOIN "so_far_buyers_periods"
    ON "so_far_buyers_orders_totals_rows"."metric_time__month" <= "so_far_buyers_periods"."period"
    AND "so_far_buyers_orders_totals_rows"."metric_time__month" >= "so_far_buyers_periods"."since"
  GROUP BY
    1,
    2
), "so_far_buyers" AS (
  SELECT
    "so_far_buyers_orders_totals"."metric_time__month" AS "metric_time__month",
    "so_far_buyers_orders_totals"."region" AS "region",
    "so_far_buyers_orders_totals"."buyers" AS "buyers"
  FROM "so_far_buyers_orders_totals"
), "pooled_average_aov_periods" AS (
  SELECT
    "periods"."period" AS "period",
    CAST("periods"."period" - INTERVAL '1 MONTH' AS DATE) AS "since"
  FROM "periods"
), "pooled_average_aov_orders_totals_rows" AS (
  SELECT
    CAST(DATE_TRUNC('MONTH', "orders"."ordered_at") AS DATE) AS "metric_time__month",
    "stores"."region" AS "region",
    SUM("orders"."amount") AS "revenue",
    COUNT(*) AS "orders"
  FROM "shop"."orders" AS "orders"
  LEFT JOIN "shop"."stores" AS "stores"
    ON "orders"."store_id" = "stores"."store_id"
  WHERE
    "orders"."ordered_at" >= %(p5)s AND "orders"."ordered_at" < %(p6)s
  GROUP BY
    1,
    2
), "pooled_average_aov_orders_totals" AS (
  SELECT
    "pooled_average_aov_periods"."period" AS "metric_time__month",
    "pooled_average_aov_orders_totals_rows"."region" AS "region",
    SUM("pooled_average_aov_orders_totals_rows"."revenue") AS "revenue",
    SUM("pooled_average_aov_orders_totals_rows"."orders") AS "orders"
  FROM "pooled_average_aov_orders_totals_rows"
  INNER JOIN "pooled_average_aov_periods"
    ON "pooled_average_aov_orders_totals_rows"."metric_time__month" <= "pooled_average_aov_periods"."period"
    AND "pooled_average_aov_orders_totals_rows"."metric_time__month" >= "pooled_average_aov_periods"."since"
  GROUP BY
    1,
    2
), "pooled_average_aov" AS (
  SELECT
    "pooled_average_aov_orders_totals"."metric_time__month" AS "metric_time__month",
    "pooled_average_aov_orders_totals"."region" AS "region",
    CAST("pooled_average_aov_orders_totals"."revenue" AS DOUBLE PRECISION) / NULLIF("pooled_average_aov_orders_totals"."orders", 0) AS "aov"
  FROM "pooled_average_aov_orders_totals"
), "members" AS (
  SELECT
    "asked"."region" AS "region"
  FROM "asked"
  UNION
  SELECT
    "so_far_buyers"."region" AS "region"
  FROM "so_far_buyers"
  UNION
  SELECT
    "pooled_average_aov"."region" AS "region"
  FROM "pooled_average_aov"
  WHERE
    "pooled_average_aov"."metric_time__month" BETWEEN (
      SELECT
        "span"."first_needed"
      FROM "span"
    ) AND (
      SELECT
        "span"."last_shown"
      FROM "span"
    )
), "calendar" AS (
  SELECT
    "periods"."period" AS "metric_time__month",
    "members"."region"
  FROM "periods"
  CROSS JOIN "members"
), "lined_up" AS (
  SELECT
    "stacked"."metric_time__month" AS "metric_time__month",
    "stacked"."region" AS "region",
    MAX(CASE WHEN "stacked"."source" = 1 THEN "stacked"."buyers" END) AS "buyers",
    MAX(CASE WHEN "stacked"."source" = 1 THEN "stacked"."aov" END) AS "aov",
    MAX(CASE WHEN "stacked"."source" = 2 THEN "stacked"."buyers" END) AS "buyers__running_total",
    MAX(CASE WHEN "stacked"."source" = 3 THEN "stacked"."aov" END) AS "aov__pooled_average",
    MAX(CASE WHEN "stacked"."source" = 1 THEN 1 END) AS "in_asked",
    MAX(CASE WHEN "stacked"."source" = 2 THEN 1 END) AS "in_running_total",
    MAX(CASE WHEN "stacked"."source" = 3 THEN 1 END) AS "in_pooled_average",
    MAX(CASE WHEN "stacked"."source" = 4 THEN 1 END) AS "in_calendar",
    MAX(CASE WHEN "stacked"."source" = 5 THEN 1 END) AS "in_calendar_before",
    MAX(CASE WHEN "stacked"."source" IN (1, 4) THEN 1 END) AS "kept"
  FROM (
    SELECT
      1 AS "source",
      "asked"."metric_time__month" AS "metric_time__month",
      "asked"."region" AS "region",
      "asked"."buyers" AS "buyers",
      "asked"."aov" AS "aov"
    FROM "asked"
    UNION ALL
    SELECT
      2 AS "source",
      "so_far_buyers"."metric_time__month" AS "metric_time__month",
      "so_far_buyers"."region" AS "region",
      "so_far_buyers"."buyers" AS "buyers",
      NULL AS "aov"
    FROM "so_far_buyers"
    UNION ALL
    SELECT
      3 AS "source",
      "pooled_average_aov"."metric_time__month" AS "metric_time__month",
      "pooled_average_aov"."region" AS "region",
      NULL AS "buyers",
      "pooled_average_aov"."aov" AS "aov"
    FROM "pooled_average_aov"
    WHERE
      "pooled_average_aov"."metric_time__month" BETWEEN (
        SELECT
          "span"."first_needed"
        FROM "span"
      ) AND (
        SELECT
          "span"."last_shown"
        FROM "span"
      )
    UNION ALL
    SELECT
      4 AS "source",
      "calendar"."metric_time__month" AS "metric_time__month",
      "calendar"."region" AS "region",
      NULL AS "buyers",
      NULL AS "aov"
    FROM "calendar"
    WHERE
      "calendar"."metric_time__month" BETWEEN (
        SELECT
          "span"."first_shown"
        FROM "span"
      ) AND (
        SELECT
          "span"."last_shown"
        FROM "span"
      )
    UNION ALL
    SELECT
      5 AS "source",
      "calendar"."metric_time__month" AS "metric_time__month",
      "calendar"."region" AS "region",
      NULL AS "buyers",
      NULL AS "aov"
    FROM "calendar"
    WHERE
      NOT "calendar"."metric_time__month" BETWEEN (
        SELECT
          "span"."first_shown"
        FROM "span"
      ) AND (
        SELECT
          "span"."last_shown"
        FROM "span"
      )
  ) AS "stacked"
  GROUP BY
    1,
    2
), "filled" AS (
  SELECT
    "lined_up"."metric_time__month",
    "lined_up"."region",
    CASE
      WHEN "lined_up"."in_asked" IS NULL
      AND "lined_up"."metric_time__month" BETWEEN (
        SELECT
          "span"."first_period"
        FROM "span"
      ) AND (
        SELECT
          "span"."last_period"
        FROM "span"
      )
      THEN 0
      ELSE "lined_up"."buyers"
    END AS "buyers",
    "lined_up"."aov" AS "aov",
    CASE
      WHEN "lined_up"."in_running_total" IS NULL
      AND "lined_up"."metric_time__month" BETWEEN (
        SELECT
          "span"."first_period"
        FROM "span"
      ) AND (
        SELECT
          "span"."last_period"
        FROM "span"
      )
      THEN 0
      ELSE "lined_up"."buyers__running_total"
    END AS "buyers__running_total",
    "lined_up"."aov__pooled_average" AS "aov__pooled_average",
    "lined_up"."kept"
  FROM "lined_up"
), "calculated" AS (
  SELECT
    "filled"."metric_time__month",
    "filled"."region",
    "filled"."buyers" AS "buyers",
    CASE
      WHEN NOT "filled"."metric_time__month" IS NULL
      THEN "filled"."buyers__running_total"
    END AS "buyers__running_total",
    "filled"."aov" AS "aov",
    CASE
      WHEN MIN("filled"."metric_time__month") OVER (
        PARTITION BY "filled"."region"
        ORDER BY "filled"."metric_time__month"
        ROWS BETWEEN 1 PRECEDING AND CURRENT ROW
      ) = CAST("filled"."metric_time__month" - INTERVAL '1 MONTH' AS DATE)
      THEN "filled"."aov__pooled_average"
    END AS "aov__moving_average",
    "filled"."kept"
  FROM "filled"
)
SELECT
  "calculated"."metric_time__month",
  "calculated"."region",
  "calculated"."buyers",
  "calculated"."buyers__running_total",
  "calculated"."aov",
  "calculated"."aov__moving_average"
FROM "calculated"
WHERE
  "calculated"."kept" = 1
ORDER BY
  "metric_time__month" ASC,
  "region" ASC
