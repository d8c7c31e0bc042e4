WITH `orders_totals` AS (
  SELECT
    CAST(TIMESTAMPADD(
      MONTH,
      1,
      CAST(TIMESTAMPADD(
        MONTH,
        (
          QUARTER(
            CAST(TIMESTAMPADD(
              MONTH,
              -1,
              CAST(TIMESTAMPADD(
                DAY,
                -(
                  DAYOFMONTH(CAST(`orders`.`ordered_at` AS DATETIME(6))) - 1
                ),
                CAST(CAST(`orders`.`ordered_at` AS DATETIME(6)) AS DATE)
              ) AS DATETIME(6))
            ) AS DATETIME(6))
          ) - 1
        ) * 3,
        TIMESTAMPADD(
          DAY,
          -(
            DAYOFYEAR(
              CAST(TIMESTAMPADD(
                MONTH,
                -1,
                CAST(TIMESTAMPADD(
                  DAY,
                  -(
                    DAYOFMONTH(CAST(`orders`.`ordered_at` AS DATETIME(6))) - 1
                  ),
                  CAST(CAST(`orders`.`ordered_at` AS DATETIME(6)) AS DATE)
                ) AS DATETIME(6))
              ) AS DATETIME(6))
            ) - 1
          ),
          CAST(CAST(TIMESTAMPADD(
            MONTH,
            -1,
            CAST(TIMESTAMPADD(
              DAY,
              -(
                DAYOFMONTH(CAST(`orders`.`ordered_at` AS DATETIME(6))) - 1
              ),
              CAST(CAST(`orders`.`ordered_at` AS DATETIME(6)) AS DATE)
            ) AS DATETIME(6))
          ) AS DATETIME(6)) AS DATE)
        )
      ) AS DATETIME(6))
    ) AS DATE) AS `metric_time__quarter`,
    SUM(`orders`.`amount`) AS `revenue`
  FROM `shop`.`orders` AS `orders`
  GROUP BY
    1
)
SELECT
  `orders_totals`.`metric_time__quarter` AS `metric_time__quarter`,
  `orders_totals`.`revenue` AS `revenue`
FROM `orders_totals`
ORDER BY
  CASE WHEN `orders_totals`.`metric_time__quarter` IS NULL THEN 1 ELSE 0 END, `orders_totals`.`metric_time__quarter` ASC
