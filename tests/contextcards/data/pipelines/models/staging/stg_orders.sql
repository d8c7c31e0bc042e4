{{ config(materialized='view') }}
-- Test accounts are excluded, and so are internal ones.
with ranked as (
    select
        o.*,
        row_number() over (partition by o.order_id order by o.updated_at desc) as newest
    from {{ source('raw', 'orders') }} o
    where not o.is_test
)
select order_id, customer_id, status, amount, ordered_at
from ranked
where newest = 1
