-- domain: people
create table passkeys (
  id text primary key check (length(id) between 16 and 1400),
  user_id bigint not null references users (id),
  public_key bytea not null,
  sign_count bigint not null check (sign_count >= 0),
  browser text not null,
  system text not null,
  created_at timestamptz not null,
  used_at timestamptz
);
create index passkeys_user on passkeys (user_id);
comment on table passkeys is 'Passkeys with which users sign in beside their provider.';
comment on column passkeys.id is 'The credential''s id, base64url.';
comment on column passkeys.public_key is 'COSE key.';
comment on column passkeys.sign_count is 'Last signature counter of the authenticator; 0 for one that does not count.';
comment on column passkeys.browser is 'Browser that added it; empty if unknown.';
comment on column passkeys.system is 'Operating system that added it; empty if unknown.';
comment on column passkeys.used_at is 'Last sign-in with it; null before the first.';

create table recovery_codes (
  user_id bigint not null references users (id),
  code_hash bytea not null,
  created_at timestamptz not null,
  primary key (user_id, code_hash)
);
comment on table recovery_codes is 'Unused recovery codes. A sign-in deletes its code, new codes delete all earlier ones.';
comment on column recovery_codes.code_hash is 'SHA-256 of user and code.';
