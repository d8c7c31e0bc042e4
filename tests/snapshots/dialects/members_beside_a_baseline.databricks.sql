WITH `orders_totals` AS (
  SELECT
    CAST(DATE_TRUNC('MONTH', CAST(`orders`.`ordered_at` AS TIMESTAMP)) AS DATE) AS `metric_time__month`,
    `stores`.`region` AS `region`,
    SUM(`orders`.`amount`) AS `revenue`,
    COUNT(*) AS `orders`
  FROM `shop`.`orders` AS `orders`
  LEFT JOIN `shop`.`stores` AS `stores`
    ON `orders`.`store_id` = `stores`.`store_id`
  GROUP BY
    1,
    2
), `asked` AS (
  SELECT
    `orders_totals`.`metric_time__month` AS `metric_time__month`,
    `orders_totals`.`region` AS `region`,
    `orders_totals`.`revenue` AS `revenue`,
    CAST(`orders_totals`.`revenue` AS DOUBLE) / NULLIF(`orders_totals`.`orders`, 0) AS `aov`
  FROM `orders_totals`
), `reach` AS (
  SELECT
    MIN(`orders`.`ordered_at`) AS `first_moment`,
    MAX(`orders`.`ordered_at`) AS `last_moment`
  FROM `shop`.`orders` AS `orders`
), `span` AS (
  SELECT
    CAST(DATE_TRUNC('MONTH', CAST(`reach`.`first_moment` AS TIMESTAMP)) AS DATE) AS `first_period`,
    CAST(DATE_TRUNC('MONTH', CAST(`reach`.`last_moment` AS TIMESTAMP)) AS DATE) AS `last_period`,
    CAST(DATE_TRUNC('MONTH', CAST(`reach`.`first_moment` AS TIMESTAMP)) AS DATE) AS `first_needed`,
    CAST(DATE_TRUNC('MONTH', CAST(`reach`.`first_moment` AS TIMESTAMP)) AS DATE) AS `first_shown`,
    CAST(DATE_TRUNC('MONTH', CAST(`reach`.`last_moment` AS TIMESTAMP)) AS DATE) AS `last_shown`
  FROM `reach`
), `baseline_rows_orders_totals` AS (
  SELECT
    CAST(DATE_TRUNC('MONTH', CAST(`orders`.`ordered_at` AS TIMESTAMP)) AS DATE) AS `metric_time__month`,
    SUM(`orders`.`amount`) AS `revenue`,
    COUNT(*) AS `orders`
  FROM `shop`.`orders` AS `orders`
  LEFT JOIN `shop`.`stores` AS `stores`
    ON `orders`.`store_id` = `stores`.`store_id`
  WHERE
    `stores`.`region` = :p1
  GROUP BY
    1
), `baseline_rows` AS (
  SELECT
    `baseline_rows_orders_totals`.`metric_time__month` AS `metric_time__month`,
    `baseline_rows_orders_totals`.`revenue` AS `revenue`,
    CAST(`baseline_rows_orders_totals`.`revenue` AS DOUBLE) / NULLIF(`baseline_rows_orders_totals`.`orders`, 0) AS `aov`
  FROM `baseline_rows_orders_totals`
), `lined_up` AS (
  SELECT
    `stacked`.`metric_time__month` AS `metric_time__month`,
    `stacked`.`region` AS `region`,
    MAX(CASE WHEN `stacked`.`source` = 1 THEN `stacked`.`revenue` END) AS `revenue`,
    MAX(CASE WHEN `stacked`.`source` = 1 THEN `stacked`.`aov` END) AS `aov`,
    MAX(CASE WHEN `stacked`.`source` = 2 THEN `stacked`.`revenue` END) AS `revenue__baseline`,
    MAX(CASE WHEN `stacked`.`source` = 2 THEN `stacked`.`aov` END) AS `aov__baseline`,
    MAX(CASE WHEN `stacked`.`source` = 1 THEN 1 END) AS `in_asked`,
    MAX(CASE WHEN `stacked`.`source` = 2 THEN 1 END) AS `in_baseline`,
    MAX(CASE WHEN `stacked`.`source` IN (1) THEN 1 END) AS `kept`
  FROM (
    SELECT
      1 AS `source`,
      `asked`.`metric_time__month` AS `metric_time__month`,
      `asked`.`region` AS `region`,
      `asked`.`revenue` AS `revenue`,
      `asked`.`aov` AS `aov`
    FROM `asked`
    UNION ALL
    SELECT
      2 AS `source`,
      `baseline_rows`.`metric_time__month` AS `metric_time__month`,
      NULL AS `region`,
      `baseline_rows`.`revenue` AS `revenue`,
      `baseline_rows`.`aov` AS `aov`
    FROM `baseline_rows`
  ) AS `stacked`
  GROUP BY
    1,
    2
), `filled` AS (
  SELECT
    `lined_up`.`metric_time__month`,
    `lined_up`.`region`,
    CASE
      WHEN `lined_up`.`in_asked` IS NULL
      AND `lined_up`.`metric_time__month` BETWEEN (
        SELECT
          `span`.`first_period`
        FROM `span`
      ) AND (
        SELECT
          `span`.`last_period`
        FROM `span`
      )
      THEN 0
      ELSE `lined_up`.`revenue`
    END AS `revenue`,
    `lined_up`.`aov` AS `aov`,
    CASE
      WHEN MAX(`lined_up`.`in_baseline`) OVER (PARTITION BY `lined_up`.`metric_time__month`) IS NULL
      AND `lined_up`.`metric_time__month` BETWEEN (
        SELECT
          `span`.`first_period`
        FROM `span`
      ) AND (
        SELECT
          `span`.`last_period`
        FROM `span`
      )
      THEN 0
      ELSE MAX(`lined_up`.`revenue__baseline`) OVER (PARTITION BY `lined_up`.`metric_time__month`)
    END AS `revenue__baseline`,
    MAX(`lined_up`.`aov__baseline`) OVER (PARTITION BY `lined_up`.`metric_time__month`) AS `aov__baseline`,
    `lined_up`.`kept`
  FROM `lined_up`
), `calculated` AS (
  SELECT
    `filled`.`metric_time__month`,
    `filled`.`region`,
    `filled`.`revenue` AS `revenue`,
    `filled`.`revenue__baseline` AS `revenue__baseline`,
    (
      `filled`.`revenue` - `filled`.`revenue__baseline`
    ) AS `revenue__difference`,
    CASE
      WHEN ABS(
        CAST((
          `filled`.`revenue` - `filled`.`revenue__baseline`
        ) AS DOUBLE) / NULLIF(ABS(`filled`.`revenue__baseline`), 0)
      ) < 1000000000000000
      THEN CAST(CAST(CAST((
        `filled`.`revenue` - `filled`.`revenue__baseline`
      ) AS DOUBLE) / NULLIF(ABS(`filled`.`revenue__baseline`), 0) AS DECIMAL(38, 12)) AS DOUBLE)
    END AS `revenue__percent_change`,
    `filled`.`aov` AS `aov`,
    `filled`.`aov__baseline` AS `aov__baseline`,
    (
      `filled`.`aov` - `filled`.`aov__baseline`
    ) AS `aov__difference`,
    CASE
      WHEN ABS(
        CAST((
          `filled`.`aov` - `filled`.`aov__baseline`
        ) AS DOUBLE) / NULLIF(ABS(`filled`.`aov__baseline`), 0)
      ) < 1000000000000000
      THEN CAST(CAST(CAST((
        `filled`.`aov` - `filled`.`aov__baseline`
      ) AS DOUBLE) / NULLIF(ABS(`filled`.`aov__baseline`), 0) AS DECIMAL(38, 12)) AS DOUBLE)
    END AS `aov__percent_change`,
    `filled`.`kept`
  FROM `filled`
)
SELECT
  `calculated`.`metric_time__month`,
  `calculated`.`region`,
  `calculated`.`revenue`,
  `calculated`.`revenue__baseline`,
  `calculated`.`revenue__difference`,
  `calculated`.`revenue__percent_change`,
  `calculated`.`aov`,
  `calculated`.`aov__baseline`,
  `calculated`.`aov__difference`,
  `calculated`.`aov__percent_change`
FROM `calculated`
WHERE
  `calculated`.`kept` = 1
ORDER BY
  `metric_time__month` ASC NULLS LAST,
  `region` ASC NULLS LAST
