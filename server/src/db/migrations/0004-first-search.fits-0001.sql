alter table users add column first_search_on date;
comment on column users.first_search_on is
  'UTC day of the first search, also of one without a match; null: none yet, or before this column existed.';
