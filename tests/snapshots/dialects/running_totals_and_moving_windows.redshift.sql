WITH "orders_totals" AS (
  SELECT
    CAST(DATE_TRUNC('month', CAST("orders"."ordered_at" AS TIMESTAMP)) AS DATE) AS "metric_time__month",
    "stores"."region" AS "region",
    SUM("orders"."amount") AS "revenue"
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
    "orders_totals"."revenue" AS "revenue"
  FROM "orders_totals"
), "reach" AS (
  SELECT
    MIN("orders"."ordered_at") AS "first_moment",
    MAX("orders"."ordered_at") AS "last_moment"
  FROM "shop"."orders" AS "orders"
), "span" AS (
  SELECT
    CAST(DATE_TRUNC('month', CAST("reach"."first_moment" AS TIMESTAMP)) AS DATE) AS "first_period",
    CAST(DATE_TRUNC('month', CAST("reach"."last_moment" AS TIMESTAMP)) AS DATE) AS "last_period",
    GREATEST(
      CAST(DATE_TRUNC('month', CAST("reach"."first_moment" AS TIMESTAMP)) AS DATE),
      CAST(DATEADD(
        MONTH,
        -1,
        CAST(GREATEST(
          CAST(DATE_TRUNC('month', CAST("reach"."first_moment" AS TIMESTAMP)) AS DATE),
          CAST(DATE_TRUNC('month', CAST(%(p5)s AS TIMESTAMP)) AS DATE)
        ) AS TIMESTAMP)
      ) AS DATE)
    ) AS "first_needed",
    GREATEST(
      CAST(DATE_TRUNC('month', CAST("reach"."first_moment" AS TIMESTAMP)) AS DATE),
      CAST(DATE_TRUNC('month', CAST(%(p5)s AS TIMESTAMP)) AS DATE)
    ) AS "first_shown",
    LEAST(
      CAST(CAST(DATE_TRUNC('month', CAST("reach"."last_moment" AS TIMESTAMP)) AS DATE) AS TIMESTAMP),
      CAST(CAST(DATE_TRUNC('month', CAST(%(p6)s AS TIMESTAMP)) AS DATE) AS TIMESTAMP)
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
    CAST(DATEADD(MONTH, CAST("digits"."digit" AS INTEGER), CAST("periods_1"."period" AS TIMESTAMP)) AS DATE) AS "period",
    "periods_1"."last_shown" AS "last_shown"
  FROM "periods_1"
  CROSS JOIN "digits"
  WHERE
    CAST(DATEADD(MONTH, CAST("digits"."digit" AS INTEGER), CAST("periods_1"."period" AS TIMESTAMP)) AS DATE) <= "periods_1"."last_shown"
), "wide_orders_totals" AS (
  SELECT
    CAST(DATE_TRUNC('month', CAST("orders"."ordered_at" AS TIMESTAMP)) AS DATE) AS "metric_time__month",
    "stores"."region" AS "region",
    SUM("orders"."amount") AS "revenue"
  FROM "shop"."orders" AS "orders"
  LEFT JOIN "shop"."stores" AS "stores"
    ON "orders"."store_id" = "stores"."store_id"
  WHERE
    "orders"."ordered_at" >= %(p3)s AND "orders"."ordered_at" < %(p4)s
  GROUP BY
    1,
    2
), "wide" AS (
  SELECT
    "wide_orders_totals"."metric_time__month" AS "metric_time__month",
    "wide_orders_totals"."region" AS "region",
    "wide_orders_totals"."revenue" AS "revenue"
  FROM "wide_orders_totals"
), "members" AS (
  SELECT
    "asked"."region" AS "region"
  FROM "asked"
  UNION
  SELECT
    "wide"."region" AS "region"
  FROM "wide"
  WHERE
    "wide"."metric_time__month" BETWEEN (
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
    MAX(CASE WHEN "stacked"."source" = 1 THEN "stacked"."revenue" END) AS "revenue",
    MAX(CASE WHEN "stacked"."source" = 2 THEN "stacked"."revenue" END) AS "revenue__wide",
    MAX(CASE WHEN "stacked"."source" = 1 THEN 1 END) AS "in_asked",
    MAX(CASE WHEN "stacked"."source" = 2 THEN 1 END) AS "in_wide",
    MAX(CASE WHEN "stacked"."source" = 3 THEN 1 END) AS "in_calendar",
    MAX(CASE WHEN "stacked"."source" = 4 THEN 1 END) AS "in_calendar_before",
    MAX(CASE WHEN "stacked"."source" IN (1, 3) THEN 1 END) AS "kept"
  FROM (
    SELECT
      1 AS "source",
      "asked"."metric_time__month" AS "metric_time__month",
      "asked"."region" AS "region",
      "asked"."revenue" AS "revenue"
    FROM "asked"
    UNION ALL
    SELECT
      2 AS "source",
      "wide"."metric_time__month" AS "metric_time__month",
      "wide"."region" AS "region",
      "wide"."revenue" AS "revenue"
    FROM "wide"
    WHERE
      "wide"."metric_time__month" BETWEEN (
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
      3 AS "source",
      "calendar"."metric_time__month" AS "metric_time__month",
      "calendar"."region" AS "region",
      NULL AS "revenue"
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
      4 AS "source",
      "calendar"."metric_time__month" AS "metric_time__month",
      "calendar"."region" AS "region",
      NULL AS "revenue"
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
      ELSE "lined_up"."revenue"
    END AS "revenue",
    CASE
      WHEN "lined_up"."in_wide" IS NULL
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
      ELSE "lined_up"."revenue__wide"
    END AS "revenue__wide",
    "lined_up"."kept"
  FROM "lined_up"
), "calculated" AS (
  SELECT
    "filled"."metric_time__month",
    "filled"."region",
    "filled"."revenue" AS "revenue",
    CASE
      WHEN NOT "filled"."metric_time__month" IS NULL
      THEN SUM("filled"."revenue") OVER (
        PARTITION BY "filled"."region", CAST(CAST(DATE_TRUNC('year', CAST("filled"."metric_time__month" AS TIMESTAMP)) AS DATE) AS DATE)
        ORDER BY "filled"."metric_time__month"
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
      )
    END AS "revenue__running_total",
    CASE
      WHEN MIN("filled"."metric_time__month") OVER (
        PARTITION BY "filled"."region"
        ORDER BY "filled"."metric_time__month"
        ROWS BETWEEN 1 PRECEDING AND CURRENT ROW
      ) = CAST(DATEADD(MONTH, -1, CAST("filled"."metric_time__month" AS TIMESTAMP)) AS DATE)
      AND COUNT("filled"."revenue__wide") OVER (
        PARTITION BY "filled"."region"
        ORDER BY "filled"."metric_time__month"
        ROWS BETWEEN 1 PRECEDING AND CURRENT ROW
      ) = 2
      THEN AVG(CAST("filled"."revenue__wide" AS DOUBLE PRECISION)) OVER (
        PARTITION BY "filled"."region"
        ORDER BY "filled"."metric_time__month"
        ROWS BETWEEN 1 PRECEDING AND CURRENT ROW
      )
    END AS "revenue__moving_average",
    "filled"."kept"
  FROM "filled"
)
SELECT
  "calculated"."metric_time__month",
  "calculated"."region",
  "calculated"."revenue",
  "calculated"."revenue__running_total",
  "calculated"."revenue__moving_average"
FROM "calculated"
WHERE
  "calculated"."kept" = 1
ORDER BY
  "metric_time__month" ASC,
  "region" ASC
