WITH `seats_totals_times` AS (
  SELECT DISTINCT
    `seats`.`counted_on` AS `moment`
  FROM `shop`.`seats` AS `seats`
), `seats_totals_moments` AS (
  SELECT
    MAX(`seats_totals_times`.`moment`) AS `moment`
  FROM `seats_totals_times`
  GROUP BY
    CAST(CAST(TIMESTAMPADD(
      MONTH,
      (
        QUARTER(CAST(`seats_totals_times`.`moment` AS DATETIME(6))) - 1
      ) * 3,
      TIMESTAMPADD(
        DAY,
        -(
          DAYOFYEAR(CAST(`seats_totals_times`.`moment` AS DATETIME(6))) - 1
        ),
        CAST(CAST(`seats_totals_times`.`moment` AS DATETIME(6)) AS DATE)
      )
    ) AS DATETIME(6)) AS DATE)
), `seats_totals` AS (
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
    SUM(`seats`.`seats`) AS `seats`
  FROM `shop`.`seats` AS `seats`
  LEFT JOIN `shop`.`customers` AS `customers`
    ON `seats`.`customer_id` = `customers`.`customer_id`
  WHERE
    (
      `customers`.`tier` = :p1 OR `customers`.`tier` IS NULL
    )
    AND `seats`.`counted_on` IN (
      SELECT
        `seats_totals_moments`.`moment`
      FROM `seats_totals_moments`
    )
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
