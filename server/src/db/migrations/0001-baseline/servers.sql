-- Servers that run, and the work that only one of them may do.

create table processes (
  id text primary key,
  lock_number integer generated always as identity unique,
  beat_at timestamptz not null default clock_timestamp(),
  draining boolean not null default false,
  dead_at timestamptz
);
comment on table processes is 'Servers that run over this database, each start a row of its own.';
comment on column processes.lock_number is 'Second half of the advisory lock that its connection holds.';
comment on column processes.dead_at is 'When another process took it for dead: from then on it is.';

create table leases (
  name text primary key,
  epoch bigint not null,
  holder text not null,
  held_at timestamptz not null
);
comment on table leases is 'Work that one process does for all: how often it changed hands, and who has it or had it last.';
