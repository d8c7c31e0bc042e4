WITH `seats_totals_rows` AS (
  SELECT
    CAST(CAST(TIMESTAMPADD(
      MONTH,
      (
        QUARTER(CAST(`seats`.`counted_on` AS DATETIME(6))) - 1
      ) * 3,
      TIMESTAMPADD(
        DAY,
        -(
          DAYOFYEAR(CAST(`seats`.`counted_on` AS DATETIME(6))) - 1
        ),
        CAST(CAST(`seats`.`counted_on` AS DATETIME(6)) AS DATE)
      )
    ) AS DATETIME(6)) AS DATE) AS `metric_time__quarter`,
    `customers`.`tier` AS `tier`,
    `seats`.`seats` AS `seats`,
    `customers`.`tier` = :p1 OR `customers`.`tier` IS NULL AS `condition_1`,
    `seats`.`counted_on` AS `snapshot_time`,
    MAX(`seats`.`counted_on`) OVER (
      PARTITION BY CAST(CAST(TIMESTAMPADD(
        MONTH,
        (
          QUARTER(CAST(`seats`.`counted_on` AS DATETIME(6))) - 1
        ) * 3,
        TIMESTAMPADD(
          DAY,
          -(
            DAYOFYEAR(CAST(`seats`.`counted_on` AS DATETIME(6))) - 1
          ),
          CAST(CAST(`seats`.`counted_on` AS DATETIME(6)) AS DATE)
        )
      ) AS DATETIME(6)) AS DATE)
    ) AS `picked_time`
  FROM `shop`.`seats` AS `seats`
  LEFT JOIN `shop`.`customers` AS `customers`
    ON `seats`.`customer_id` = `customers`.`customer_id`
), `seats_totals` AS (
  SELECT
    `seats_totals_rows`.`metric_time__quarter` AS `metric_time__quarter`,
    `seats_totals_rows`.`tier` AS `tier`,
    SUM(`seats_totals_rows`.`seats`) AS `seats`
  FROM `seats_totals_rows`
  WHERE
    `seats_totals_rows`.`snapshot_time` = `seats_totals_rows`.`picked_time`
    AND `seats_totals_rows`.`condition_1`
  GROUP BY
    1,
    2
)
SELECT
  `seats_totals`.`metric_time__quarter` AS `metric_time__quarter`,
  `seats_totals`.`tier` AS `tier`,
  `seats_totals`.`seats` AS `seats`
FROM `seats_totals`
ORDER BY
  CASE WHEN `seats_totals`.`metric_time__quarter` IS NULL THEN 1 ELSE 0 END, `seats_totals`.`metric_time__quarter` ASC,
  CASE WHEN `seats_totals`.`tier` IS NULL THEN 1 ELSE 0 END, `seats_totals`.`tier` ASC
