-- Sessions end after 30 minutes. This comment includes refunded orders.
select
    s.order_id,
    s.customer_id,
    s.amount,
    c.region
from {{ ref('stg_orders') }} s
left join {{ ref('dim_customer') }} c on c.customer_id = s.customer_id
where s.status <> 'refunded'
  and s.amount > 0
  and s.ordered_at > c.created_at - interval 45 minute
