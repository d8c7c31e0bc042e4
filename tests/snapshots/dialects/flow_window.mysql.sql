WITH `orders_1` AS (
  SELECT
    CAST(CAST(CAST(`spine`.`period` AS DATETIME(6)) AS DATE) AS DATETIME(6)) AS `metric_time__day`,
    SUM(`source`.`amount`) AS `amount_1`
  FROM `mf`.`orders` AS `source`
  INNER JOIN (
    SELECT
      CAST(`source`.`day` AS DATETIME(6)) AS `period`
    FROM `mf`.`days` AS `source`
  ) AS `spine`
    ON CAST(CAST(CAST(`source`.`ordered_at` AS DATETIME(6)) AS DATE) AS DATETIME(6)) <= `spine`.`period`
    AND CAST(CAST(CAST(`source`.`ordered_at` AS DATETIME(6)) AS DATE) AS DATETIME(6)) > TIMESTAMPADD(DAY, -2, CAST(`spine`.`period` AS DATETIME(6)))
  GROUP BY
    1
)
SELECT
  `orders_1`.`metric_time__day` AS `metric_time__day`,
  `orders_1`.`amount_1` AS `revenue_two_days`
FROM `orders_1`
