-- Batches of transfers and of call minutes in one database call each, and the fence for charging a call
-- (docs/decisions/028-batched-ledger-operations.md).

-- The row lock keeps the owner unchanged until the caller's transaction ends; a check without a lock would race.
create function bean_fence(p_call text, p_epoch integer) returns boolean language plpgsql as $$
begin
  perform from calls where id = p_call and owner_epoch = p_epoch and ended_at is null for share;
  return found;
end $$;

-- Transfers between a user and the house; a negative amount is taken from the user. Does what bean_post does for the
-- simple cases, and returns those only. It leaves to bean_post: missing or locked accounts, balances that are too
-- small, and used keys. It never waits for an account, so it cannot deadlock on one. A user or key must not occur
-- twice: then the call fails.
create function bean_post_gathered(
  p_keys text[], p_kinds text[], p_users bigint[], p_houses text[], p_amounts bigint[], p_references text[],
  p_reasons text[], p_at timestamptz
) returns table (number integer, transfer bigint) language plpgsql as $$
declare
  v_locked bigint[];
begin
  v_locked := array(select id from bean_accounts where user_id = any (p_users) for no key update skip locked);
  -- A separate statement has a newer snapshot than the lock, so it sees the rows that the lock waited for.
  return query
  with asked as (
    select * from unnest(p_keys, p_kinds, p_users, p_houses, p_amounts, p_references, p_reasons)
      with ordinality as asked (key, kind, user_id, house, amount, reference, reason, number)
  ), plain as (
    -- With the transfer's id, so that inserted rows need no join with the input.
    select asked.*, person.id as person_id, house.id as house_id, nextval('bean_transfers_id_seq') as transfer_id
    from asked
    join bean_accounts as person on person.user_id = asked.user_id
    join bean_accounts as house on house.house = asked.house
    where person.id = any (v_locked) and (asked.amount > 0 or person.balance - person.held >= -asked.amount)
      and not exists (select from bean_transfers as known where known.key = asked.key)
    -- A fixed order prevents deadlocks between two calls with common keys.
    order by asked.key
  ), made as (
    insert into bean_transfers (id, key, kind, from_account, to_account, amount, reference, reason, overdraft, at)
    overriding system value
    select transfer_id, key, kind, case when amount < 0 then person_id else house_id end,
      case when amount < 0 then house_id else person_id end, abs(amount), reference, reason, false, p_at
    from plain
  ), moved as (
    update bean_accounts as account
    set balance = account.balance + plain.amount, version = account.version + 1
    from plain where account.id = plain.person_id
    returning plain.number, plain.transfer_id, plain.person_id, plain.house_id, plain.amount, account.balance,
      account.version
  ), entered as (
    insert into bean_entries (transfer_id, account_id, amount, balance_after, account_version)
    select moved.transfer_id, entry.account_id, entry.amount, entry.balance, entry.version
    from moved cross join lateral (values
      (moved.person_id, moved.amount, moved.balance, moved.version),
      (moved.house_id, -moved.amount, null, null)
    ) as entry (account_id, amount, balance, version)
  )
  select moved.number::integer, moved.transfer_id from moved;
end $$;

-- For each user, settles one hold and opens the next, both or neither, and returns the remaining beans and the rest of
-- the spending cap (null: no cap). Like bean_post_gathered it handles the simple cases only. With an epoch, the call must
-- have that epoch and must not have ended. The calls are queried by dynamic SQL: a cached plan would include the
-- partitions of all days. It tests end_reason instead of ended_at, which are null together: with ended_at the planner could
-- choose the partial index of running calls, which is bloated by ended ones.
create function bean_minutes_gathered(
  p_users bigint[], p_settle_keys text[], p_settle_amounts bigint[], p_hold_keys text[], p_hold_amounts bigint[],
  p_calls text[], p_epochs integer[], p_at timestamptz
) returns table (number integer, balance bigint, have bigint, cap_left bigint) language plpgsql as $$
declare
  v_calls text[];
  v_locked bigint[];
  v_house bigint;
begin
  if array_remove(p_epochs, null) <> '{}' then
    execute '
      select array(
        select id from calls
        where id = any ($1) and owner_epoch = $2[array_position($1, id)] and end_reason is null
        for share skip locked
      )' into v_calls using p_calls, p_epochs;
  end if;
  v_locked := array(select id from bean_accounts where user_id = any (p_users) for no key update skip locked);
  select id into strict v_house from bean_accounts where house = 'filter-revenue';
  return query
  with asked as (
    select * from unnest(p_users, p_settle_keys, p_settle_amounts, p_hold_keys, p_hold_amounts, p_calls, p_epochs)
      with ordinality as asked (user_id, settle_key, settle_amount, hold_key, hold_amount, call, epoch, number)
  ), plain as (
    select asked.*, account.id as account_id, old.id as old_id, old.reference as old_reference,
      coalesce(old.amount, 0) as old_amount, coalesce(asked.settle_amount, 0) as settled,
      cap.beans - coalesce(asked.settle_amount, 0) - (account.held - coalesce(old.amount, 0))
        - case when cap.beans is not null then bean_spent(account.id, p_at) end as cap_left,
      account.balance - coalesce(asked.settle_amount, 0) - (account.held - coalesce(old.amount, 0)) as have
    from asked
    join bean_accounts as account on account.user_id = asked.user_id
    left join bean_holds as old on old.key = asked.settle_key
    -- The same as bean_cap, without the cost of a function call for each row.
    left join lateral (
      select case when p_at >= from_at then beans else beans_until end as beans
      from bean_caps where bean_caps.user_id = asked.user_id order by id desc limit 1
    ) as cap on true
    where account.id = any (v_locked)
      and (asked.epoch is null or asked.call = any (v_calls))
      and not exists (select from bean_holds as known where known.key = asked.hold_key)
      and (asked.settle_key is null or (
        old.account_id = account.id and asked.settle_amount between 1 and old.amount
        and not exists (select from bean_hold_ends as ended where ended.hold_id = old.id)
        and not exists (select from bean_transfers as known where known.key = asked.settle_key)
      ))
  ),
  covered as (
    select plain.*, case when old_id is not null then nextval('bean_transfers_id_seq') end as transfer_id
    from plain where least(plain.have, plain.cap_left) >= plain.hold_amount
    order by plain.hold_key
  ), held as (
    insert into bean_holds (key, account_id, amount, reference, at)
    select hold_key, account_id, hold_amount, call, p_at from covered
  ), moved as (
    update bean_accounts as account set
      balance = account.balance - covered.settled,
      held = account.held - covered.old_amount + covered.hold_amount,
      version = account.version + case when covered.old_id is null then 0 else 1 end
    from covered where account.id = covered.account_id
    returning account.id, account.balance, account.version, covered.*
  ), made as (
    insert into bean_transfers (id, key, kind, from_account, to_account, amount, reference, overdraft, at)
    overriding system value
    select transfer_id, settle_key, 'call', account_id, v_house, settled, old_reference, false, p_at
    from moved where old_id is not null
  ), entered as (
    insert into bean_entries (transfer_id, account_id, amount, balance_after, account_version)
    select moved.transfer_id, entry.account_id, entry.amount, entry.balance, entry.version
    from moved cross join lateral (values
      (moved.account_id, -moved.settled, moved.balance, moved.version),
      (v_house, moved.settled, null, null)
    ) as entry (account_id, amount, balance, version)
    where moved.old_id is not null
  ), ended as (
    insert into bean_hold_ends (hold_id, amount, transfer_id, at)
    select old_id, settled, transfer_id, p_at from moved where old_id is not null
  )
  select moved.number::integer, moved.balance, moved.have - moved.hold_amount, moved.cap_left - moved.hold_amount
  from moved;
end $$;
