WITH `orders_1_by_day` AS (
  SELECT
    `spine`.`period` AS `period`,
    CAST(TIMESTAMPADD(
      DAY,
      -WEEKDAY(CAST(`spine`.`period` AS DATETIME(6))),
      CAST(CAST(`spine`.`period` AS DATETIME(6)) AS DATE)
    ) AS DATETIME(6)) AS `metric_time__week`,
    SUM(`source`.`amount`) AS `amount_1`
  FROM `mf`.`orders` AS `source`
  INNER JOIN (
    SELECT
      CAST(`source`.`day` AS DATETIME(6)) AS `period`
    FROM `mf`.`days` AS `source`
  ) AS `spine`
    ON CAST(CAST(CAST(`source`.`ordered_at` AS DATETIME(6)) AS DATE) AS DATETIME(6)) <= `spine`.`period`
    AND CAST(CAST(CAST(`source`.`ordered_at` AS DATETIME(6)) AS DATE) AS DATETIME(6)) >= CAST(TIMESTAMPADD(
      DAY,
      -(
        DAYOFMONTH(CAST(`spine`.`period` AS DATETIME(6))) - 1
      ),
      CAST(CAST(`spine`.`period` AS DATETIME(6)) AS DATE)
    ) AS DATETIME(6))
  GROUP BY
    1,
    2
), `orders_1` AS (
  SELECT DISTINCT
    `orders_1_by_day`.`metric_time__week` AS `metric_time__week`,
    FIRST_VALUE(`orders_1_by_day`.`amount_1`) OVER (
      PARTITION BY `orders_1_by_day`.`metric_time__week`
      ORDER BY CASE WHEN `orders_1_by_day`.`period` IS NULL THEN 1 ELSE 0 END ASC, `orders_1_by_day`.`period` ASC
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    ) AS `amount_1`
  FROM `orders_1_by_day`
)
SELECT
  `orders_1`.`metric_time__week` AS `metric_time__week`,
  `orders_1`.`amount_1` AS `revenue_month_to_date`
FROM `orders_1`
