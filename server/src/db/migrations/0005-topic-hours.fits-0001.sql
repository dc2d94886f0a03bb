-- domain: people
create table topic_hours (
  id bigint generated always as identity primary key,
  language smallint check (language >= 0),
  interest smallint check (interest >= 0),
  starts_at timestamptz not null,
  minutes smallint not null check (minutes > 0),
  is_weekly boolean not null,
  check (num_nonnulls(language, interest) = 1)
);
comment on table topic_hours is 'Hours for a language or a topic that administrators planned.';
comment on column topic_hours.language is 'Position in spokenLanguages (wire/src/talk.ts); null for an hour of an interest.';
comment on column topic_hours.interest is 'Position in interests (wire/src/talk.ts); null for an hour of a language.';
comment on column topic_hours.starts_at is 'Of the first time; a weekly hour is at the same UTC time every seven days.';

create table topic_hour_reminders (
  user_id bigint not null references users (id),
  hour_id bigint not null references topic_hours (id) on delete cascade,
  starts_at timestamptz not null,
  primary key (user_id, hour_id)
);
create index topic_hour_reminders_starts_at on topic_hour_reminders (starts_at);
comment on table topic_hour_reminders is 'Who is notified when an hour begins. A notification deletes its row.';
comment on column topic_hour_reminders.starts_at is 'The time of the hour that the user asked about.';
