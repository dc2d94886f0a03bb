create index payment_orders_paid on payment_orders (paid_at) where paid_at is not null;
create index payment_refunds_done on payment_refunds (asked_at) where state = 'done';
