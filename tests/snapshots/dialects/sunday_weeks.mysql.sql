WITH `orders_totals` AS (
  SELECT
    CAST(TIMESTAMPADD(
      DAY,
      -1,
      CAST(TIMESTAMPADD(
        DAY,
        -WEEKDAY(
          CAST(TIMESTAMPADD(DAY, 1, CAST(`orders`.`ordered_at` AS DATETIME(6))) AS DATETIME(6))
        ),
        CAST(CAST(TIMESTAMPADD(DAY, 1, CAST(`orders`.`ordered_at` AS DATETIME(6))) AS DATETIME(6)) AS DATE)
      ) AS DATETIME(6))
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
  CASE WHEN `orders_totals`.`metric_time__week` IS NULL THEN 1 ELSE 0 END, `orders_totals`.`metric_time__week` ASC
