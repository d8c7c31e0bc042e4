WITH `orders_1` AS (
  SELECT
    CAST(CAST(CAST(`spine`.`period` AS DATETIME(6)) AS DATE) AS DATETIME(6)) AS `metric_time__day`,
    SUM(`source`.`amount`) AS `amount_1`
  FROM `mf`.`orders` AS `source`
  INNER JOIN (
    SELECT
      `days`.`day` AS `looked_up`,
      LEAST(
        TIMESTAMPADD(DAY, (
          `days`.`place` - 1
        ), CAST(`ends`.`first_after` AS DATETIME(6))),
        `ends`.`last_after`
      ) AS `period`
    FROM (
      SELECT
        CAST(`source`.`day` AS DATETIME(6)) AS `day`,
        `source`.`sprint_no` AS `custom`,
        MIN(CAST(`source`.`day` AS DATETIME(6))) OVER (PARTITION BY `source`.`sprint_no`) AS `first_day`,
        MAX(CAST(`source`.`day` AS DATETIME(6))) OVER (PARTITION BY `source`.`sprint_no`) AS `last_day`,
        ROW_NUMBER() OVER (
          PARTITION BY `source`.`sprint_no`
          ORDER BY CASE WHEN CAST(`source`.`day` AS DATETIME(6)) IS NULL THEN 1 ELSE 0 END ASC, CAST(`source`.`day` AS DATETIME(6)) ASC
        ) AS `place`
      FROM `mf`.`days` AS `source`
    ) AS `days`
    INNER JOIN (
      SELECT
        `ends`.`custom` AS `custom`,
        LEAD(`ends`.`first_day`, 1) OVER (
          ORDER BY CASE WHEN `ends`.`custom` IS NULL THEN 1 ELSE 0 END ASC, `ends`.`custom` ASC
        ) AS `first_after`,
        LEAD(`ends`.`last_day`, 1) OVER (
          ORDER BY CASE WHEN `ends`.`custom` IS NULL THEN 1 ELSE 0 END ASC, `ends`.`custom` ASC
        ) AS `last_after`
      FROM (
        SELECT DISTINCT
          `days`.`custom` AS `custom`,
          `days`.`first_day` AS `first_day`,
          `days`.`last_day` AS `last_day`
        FROM (
          SELECT
            CAST(`source`.`day` AS DATETIME(6)) AS `day`,
            `source`.`sprint_no` AS `custom`,
            MIN(CAST(`source`.`day` AS DATETIME(6))) OVER (PARTITION BY `source`.`sprint_no`) AS `first_day`,
            MAX(CAST(`source`.`day` AS DATETIME(6))) OVER (PARTITION BY `source`.`sprint_no`) AS `last_day`,
            ROW_NUMBER() OVER (
              PARTITION BY `source`.`sprint_no`
              ORDER BY CASE WHEN CAST(`source`.`day` AS DATETIME(6)) IS NULL THEN 1 ELSE 0 END ASC, CAST(`source`.`day` AS DATETIME(6)) ASC
            ) AS `place`
          FROM `mf`.`days` AS `source`
        ) AS `days`
      ) AS `ends`
    ) AS `ends`
      ON `days`.`custom` = `ends`.`custom`
  ) AS `spine`
    ON `spine`.`looked_up` = CAST(CAST(CAST(`source`.`ordered_at` AS DATETIME(6)) AS DATE) AS DATETIME(6))
  GROUP BY
    1
)
SELECT
  `orders_1`.`metric_time__day` AS `metric_time__day`,
  `orders_1`.`amount_1` AS `revenue_last_sprint`
FROM `orders_1`
