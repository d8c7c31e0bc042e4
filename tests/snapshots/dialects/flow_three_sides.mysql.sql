WITH `orders_1` AS (
  SELECT
    CAST(CAST(CAST(`source`.`ordered_at` AS DATETIME(6)) AS DATE) AS DATETIME(6)) AS `metric_time__day`,
    `source`.`customer_id` AS `customer`,
    SUM(`source`.`amount`) AS `amount_1`
  FROM `mf`.`orders` AS `source`
  GROUP BY
    1,
    2
), `visits_2` AS (
  SELECT
    CAST(CAST(CAST(`source`.`visited_at` AS DATETIME(6)) AS DATE) AS DATETIME(6)) AS `metric_time__day`,
    `source`.`customer_id` AS `customer`,
    COUNT(*) AS `visits_2`
  FROM `mf`.`visits` AS `source`
  GROUP BY
    1,
    2
), `balances_3_times` AS (
  SELECT DISTINCT
    `source`.`counted_on` AS `moment`
  FROM `mf`.`balances` AS `source`
), `balances_3_moments` AS (
  SELECT
    MAX(`balances_3_times`.`moment`) AS `moment`
  FROM `balances_3_times`
  GROUP BY
    CAST(CAST(CAST(`balances_3_times`.`moment` AS DATETIME(6)) AS DATE) AS DATETIME(6))
), `balances_3` AS (
  SELECT
    CAST(CAST(CAST(`source`.`counted_on` AS DATETIME(6)) AS DATE) AS DATETIME(6)) AS `metric_time__day`,
    `source`.`customer_id` AS `customer`,
    SUM(`source`.`balance`) AS `last_balance_3`
  FROM `mf`.`balances` AS `source`
  WHERE
    `source`.`counted_on` IN (
      SELECT
        `balances_3_moments`.`moment`
      FROM `balances_3_moments`
    )
  GROUP BY
    1,
    2
), `all_sides` AS (
  SELECT
    COALESCE(
      `merged_2`.`orders_1__metric_time__day`,
      `merged_2`.`visits_2__metric_time__day`,
      `merged_2`.`balances_3__metric_time__day`
    ) AS `metric_time__day`,
    COALESCE(
      `merged_2`.`orders_1__customer`,
      `merged_2`.`visits_2__customer`,
      `merged_2`.`balances_3__customer`
    ) AS `customer`,
    MAX(`merged_2`.`orders_1__amount_1`) AS `amount_1`,
    MAX(`merged_2`.`visits_2__visits_2`) AS `visits_2`,
    MAX(`merged_2`.`balances_3__last_balance_3`) AS `last_balance_3`
  FROM (
    SELECT
      `merged_1`.`orders_1__metric_time__day` AS `orders_1__metric_time__day`,
      `merged_1`.`visits_2__metric_time__day` AS `visits_2__metric_time__day`,
      `merged_1`.`orders_1__customer` AS `orders_1__customer`,
      `merged_1`.`visits_2__customer` AS `visits_2__customer`,
      `merged_1`.`orders_1__amount_1` AS `orders_1__amount_1`,
      `merged_1`.`visits_2__visits_2` AS `visits_2__visits_2`,
      `balances_3`.`metric_time__day` AS `balances_3__metric_time__day`,
      `balances_3`.`customer` AS `balances_3__customer`,
      `balances_3`.`last_balance_3` AS `balances_3__last_balance_3`
    FROM (
      SELECT
        `orders_1`.`metric_time__day` AS `orders_1__metric_time__day`,
        `orders_1`.`customer` AS `orders_1__customer`,
        `orders_1`.`amount_1` AS `orders_1__amount_1`,
        `visits_2`.`metric_time__day` AS `visits_2__metric_time__day`,
        `visits_2`.`customer` AS `visits_2__customer`,
        `visits_2`.`visits_2` AS `visits_2__visits_2`
      FROM `orders_1`
      LEFT JOIN `visits_2`
        ON `orders_1`.`metric_time__day` = `visits_2`.`metric_time__day`
        AND `orders_1`.`customer` = `visits_2`.`customer`
      UNION ALL
      SELECT
        NULL AS `orders_1__metric_time__day`,
        NULL AS `orders_1__customer`,
        NULL AS `orders_1__amount_1`,
        `visits_2`.`metric_time__day` AS `visits_2__metric_time__day`,
        `visits_2`.`customer` AS `visits_2__customer`,
        `visits_2`.`visits_2` AS `visits_2__visits_2`
      FROM `visits_2`
      LEFT JOIN (
        SELECT
          `orders_1`.`metric_time__day` AS `metric_time__day`,
          `orders_1`.`customer` AS `customer`,
          1 AS `is_met`
        FROM `orders_1`
      ) AS `orders_1`
        ON `orders_1`.`metric_time__day` = `visits_2`.`metric_time__day`
        AND `orders_1`.`customer` = `visits_2`.`customer`
      WHERE
        `orders_1`.`is_met` IS NULL
    ) AS `merged_1`
    LEFT JOIN `balances_3`
      ON COALESCE(`merged_1`.`orders_1__metric_time__day`, `merged_1`.`visits_2__metric_time__day`) = `balances_3`.`metric_time__day`
      AND COALESCE(`merged_1`.`orders_1__customer`, `merged_1`.`visits_2__customer`) = `balances_3`.`customer`
    UNION ALL
    SELECT
      NULL AS `orders_1__metric_time__day`,
      NULL AS `visits_2__metric_time__day`,
      NULL AS `orders_1__customer`,
      NULL AS `visits_2__customer`,
      NULL AS `orders_1__amount_1`,
      NULL AS `visits_2__visits_2`,
      `balances_3`.`metric_time__day` AS `balances_3__metric_time__day`,
      `balances_3`.`customer` AS `balances_3__customer`,
      `balances_3`.`last_balance_3` AS `balances_3__last_balance_3`
    FROM `balances_3`
    LEFT JOIN (
      SELECT
        `merged_1`.`orders_1__metric_time__day` AS `orders_1__metric_time__day`,
        `merged_1`.`visits_2__metric_time__day` AS `visits_2__metric_time__day`,
        `merged_1`.`orders_1__customer` AS `orders_1__customer`,
        `merged_1`.`visits_2__customer` AS `visits_2__customer`,
        1 AS `is_met`
      FROM (
        SELECT
          `orders_1`.`metric_time__day` AS `orders_1__metric_time__day`,
          `orders_1`.`customer` AS `orders_1__customer`,
          `orders_1`.`amount_1` AS `orders_1__amount_1`,
          `visits_2`.`metric_time__day` AS `visits_2__metric_time__day`,
          `visits_2`.`customer` AS `visits_2__customer`,
          `visits_2`.`visits_2` AS `visits_2__visits_2`
        FROM `orders_1`
        LEFT JOIN `visits_2`
          ON `orders_1`.`metric_time__day` = `visits_2`.`metric_time__day`
          AND `orders_1`.`customer` = `visits_2`.`customer`
        UNION ALL
        SELECT
          NULL AS `orders_1__metric_time__day`,
          NULL AS `orders_1__customer`,
          NULL AS `orders_1__amount_1`,
          `visits_2`.`metric_time__day` AS `visits_2__metric_time__day`,
          `visits_2`.`customer` AS `visits_2__customer`,
          `visits_2`.`visits_2` AS `visits_2__visits_2`
        FROM `visits_2`
        LEFT JOIN (
          SELECT
            `orders_1`.`metric_time__day` AS `metric_time__day`,
            `orders_1`.`customer` AS `customer`,
            1 AS `is_met`
          FROM `orders_1`
        ) AS `orders_1`
          ON `orders_1`.`metric_time__day` = `visits_2`.`metric_time__day`
          AND `orders_1`.`customer` = `visits_2`.`customer`
        WHERE
          `orders_1`.`is_met` IS NULL
      ) AS `merged_1`
    ) AS `merged_1`
      ON COALESCE(`merged_1`.`orders_1__metric_time__day`, `merged_1`.`visits_2__metric_time__day`) = `balances_3`.`metric_time__day`
      AND COALESCE(`merged_1`.`orders_1__customer`, `merged_1`.`visits_2__customer`) = `balances_3`.`customer`
    WHERE
      `merged_1`.`is_met` IS NULL
  ) AS `merged_2`
  GROUP BY
    1,
    2
)
SELECT
  `all_sides`.`metric_time__day` AS `metric_time__day`,
  `all_sides`.`customer` AS `customer`,
  `all_sides`.`amount_1` AS `revenue`,
  `all_sides`.`visits_2` AS `visits`,
  `all_sides`.`last_balance_3` AS `last_balance`
FROM `all_sides`
