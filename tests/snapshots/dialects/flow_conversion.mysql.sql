WITH `visits_1_base` AS (
  SELECT
    `source`.`customer_id` AS `entity_key`,
    CAST(CAST(CAST(`source`.`visited_at` AS DATETIME(6)) AS DATE) AS DATETIME(6)) AS `happened_at`,
    CAST(CAST(CAST(`source`.`visited_at` AS DATETIME(6)) AS DATE) AS DATETIME(6)) AS `metric_time__day`
  FROM `mf`.`visits` AS `source`
), `visits_1_later` AS (
  SELECT
    `source`.`customer_id` AS `entity_key`,
    CAST(CAST(CAST(`source`.`ordered_at` AS DATETIME(6)) AS DATE) AS DATETIME(6)) AS `happened_at`,
    1 AS `converted`,
    ROW_NUMBER() OVER () AS `row_id`
  FROM `mf`.`orders` AS `source`
), `visits_1_pairs` AS (
  SELECT
    `visits_1_base`.`metric_time__day` AS `metric_time__day`,
    `visits_1_later`.`converted` AS `converted`,
    ROW_NUMBER() OVER (
      PARTITION BY `visits_1_later`.`row_id`
      ORDER BY `visits_1_base`.`happened_at` DESC, CASE WHEN `visits_1_base`.`metric_time__day` IS NULL THEN 1 ELSE 0 END ASC, `visits_1_base`.`metric_time__day` ASC
    ) AS `place`
  FROM `visits_1_base`
  INNER JOIN `visits_1_later`
    ON `visits_1_base`.`entity_key` = `visits_1_later`.`entity_key`
    AND `visits_1_base`.`happened_at` <= `visits_1_later`.`happened_at`
    AND `visits_1_base`.`happened_at` > TIMESTAMPADD(DAY, -3, CAST(`visits_1_later`.`happened_at` AS DATETIME(6)))
), `visits_1` AS (
  SELECT
    `visits_1_pairs`.`metric_time__day` AS `metric_time__day`,
    COUNT(`visits_1_pairs`.`converted`) AS `visits_1`
  FROM `visits_1_pairs`
  WHERE
    `visits_1_pairs`.`place` = 1
  GROUP BY
    1
), `visits_2` AS (
  SELECT
    CAST(CAST(CAST(`source`.`visited_at` AS DATETIME(6)) AS DATE) AS DATETIME(6)) AS `metric_time__day`,
    COUNT(*) AS `visits_2`
  FROM `mf`.`visits` AS `source`
  GROUP BY
    1
), `all_sides` AS (
  SELECT
    COALESCE(`merged_1`.`visits_1__metric_time__day`, `merged_1`.`visits_2__metric_time__day`) AS `metric_time__day`,
    MAX(`merged_1`.`visits_1__visits_1`) AS `visits_1`,
    MAX(`merged_1`.`visits_2__visits_2`) AS `visits_2`
  FROM (
    SELECT
      `visits_1`.`metric_time__day` AS `visits_1__metric_time__day`,
      `visits_1`.`visits_1` AS `visits_1__visits_1`,
      `visits_2`.`metric_time__day` AS `visits_2__metric_time__day`,
      `visits_2`.`visits_2` AS `visits_2__visits_2`
    FROM `visits_1`
    LEFT JOIN `visits_2`
      ON `visits_1`.`metric_time__day` = `visits_2`.`metric_time__day`
    UNION ALL
    SELECT
      NULL AS `visits_1__metric_time__day`,
      NULL AS `visits_1__visits_1`,
      `visits_2`.`metric_time__day` AS `visits_2__metric_time__day`,
      `visits_2`.`visits_2` AS `visits_2__visits_2`
    FROM `visits_2`
    LEFT JOIN (
      SELECT
        `visits_1`.`metric_time__day` AS `metric_time__day`,
        1 AS `is_met`
      FROM `visits_1`
    ) AS `visits_1`
      ON `visits_1`.`metric_time__day` = `visits_2`.`metric_time__day`
    WHERE
      `visits_1`.`is_met` IS NULL
  ) AS `merged_1`
  GROUP BY
    1
)
SELECT
  `all_sides`.`metric_time__day` AS `metric_time__day`,
  CAST(`all_sides`.`visits_1` AS DOUBLE) / NULLIF(`all_sides`.`visits_2`, 0) AS `visit_to_order`
FROM `all_sides`
