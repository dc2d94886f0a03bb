-- domain: relations
create table invitations (
  id text primary key,
  user_id bigint not null references users (id),
  other_id bigint references users (id),
  at timestamptz not null,
  until timestamptz not null,
  check (other_id <> user_id)
);
create index invitations_user on invitations (user_id, at desc);
create index invitations_other on invitations (other_id) where other_id is not null;
create index invitations_until on invitations (until);
comment on table invitations is 'Links by which other_id, who opened one first, can be called by user_id, who made it. Deleted after the call.';
comment on column invitations.id is 'SHA-256 of the token in the link, base64url.';
comment on column invitations.other_id is 'Null until a user has opened the link.';
