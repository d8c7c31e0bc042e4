select customer_id, region, created_at from {{ source('raw', 'customers') }} where deleted_at is null
