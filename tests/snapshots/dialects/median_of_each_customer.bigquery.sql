WITH `orders_totals` AS (
  SELECT
    `stores`.`region` AS `region`,
    `orders`.`customer_id` AS `customer`,
    COUNT(*) AS `orders`
  FROM `shop`.`orders` AS `orders`
  LEFT JOIN `shop`.`stores` AS `stores`
    ON `orders`.`store_id` = `stores`.`store_id`
  GROUP BY
    1,
    2
), `each_one` AS (
  SELECT
    `orders_totals`.`region` AS `region`,
    `orders_totals`.`customer` AS `customer`,
    `orders_totals`.`orders` AS `orders`
  FROM `orders_totals`
)
SELECT
  `numbered_rows`.`key_1` AS `region`,
  MAX(
    CASE
      WHEN (
        `numbered_rows`.`value_3` - 1
      ) * 2 <= (
        `numbered_rows`.`value_4` - 1
      ) * 1
      AND (
        `numbered_rows`.`value_3` - 0
      ) * 2 > (
        `numbered_rows`.`value_4` - 1
      ) * 1
      THEN CAST(`numbered_rows`.`value_2` AS FLOAT64)
    END
  ) + (
    MAX(
      CASE
        WHEN (
          `numbered_rows`.`value_3` - 1
        ) * 2 >= (
          `numbered_rows`.`value_4` - 1
        ) * 1
        AND (
          `numbered_rows`.`value_3` - 2
        ) * 2 < (
          `numbered_rows`.`value_4` - 1
        ) * 1
        THEN CAST(`numbered_rows`.`value_2` AS FLOAT64)
      END
    ) - MAX(
      CASE
        WHEN (
          `numbered_rows`.`value_3` - 1
        ) * 2 <= (
          `numbered_rows`.`value_4` - 1
        ) * 1
        AND (
          `numbered_rows`.`value_3` - 0
        ) * 2 > (
          `numbered_rows`.`value_4` - 1
        ) * 1
        THEN CAST(`numbered_rows`.`value_2` AS FLOAT64)
      END
    )
  ) * (
    CAST(MAX(
      CASE
        WHEN (
          (
            `numbered_rows`.`value_3` - 1
          ) * 2 <= (
            `numbered_rows`.`value_4` - 1
          ) * 1
          AND (
            `numbered_rows`.`value_3` - 0
          ) * 2 > (
            `numbered_rows`.`value_4` - 1
          ) * 1
        )
        AND NOT `numbered_rows`.`value_2` IS NULL
        THEN (
          (
            `numbered_rows`.`value_4` - 1
          ) * 1 - (
            `numbered_rows`.`value_3` - 1
          ) * 2
        )
      END
    ) AS FLOAT64) / 2
  ) AS `median_orders_per_customer`,
  COUNT(`numbered_rows`.`value_5`) AS `customers_counted`
FROM (
  SELECT
    `each_one`.`region` AS `key_1`,
    CAST(`each_one`.`orders` AS FLOAT64) AS `value_2`,
    ROW_NUMBER() OVER (
      PARTITION BY `each_one`.`region`
      ORDER BY CAST(`each_one`.`orders` AS FLOAT64) ASC NULLS LAST
    ) AS `value_3`,
    COUNT(CAST(`each_one`.`orders` AS FLOAT64)) OVER (PARTITION BY `each_one`.`region`) AS `value_4`,
    `each_one`.`orders` AS `value_5`
  FROM `each_one`
  WHERE
    NOT `each_one`.`customer` IS NULL
) AS `numbered_rows`
GROUP BY
  1
ORDER BY
  `region` ASC NULLS LAST
