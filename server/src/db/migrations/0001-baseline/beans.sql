-- The ledger: accounts, transfers with two entries each, holds with their ends, and spending caps. All tables except
-- bean_accounts are append-only, and only the functions below write to them (docs/decisions/009-ledger.md).

-- No index contains balance or held: with the free space of fillfactor, updates stay in their page (HOT).
create table bean_accounts (
  id bigint generated always as identity primary key,
  house text unique,
  user_id bigint unique references users (id),
  balance bigint,
  held bigint check (held >= 0),
  version bigint,
  check ((house is null) = (user_id is not null)),
  check ((user_id is null) = (balance is null)),
  check ((user_id is null) = (held is null)),
  check ((user_id is null) = (version is null))
) with (fillfactor = 70);
create trigger bean_accounts_no_delete before delete on bean_accounts
  for each row execute function refuse_change();
create trigger bean_accounts_no_truncate before truncate on bean_accounts
  for each statement execute function refuse_change();
insert into bean_accounts (house) values ('filter-revenue'), ('promotion'), ('adjustment'), ('write-off');
comment on table bean_accounts is 'An account of a user, with running figures, or of the house, without.';
comment on column bean_accounts.held is 'Sum of the open holds.';
comment on column bean_accounts.version is 'Number of entries.';

-- No foreign keys to accounts: each insert would take a share lock on the one row of a house account. The ledger check
-- verifies the references instead.
create table bean_transfers (
  id bigint generated always as identity primary key,
  key text not null unique,
  kind text not null check (
    kind in ('purchase', 'call', 'credit', 'refund', 'dispute_opened', 'dispute_won', 'adjustment')
  ),
  from_account bigint not null,
  to_account bigint not null,
  amount bigint not null check (amount > 0),
  reference text not null,
  reason text,
  overdraft boolean not null,
  at timestamptz not null,
  check (from_account <> to_account),
  check (not overdraft or kind in ('refund', 'dispute_opened'))
);
create index bean_transfers_calls on bean_transfers (from_account, at) where kind = 'call';
create index bean_transfers_call on bean_transfers (from_account, reference, id) where kind = 'call';
create index bean_transfers_purchase on bean_transfers (reference) where kind = 'purchase';
create trigger bean_transfers_append_only before update or delete on bean_transfers
  for each row execute function refuse_change();
create trigger bean_transfers_no_truncate before truncate on bean_transfers
  for each statement execute function refuse_change();
comment on table bean_transfers is 'Append-only: one transfer of beans between two accounts.';
comment on column bean_transfers.reference is 'Order number or call id.';

create table bean_entries (
  transfer_id bigint not null references bean_transfers (id),
  account_id bigint not null,
  amount bigint not null check (amount <> 0),
  balance_after bigint,
  account_version bigint,
  primary key (account_id, transfer_id),
  unique (account_id, account_version),
  check ((balance_after is null) = (account_version is null))
);
create trigger bean_entries_append_only before update or delete on bean_entries
  for each row execute function refuse_change();
create trigger bean_entries_no_truncate before truncate on bean_entries
  for each statement execute function refuse_change();
comment on table bean_entries is 'Append-only: two entries a transfer, with opposite signs.';
comment on column bean_entries.account_version is 'Null for accounts of the house.';
comment on column bean_entries.balance_after is 'Null for accounts of the house.';

create table bean_holds (
  id bigint generated always as identity primary key,
  key text not null unique,
  account_id bigint not null references bean_accounts (id),
  amount bigint not null check (amount > 0),
  reference text not null,
  at timestamptz not null
);
create index bean_holds_account on bean_holds (account_id);
create trigger bean_holds_append_only before update or delete on bean_holds
  for each row execute function refuse_change();
create trigger bean_holds_no_truncate before truncate on bean_holds
  for each statement execute function refuse_change();
comment on table bean_holds is 'Append-only: beans held for a transfer to filter-revenue.';

create table bean_hold_ends (
  hold_id bigint primary key references bean_holds (id),
  amount bigint not null check (amount >= 0),
  transfer_id bigint unique references bean_transfers (id),
  at timestamptz not null,
  check ((amount = 0) = (transfer_id is null))
);
create trigger bean_hold_ends_append_only before update or delete on bean_hold_ends
  for each row execute function refuse_change();
create trigger bean_hold_ends_no_truncate before truncate on bean_hold_ends
  for each statement execute function refuse_change();
comment on table bean_hold_ends is 'Append-only: the settlement of a hold; a hold without a row is open.';
comment on column bean_hold_ends.amount is 'Beans that were posted; the rest was released.';
comment on column bean_hold_ends.transfer_id is 'Null where no beans were posted.';

create table bean_caps (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  beans bigint check (beans >= 0),
  beans_until bigint check (beans_until >= 0),
  from_at timestamptz not null,
  asked_at timestamptz not null
);
create index bean_caps_user on bean_caps (user_id, id);
create trigger bean_caps_append_only before update or delete on bean_caps
  for each row execute function refuse_change();
create trigger bean_caps_no_truncate before truncate on bean_caps
  for each statement execute function refuse_change();
comment on table bean_caps is 'Append-only: the newest row of a user is in force. Beans a UTC day; null: no cap.';
comment on column bean_caps.beans is 'Cap from from_at on.';
comment on column bean_caps.beans_until is 'Cap before from_at.';

create function bean_account(p_user bigint, p_house text) returns bigint language plpgsql as $$
declare
  v_id bigint;
begin
  for attempt in 1..2 loop
    if p_user is null then
      select id into v_id from bean_accounts where house = p_house;
    else
      select id into v_id from bean_accounts where user_id = p_user;
    end if;
    exit when v_id is not null;
    if p_user is null then
      insert into bean_accounts (house) values (p_house) on conflict do nothing;
    else
      insert into bean_accounts (user_id, balance, held, version) values (p_user, 0, 0, 0) on conflict do nothing;
    end if;
  end loop;
  return v_id;
end $$;

-- Writes both entries of a transfer; only users' accounts have a running balance.
create function bean_move(p_transfer bigint, p_from bigint, p_to bigint, p_amount bigint) returns void
language plpgsql as $$
declare
  v_from_balance bigint;
  v_from_version bigint;
  v_to_balance bigint;
  v_to_version bigint;
begin
  update bean_accounts set balance = balance - p_amount, version = version + 1
  where id = p_from and user_id is not null returning balance, version into v_from_balance, v_from_version;
  update bean_accounts set balance = balance + p_amount, version = version + 1
  where id = p_to and user_id is not null returning balance, version into v_to_balance, v_to_version;
  insert into bean_entries (transfer_id, account_id, amount, balance_after, account_version)
  values (p_transfer, p_from, -p_amount, v_from_balance, v_from_version),
    (p_transfer, p_to, p_amount, v_to_balance, v_to_version);
end $$;

-- Expected refusals are result values, so that the caller's transaction continues. Lock order: users' accounts by id,
-- then the key.
create function bean_post(
  p_key text, p_kind text, p_from_user bigint, p_from_house text, p_to_user bigint, p_to_house text,
  p_amount bigint, p_reference text, p_reason text, p_overdraft boolean, p_at timestamptz
) returns table (outcome text, transfer bigint, have bigint) language plpgsql as $$
declare
  v_from bigint := bean_account(p_from_user, p_from_house);
  v_to bigint := bean_account(p_to_user, p_to_house);
  v_known bean_transfers;
  v_have bigint;
  v_id bigint;
begin
  perform from bean_accounts where id in (v_from, v_to) and user_id is not null order by id for no key update;
  select * into v_known from bean_transfers where key = p_key;
  if v_known.id is null then
    select balance - held into v_have from bean_accounts where id = v_from;
    if p_from_user is not null and v_have < p_amount and not p_overdraft then
      return query select 'not_enough', null::bigint, greatest(v_have, 0);
      return;
    end if;
    insert into bean_transfers (key, kind, from_account, to_account, amount, reference, reason, overdraft, at)
    values (p_key, p_kind, v_from, v_to, p_amount, p_reference, p_reason, p_overdraft, p_at)
    on conflict (key) do nothing
    returning id into v_id;
    if v_id is not null then
      perform bean_move(v_id, v_from, v_to, p_amount);
      return query select 'posted', v_id, null::bigint;
      return;
    end if;
    select * into strict v_known from bean_transfers where key = p_key;
  end if;
  if (v_known.kind, v_known.from_account, v_known.to_account, v_known.amount, v_known.reference, v_known.overdraft)
      = (p_kind, v_from, v_to, p_amount, p_reference, p_overdraft)
    and v_known.reason is not distinct from p_reason then
    return query select 'known', v_known.id, null::bigint;
  else
    return query select 'conflict', v_known.id, null::bigint;
  end if;
end $$;

create function bean_cap(p_user bigint, p_at timestamptz) returns bigint language sql stable as $$
  select case when p_at >= from_at then beans else beans_until end
  from bean_caps where user_id = p_user order by id desc limit 1
$$;

create function bean_spent(p_account bigint, p_at timestamptz) returns bigint language sql stable as $$
  select coalesce(sum(amount), 0)::bigint from bean_transfers
  where from_account = p_account and kind = 'call' and at >= date_trunc('day', p_at, 'UTC')
$$;

create function bean_hold(p_key text, p_user bigint, p_amount bigint, p_reference text, p_at timestamptz)
returns table (outcome text, have bigint) language plpgsql as $$
declare
  v_account bean_accounts;
  v_known bean_holds;
  v_cap bigint;
  v_have bigint;
  v_cap_left bigint;
  v_id bigint;
begin
  perform bean_account(p_user, null);
  select * into strict v_account from bean_accounts where user_id = p_user for no key update;
  select * into v_known from bean_holds where key = p_key;
  if v_known.id is null then
    v_have := greatest(v_account.balance - v_account.held, 0);
    v_cap := bean_cap(p_user, p_at);
    if v_cap is not null then
      v_cap_left := greatest(v_cap - bean_spent(v_account.id, p_at) - v_account.held, 0);
    end if;
    if least(v_have, v_cap_left) < p_amount then
      return query select
        case when v_cap_left < v_have then 'cap' else 'balance' end, least(v_have, v_cap_left);
      return;
    end if;
    insert into bean_holds (key, account_id, amount, reference, at)
    values (p_key, v_account.id, p_amount, p_reference, p_at)
    on conflict (key) do nothing
    returning id into v_id;
    if v_id is not null then
      update bean_accounts set held = held + p_amount where id = v_account.id;
      return query select 'held', null::bigint;
      return;
    end if;
    select * into strict v_known from bean_holds where key = p_key;
  end if;
  return query select
    case when (v_known.account_id, v_known.amount, v_known.reference) = (v_account.id, p_amount, p_reference)
      then 'known' else 'conflict' end,
    null::bigint;
end $$;

create function bean_settle(p_key text, p_amount bigint, p_at timestamptz)
returns table (outcome text, user_id bigint, released bigint) language plpgsql as $$
declare
  v_hold bean_holds;
  v_user bigint;
  v_settled bigint;
  v_house bigint := bean_account(null, 'filter-revenue');
  v_id bigint;
begin
  select * into v_hold from bean_holds where key = p_key;
  if v_hold.id is null or p_amount > v_hold.amount then
    return query select case when v_hold.id is null then 'unknown' else 'conflict' end, null::bigint, null::bigint;
    return;
  end if;
  select a.user_id into strict v_user from bean_accounts a where a.id = v_hold.account_id for no key update;
  select e.amount into v_settled from bean_hold_ends e where e.hold_id = v_hold.id;
  if v_settled is not null then
    return query select case when v_settled = p_amount then 'known' else 'conflict' end, v_user, null::bigint;
    return;
  end if;
  if p_amount > 0 then
    insert into bean_transfers (key, kind, from_account, to_account, amount, reference, overdraft, at)
    values (p_key, 'call', v_hold.account_id, v_house, p_amount, v_hold.reference, false, p_at)
    on conflict (key) do nothing
    returning id into v_id;
    if v_id is null then
      return query select 'conflict', v_user, null::bigint;
      return;
    end if;
    perform bean_move(v_id, v_hold.account_id, v_house, p_amount);
  end if;
  update bean_accounts a set held = a.held - v_hold.amount where a.id = v_hold.account_id;
  insert into bean_hold_ends (hold_id, amount, transfer_id, at) values (v_hold.id, p_amount, v_id, p_at);
  return query select 'settled', v_user, v_hold.amount - p_amount;
end $$;
