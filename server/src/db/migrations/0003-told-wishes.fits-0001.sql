alter table meet_wishes add told boolean not null default false;
comment on column meet_wishes.told is 'user_id was sent the notification that both want to meet again.';
