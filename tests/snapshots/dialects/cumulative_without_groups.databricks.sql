WITH `orders_totals_days` AS (
  SELECT DISTINCT
    CAST(DATE_TRUNC('DAY', CAST(`orders`.`ordered_at` AS TIMESTAMP)) AS DATE) AS `day`
  FROM `shop`.`orders` AS `orders`
  WHERE
    NOT `orders`.`ordered_at` IS NULL
), `orders_totals_periods` AS (
  SELECT DISTINCT
    CAST(DATE_TRUNC('MONTH', CAST(`orders_totals_days`.`day` AS TIMESTAMP)) AS DATE) AS `metric_time__month`,
    CAST(LEAST(
      CAST(TIMESTAMPADD(
        MONTH,
        1,
        CAST(CAST(DATE_TRUNC('MONTH', CAST(`orders_totals_days`.`day` AS TIMESTAMP)) AS DATE) AS TIMESTAMP)
      ) AS TIMESTAMP),
      CAST(TIMESTAMPADD(
        DAY,
        1,
        CAST((
          SELECT
            MAX(`orders_totals_days`.`day`)
          FROM `orders_totals_days`
        ) AS TIMESTAMP)
      ) AS TIMESTAMP)
    ) AS DATE) AS `until`
  FROM `orders_totals_days`
), `orders_totals_rows` AS (
  SELECT
    CAST(DATE_TRUNC('DAY', CAST(`orders`.`ordered_at` AS TIMESTAMP)) AS DATE) AS `day`,
    SUM(`orders`.`amount`) AS `revenue_to_date`
  FROM `shop`.`orders` AS `orders`
  GROUP BY
    1
), `orders_totals` AS (
  SELECT
    `orders_totals_periods`.`metric_time__month` AS `metric_time__month`,
    SUM(`orders_totals_rows`.`revenue_to_date`) AS `revenue_to_date`
  FROM `orders_totals_periods`
  LEFT JOIN `orders_totals_rows`
    ON `orders_totals_rows`.`day` < `orders_totals_periods`.`until`
  GROUP BY
    1
)
SELECT
  `orders_totals`.`metric_time__month` AS `metric_time__month`,
  `orders_totals`.`revenue_to_date` AS `revenue_to_date`
FROM `orders_totals`
ORDER BY
  `metric_time__month` ASC NULLS LAST
