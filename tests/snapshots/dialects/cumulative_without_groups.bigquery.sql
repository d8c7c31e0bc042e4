WITH `orders_totals_days` AS (
  SELECT DISTINCT
    CAST(DATETIME_TRUNC(CAST(`orders`.`ordered_at` AS DATETIME), DAY) AS DATE) AS `day`
  FROM `shop`.`orders` AS `orders`
  WHERE
    NOT `orders`.`ordered_at` IS NULL
), `orders_totals_periods` AS (
  SELECT DISTINCT
    CAST(DATETIME_TRUNC(CAST(`orders_totals_days`.`day` AS DATETIME), MONTH) AS DATE) AS `metric_time__month`,
    CAST(LEAST(
      CAST(DATETIME_ADD(
        CAST(CAST(DATETIME_TRUNC(CAST(`orders_totals_days`.`day` AS DATETIME), MONTH) AS DATE) AS DATETIME),
        INTERVAL (
          1
        ) MONTH
      ) AS DATETIME),
      CAST(DATETIME_ADD(
        CAST((
          SELECT
            MAX(`orders_totals_days`.`day`)
          FROM `orders_totals_days`
        ) AS DATETIME),
        INTERVAL (
          1
        ) DAY
      ) AS DATETIME)
    ) AS DATE) AS `until`
  FROM `orders_totals_days`
), `orders_totals_rows` AS (
  SELECT
    CAST(DATETIME_TRUNC(CAST(`orders`.`ordered_at` AS DATETIME), DAY) AS DATE) AS `day`,
    SUM(`orders`.`amount`) AS `revenue_to_date`
  FROM `shop`.`orders` AS `orders`
  GROUP BY
    1
), `orders_totals` AS (
  SELECT
    `orders_totals_periods`.`metric_time__month` AS `metric_time__month`,
    SUM(`orders_totals_rows`.`revenue_to_date`) AS `revenue_to_date`
  FROM `orders_totals_periods`
  LEFT JOIN (
    SELECT
      `orders_totals_periods`.`until` AS `met_1`,
      `orders_totals_rows`.`revenue_to_date` AS `revenue_to_date`
    FROM (
      SELECT DISTINCT
        `orders_totals_periods`.`until` AS `until`
      FROM `orders_totals_periods`
    ) AS `orders_totals_periods`
    CROSS JOIN `orders_totals_rows`
    WHERE
      `orders_totals_rows`.`day` < `orders_totals_periods`.`until`
  ) AS `orders_totals_rows`
    ON TO_JSON_STRING(`orders_totals_periods`.`until`) = TO_JSON_STRING(`orders_totals_rows`.`met_1`)
  GROUP BY
    1
)
SELECT
  `orders_totals`.`metric_time__month` AS `metric_time__month`,
  `orders_totals`.`revenue_to_date` AS `revenue_to_date`
FROM `orders_totals`
ORDER BY
  `metric_time__month` ASC NULLS LAST
