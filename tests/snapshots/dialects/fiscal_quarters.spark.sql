WITH `orders_totals` AS (
  SELECT
    CAST(TIMESTAMPADD(
      MONTH,
      1,
      CAST(DATE_TRUNC(
        'QUARTER',
        CAST(TIMESTAMPADD(
          MONTH,
          -1,
          CAST(DATE_TRUNC('MONTH', CAST(`orders`.`ordered_at` AS TIMESTAMP)) AS TIMESTAMP)
        ) AS TIMESTAMP)
      ) AS TIMESTAMP)
    ) AS DATE) AS `metric_time__quarter`,
    SUM(`orders`.`amount`) AS `revenue`
  FROM `shop`.`orders` AS `orders`
  GROUP BY
    1
)
SELECT
  `orders_totals`.`metric_time__quarter` AS `metric_time__quarter`,
  `orders_totals`.`revenue` AS `revenue`
FROM `orders_totals`
ORDER BY
  `metric_time__quarter` ASC NULLS LAST
