WITH `orders_totals` AS (
  SELECT
    CAST(DATETIME_ADD(
      CAST(DATETIME_TRUNC(
        CAST(DATETIME_ADD(CAST(`orders`.`ordered_at` AS DATETIME), INTERVAL (
          1
        ) DAY) AS DATETIME),
        ISOWEEK
      ) AS DATETIME),
      INTERVAL (
        -1
      ) DAY
    ) AS DATE) AS `metric_time__week`,
    SUM(`orders`.`amount`) AS `revenue`
  FROM `shop`.`orders` AS `orders`
  GROUP BY
    1
)
SELECT
  `orders_totals`.`metric_time__week` AS `metric_time__week`,
  `orders_totals`.`revenue` AS `revenue`
FROM `orders_totals`
ORDER BY
  `metric_time__week` ASC NULLS LAST
