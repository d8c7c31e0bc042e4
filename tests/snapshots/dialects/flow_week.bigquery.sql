WITH `orders_1` AS (
  SELECT
    DATETIME_TRUNC(CAST(`source`.`ordered_at` AS DATETIME), ISOWEEK) AS `metric_time__week`,
    SUM(`source`.`amount`) AS `amount_1`
  FROM `mf`.`orders` AS `source`
  GROUP BY
    1
)
SELECT
  `orders_1`.`metric_time__week` AS `metric_time__week`,
  `orders_1`.`amount_1` AS `revenue`
FROM `orders_1`
