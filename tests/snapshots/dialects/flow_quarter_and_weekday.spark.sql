WITH `orders_1` AS (
  SELECT
    DATE_TRUNC('QUARTER', CAST(`source`.`ordered_at` AS TIMESTAMP)) AS `metric_time__quarter`,
    (
      WEEKDAY(CAST(`source`.`ordered_at` AS TIMESTAMP)) + 1
    ) AS `metric_time__extract_dow`,
    SUM(`source`.`amount`) AS `amount_1`
  FROM `mf`.`orders` AS `source`
  GROUP BY
    1,
    2
)
SELECT
  `orders_1`.`metric_time__quarter` AS `metric_time__quarter`,
  `orders_1`.`metric_time__extract_dow` AS `metric_time__extract_dow`,
  `orders_1`.`amount_1` AS `revenue`
FROM `orders_1`
