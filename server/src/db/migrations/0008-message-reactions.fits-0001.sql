alter table messages add column reaction text
  check (reaction in ('heart', 'laugh', 'wow', 'thumb', 'wave', 'party'));
comment on column messages.reaction is 'The reaction of the reader; null: none.';
