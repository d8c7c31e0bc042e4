WITH `orders_1` AS (
  SELECT
    CAST(CAST(CAST(`source`.`ordered_at` AS DATETIME(6)) AS DATE) AS DATETIME(6)) AS `metric_time__day`,
    SUM(`source`.`amount`) AS `amount_1`
  FROM `mf`.`orders` AS `source`
  GROUP BY
    1
), `orders_2` AS (
  SELECT
    CAST(CAST(CAST(`spine`.`period` AS DATETIME(6)) AS DATE) AS DATETIME(6)) AS `metric_time__day`,
    SUM(`source`.`amount`) AS `amount_2`
  FROM `mf`.`orders` AS `source`
  INNER JOIN (
    SELECT
      CAST(`source`.`day` AS DATETIME(6)) AS `period`
    FROM `mf`.`days` AS `source`
  ) AS `spine`
    ON CAST(TIMESTAMPADD(
      DAY,
      -(
        DAYOFMONTH(CAST(`spine`.`period` AS DATETIME(6))) - 1
      ),
      CAST(CAST(`spine`.`period` AS DATETIME(6)) AS DATE)
    ) AS DATETIME(6)) = CAST(CAST(CAST(`source`.`ordered_at` AS DATETIME(6)) AS DATE) AS DATETIME(6))
  GROUP BY
    1
), `all_sides` AS (
  SELECT
    COALESCE(`merged_1`.`orders_1__metric_time__day`, `merged_1`.`orders_2__metric_time__day`) AS `metric_time__day`,
    MAX(`merged_1`.`orders_1__amount_1`) AS `amount_1`,
    MAX(`merged_1`.`orders_2__amount_2`) AS `amount_2`
  FROM (
    SELECT
      `orders_1`.`metric_time__day` AS `orders_1__metric_time__day`,
      `orders_1`.`amount_1` AS `orders_1__amount_1`,
      `orders_2`.`metric_time__day` AS `orders_2__metric_time__day`,
      `orders_2`.`amount_2` AS `orders_2__amount_2`
    FROM `orders_1`
    LEFT JOIN `orders_2`
      ON `orders_1`.`metric_time__day` = `orders_2`.`metric_time__day`
    UNION ALL
    SELECT
      NULL AS `orders_1__metric_time__day`,
      NULL AS `orders_1__amount_1`,
      `orders_2`.`metric_time__day` AS `orders_2__metric_time__day`,
      `orders_2`.`amount_2` AS `orders_2__amount_2`
    FROM `orders_2`
    LEFT JOIN (
      SELECT
        `orders_1`.`metric_time__day` AS `metric_time__day`,
        1 AS `is_met`
      FROM `orders_1`
    ) AS `orders_1`
      ON `orders_1`.`metric_time__day` = `orders_2`.`metric_time__day`
    WHERE
      `orders_1`.`is_met` IS NULL
  ) AS `merged_1`
  GROUP BY
    1
)
SELECT
  `all_sides`.`metric_time__day` AS `metric_time__day`,
  `all_sides`.`amount_1` - `all_sides`.`amount_2` AS `since_month_start`
FROM `all_sides`
