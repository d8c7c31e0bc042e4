WITH `seats_totals_times` AS (
  SELECT DISTINCT
    `seats`.`counted_on` AS `moment`
  FROM `shop`.`seats` AS `seats`
), `seats_totals_moments` AS (
  SELECT
    MAX(`seats_totals_times`.`moment`) AS `moment`
  FROM `seats_totals_times`
  GROUP BY
    CAST(DATE_TRUNC('QUARTER', CAST(`seats_totals_times`.`moment` AS TIMESTAMP)) AS DATE)
), `seats_totals` AS (
  SELECT
    CAST(DATE_TRUNC('QUARTER', CAST(`seats`.`counted_on` AS TIMESTAMP)) AS DATE) AS `metric_time__quarter`,
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
  `metric_time__quarter` ASC NULLS LAST,
  `tier` ASC NULLS LAST
