WITH `orders_1` AS (
  SELECT
    DATETIME_TRUNC(CAST(`spine`.`period` AS DATETIME), DAY) AS `metric_time__day`,
    SUM(`source`.`amount`) AS `amount_1`
  FROM `mf`.`orders` AS `source`
  INNER JOIN (
    SELECT
      CAST(`source`.`day` AS DATETIME) AS `period`
    FROM `mf`.`days` AS `source`
  ) AS `spine`
    ON DATETIME_TRUNC(CAST(`source`.`ordered_at` AS DATETIME), DAY) <= `spine`.`period`
    AND DATETIME_TRUNC(CAST(`source`.`ordered_at` AS DATETIME), DAY) > DATETIME_ADD(CAST(`spine`.`period` AS DATETIME), INTERVAL (
      -2
    ) DAY)
  GROUP BY
    1
)
SELECT
  `orders_1`.`metric_time__day` AS `metric_time__day`,
  `orders_1`.`amount_1` AS `revenue_two_days`
FROM `orders_1`
