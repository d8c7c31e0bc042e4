WITH `orders_1` AS (
  SELECT
    DATE_TRUNC('DAY', CAST(`source`.`ordered_at` AS TIMESTAMP)) AS `metric_time__day`,
    SUM(`source`.`amount`) AS `amount_1`
  FROM `mf`.`orders` AS `source`
  GROUP BY
    1
), `orders_2` AS (
  SELECT
    DATE_TRUNC('DAY', CAST(`spine`.`period` AS TIMESTAMP)) AS `metric_time__day`,
    SUM(`source`.`amount`) AS `amount_2`
  FROM `mf`.`orders` AS `source`
  INNER JOIN (
    SELECT
      CAST(`source`.`day` AS TIMESTAMP) AS `period`
    FROM `mf`.`days` AS `source`
  ) AS `spine`
    ON TIMESTAMPADD(DAY, -1, CAST(`spine`.`period` AS TIMESTAMP)) = DATE_TRUNC('DAY', CAST(`source`.`ordered_at` AS TIMESTAMP))
  GROUP BY
    1
), `all_sides` AS (
  SELECT
    COALESCE(`orders_1`.`metric_time__day`, `orders_2`.`metric_time__day`) AS `metric_time__day`,
    MAX(`orders_1`.`amount_1`) AS `amount_1`,
    MAX(`orders_2`.`amount_2`) AS `amount_2`
  FROM `orders_1`
  FULL JOIN `orders_2`
    ON `orders_1`.`metric_time__day` = `orders_2`.`metric_time__day`
  GROUP BY
    1
)
SELECT
  `all_sides`.`metric_time__day` AS `metric_time__day`,
  `all_sides`.`amount_1` - `all_sides`.`amount_2` AS `revenue_change`
FROM `all_sides`
