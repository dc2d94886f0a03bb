-- Relations between users, and rings.

create table follows (
  user_id bigint not null references users (id),
  other_id bigint not null references users (id),
  at timestamptz not null,
  primary key (user_id, other_id),
  check (user_id <> other_id)
);
create index follows_newest on follows (user_id, at desc, other_id);
create index follows_others on follows (other_id, at desc, user_id);
comment on table follows is 'user_id follows other_id.';

create table likes (
  user_id bigint not null references users (id),
  other_id bigint not null references users (id),
  at timestamptz not null,
  primary key (user_id, other_id),
  check (user_id <> other_id)
);
create index likes_newest on likes (user_id, at desc, other_id);
create index likes_others on likes (other_id, at desc, user_id);
comment on table likes is 'user_id likes other_id.';

create table blocks (
  user_id bigint not null references users (id),
  other_id bigint not null references users (id),
  at timestamptz not null,
  primary key (user_id, other_id),
  check (user_id <> other_id)
);
create index blocks_newest on blocks (user_id, at desc, other_id);
create index blocks_others on blocks (other_id, at desc, user_id);
comment on table blocks is 'user_id blocks other_id.';

create table meet_wishes (
  user_id bigint not null references users (id),
  other_id bigint not null references users (id),
  at timestamptz not null,
  primary key (user_id, other_id),
  check (user_id <> other_id)
);
create index meet_wishes_newest on meet_wishes (user_id, at desc, other_id);
create index meet_wishes_others on meet_wishes (other_id, at desc, user_id);
comment on table meet_wishes is 'user_id would like to meet other_id again.';

create table aparts (
  user_id bigint not null references users (id),
  other_id bigint not null references users (id),
  until timestamptz not null,
  primary key (user_id, other_id),
  check (user_id <> other_id)
);
create index aparts_newest on aparts (user_id, until desc, other_id);
create index aparts_others on aparts (other_id);
create index aparts_until on aparts (until);
comment on table aparts is 'user_id does not want to be matched with other_id for a while.';

create table rings (
  id text primary key,
  ringer_id bigint not null references users (id),
  rung_id bigint not null references users (id),
  at timestamptz not null,
  until timestamptz not null,
  state text not null check (state in ('ringing', 'accepted', 'declined', 'cancelled', 'missed')),
  ended_at timestamptz,
  offer text,
  away boolean not null default false,
  check (ringer_id <> rung_id),
  check ((state = 'ringing') = (ended_at is null))
);
create index rings_ringer on rings (ringer_id);
create index rings_rung on rings (rung_id);
create index rings_until on rings (until);
comment on table rings is 'Rings of friends; deleted minutes after their end.';
comment on column rings.until is 'Deadline of the ring.';
comment on column rings.offer is 'Session description prepared by the caller; deleted when the ring ends.';
comment on column rings.away is 'The callee had no page open at the start.';

create table ring_mutes (
  user_id bigint not null references users (id),
  other_id bigint not null references users (id),
  until timestamptz not null,
  primary key (user_id, other_id),
  check (user_id <> other_id)
);
create index ring_mutes_others on ring_mutes (other_id);
create index ring_mutes_until on ring_mutes (until);
comment on table ring_mutes is 'user_id does not want to be rung by other_id for a while.';
