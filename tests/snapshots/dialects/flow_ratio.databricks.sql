WITH `orders_1` AS (
  SELECT
    DATE_TRUNC('MONTH', CAST(`source`.`ordered_at` AS TIMESTAMP)) AS `metric_time__month`,
    SUM(`source`.`amount`) AS `amount_1`,
    COUNT(*) AS `orders_2`
  FROM `mf`.`orders` AS `source`
  GROUP BY
    1
)
SELECT
  `orders_1`.`metric_time__month` AS `metric_time__month`,
  CAST(`orders_1`.`amount_1` AS DOUBLE) / NULLIF(`orders_1`.`orders_2`, 0) AS `average_order`
FROM `orders_1`
