-- domain: relations
create table kind_words (
  user_id bigint not null references users (id),
  other_id bigint not null references users (id),
  call_id text not null,
  word smallint not null check (word between 1 and 4),
  at timestamptz not null,
  read_at timestamptz,
  primary key (user_id, other_id),
  check (user_id <> other_id)
);
create index kind_words_others on kind_words (other_id, at desc);
comment on table kind_words is 'Kind words after a call, from user_id to other_id; deleted a day after they were written or read.';
comment on column kind_words.word is 'Which of the closed choices; texts are in the catalogs.';
