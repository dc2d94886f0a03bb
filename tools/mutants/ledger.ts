import type { Mutant } from "./mutant.ts";

const file = "server/src/db/migrations/0001-baseline/beans.sql";
const ledger = ["server/src/billing/ledger.test.ts"];
const caps = ["server/src/billing/caps.test.ts"];

/** The ledger's functions and guards, in SQL. */
export const ledgerMutants: readonly Mutant[] = [
  {
    file,
    find: "perform from bean_accounts where id in (v_from, v_to) and user_id is not null order by id for no key update;",
    replace: "perform from bean_accounts where id in (v_from, v_to) and user_id is not null order by id;",
    why: "two debits at once both spend the same beans",
    tests: ledger,
  },
  {
    file,
    find: "and user_id is not null order by id for no key update;",
    replace: "and user_id is not null order by id = v_to for no key update;",
    why: "two people who send each other beans wait for each other for ever",
    tests: ledger,
  },
  {
    file,
    find: "v_have < p_amount and not p_overdraft",
    replace: "v_have <= p_amount and not p_overdraft",
    why: "nobody can spend the last bean",
    tests: ledger,
  },
  {
    file,
    find: "select balance - held into v_have from bean_accounts",
    replace: "select balance into v_have from bean_accounts",
    why: "beans that are held for a minute can be spent",
    tests: ledger,
  },
  {
    file,
    find: "v_known.amount, v_known.reference, v_known.overdraft)",
    replace: "p_amount, v_known.reference, v_known.overdraft)",
    why: "a key that stands for another amount is taken for the same transfer",
    tests: ledger,
  },
  {
    file,
    find: "select * into strict v_account from bean_accounts where user_id = p_user for no key update;",
    replace: "select * into strict v_account from bean_accounts where user_id = p_user;",
    why: "two holds at once both take the same beans",
    tests: ledger,
  },
  {
    file,
    find: "v_have := greatest(v_account.balance - v_account.held, 0);",
    replace: "v_have := greatest(v_account.balance, 0);",
    why: "a second hold takes beans that are held already",
    tests: ledger,
  },
  {
    file,
    find: "greatest(v_cap - bean_spent(v_account.id, p_at) - v_account.held, 0)",
    replace: "greatest(v_cap - bean_spent(v_account.id, p_at), 0)",
    why: "open holds pass the spending cap",
    tests: caps,
  },
  {
    file,
    find: "from_account = p_account and kind = 'call' and at >=",
    replace: "from_account = p_account and at >=",
    why: "a refund counts against the spending cap of its day",
    tests: caps,
  },
  {
    file,
    find: "select case when p_at >= from_at then beans else beans_until end",
    replace: "select case when p_at >= from_at then beans else beans end",
    why: "a raise of the spending cap holds at once",
    tests: caps,
  },
  {
    file,
    find: "if v_hold.id is null or p_amount > v_hold.amount then",
    replace: "if v_hold.id is null then",
    why: "more is posted than was held",
    tests: ledger,
  },
  {
    file,
    find: "update bean_accounts a set held = a.held - v_hold.amount where",
    replace: "update bean_accounts a set held = a.held - p_amount where",
    why: "the rest of a minute that was not used up stays held for ever",
    tests: ledger,
  },
  {
    file,
    find: "create trigger bean_transfers_append_only before update or delete on bean_transfers",
    replace: "create trigger bean_transfers_append_only before update on bean_transfers",
    why: "transfers can be deleted",
    tests: ledger,
  },
];
