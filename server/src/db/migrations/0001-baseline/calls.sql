-- Calls and their events, and the filters that users search with.

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'append only table %', tg_table_name;
end $$;

-- Daily partitions (server/src/db/call-days.ts), in bytewise order of the ids. No foreign keys to other tables:
-- dropping a partition would then lock all users or read all reports.
create table calls (
  id text primary key,
  offerer_id bigint not null,
  answerer_id bigint not null,
  offerer_price integer not null check (offerer_price >= 0),
  answerer_price integer not null check (answerer_price >= 0),
  matched_at timestamptz not null,
  connected_at timestamptz,
  ended_at timestamptz,
  end_reason text check (
    end_reason in ('next', 'stop', 'left', 'not_joined', 'lost', 'kicked', 'banned', 'restart', 'violation', 'unchecked')
  ),
  owner_epoch integer not null default 0,
  owner text,
  check (offerer_id <> answerer_id),
  check ((ended_at is null) = (end_reason is null))
) partition by range (id text_pattern_ops);
create index on calls (offerer_id, matched_at);
create index on calls (answerer_id, matched_at);
create index on calls (owner) where ended_at is null;
comment on table calls is 'Calls, partitioned by UTC day.';
comment on column calls.connected_at is 'When both sides had video; null: never.';
comment on column calls.offerer_price is 'Beans a minute, fixed at the match.';
comment on column calls.answerer_price is 'Beans a minute, fixed at the match.';
comment on column calls.owner_epoch is 'Fencing number: each server that takes the call over raises it, and charging requires the current one.';
comment on column calls.owner is 'Server that hosts the room, or hosted it last; null: none.';

create table call_events (
  call_id text not null,
  user_id bigint,
  kind text not null,
  at timestamptz not null
) partition by range (call_id text_pattern_ops);
create index on call_events (call_id);
create trigger call_events_append_only before update or delete on call_events
  for each row execute function refuse_change();
create trigger call_events_no_truncate before truncate on call_events
  for each statement execute function refuse_change();
comment on table call_events is 'Append-only: events of a call, without texts and pictures.';

create table call_prices (
  call_id text not null,
  user_id bigint not null references users (id),
  price integer not null check (price > 0),
  primary key (user_id, call_id)
);
comment on table call_prices is 'Price a minute of paid calls whose partition was dropped, for the payer''s statement.';

create table match_filters (
  user_id bigint primary key references users (id),
  sex smallint not null check (sex in (0, 1, 2)),
  country integer not null check (country >= -1),
  updated_at timestamptz not null default now()
);
comment on table match_filters is 'Filters that a user chose last.';

create table match_subscriptions (
  user_id bigint primary key references users (id),
  sex smallint not null check (sex between 0 and 2),
  country_id integer not null check (country_id >= -1),
  own_sex smallint not null check (own_sex in (1, 2)),
  own_country_id integer not null check (own_country_id >= 0),
  created_at timestamptz not null,
  until timestamptz not null
);
create index match_subscriptions_oldest on match_subscriptions (own_sex, sex, created_at);
comment on table match_subscriptions is 'Requests for one notification when a fitting user searches.';
comment on column match_subscriptions.sex is '0 both, 1 men, 2 women.';
comment on column match_subscriptions.country_id is '0 worldwide, -1 balanced, otherwise a country id.';
comment on column match_subscriptions.own_sex is 'Sex of the user at the request.';
comment on column match_subscriptions.own_country_id is 'Country of the user at the request; 0: unknown.';

create table free_matches (
  user_id bigint primary key references users (id),
  day date not null,
  matches smallint not null check (matches > 0),
  call_id text not null
);
comment on table free_matches is 'Number of a user''s matches with free seconds, on the latest UTC day with any.';
comment on column free_matches.call_id is 'The last of them, so that a retry counts once.';
