import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import { wireInteger } from "#lib/wire-integer.ts";

type Db = Kysely<Database>;

export interface LedgerFinding {
  /** The sentence that the check proves. */
  name: string;
  breachCount: number;
  breaches: readonly string[];
}

export interface LedgerReport {
  transferCount: bigint;
  accountCount: bigint;
  findings: readonly LedgerFinding[];
}

const breachesListedMax = 20;

/** Proves the ledger from its rows alone, in one snapshot. Each query returns its violations, one text per row. */
export async function checkLedger(db: Db, { withOrders = true } = {}): Promise<LedgerReport> {
  const checks = { ...entryChecks, ...accountChecks, ...holdChecks, ...(withOrders && orderChecks) };
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (trx) => {
      const counted = await sql<{ transfers: bigint; accounts: bigint }>`
        select (select count(*) from bean_transfers) as transfers,
          (select count(*) from bean_accounts where user_id is not null) as accounts`.execute(trx);
      const findings: LedgerFinding[] = [];
      for (const [name, query] of Object.entries(checks)) {
        findings.push(await find(trx, name, query));
      }
      const [{ transfers: transferCount, accounts: accountCount } = { transfers: 0n, accounts: 0n }] = counted.rows;
      return { transferCount, accountCount, findings };
    });
}

async function find(db: Db, name: string, query: RawBuilder<{ breach: string }>): Promise<LedgerFinding> {
  const { rows } = await sql<{ breach: string; total: bigint }>`
    select breach, count(*) over () as total from (${query}) as found limit ${breachesListedMax}`.execute(db);
  return { name, breachCount: wireInteger(rows[0]?.total ?? 0n), breaches: rows.map(({ breach }) => breach) };
}

type Checks = Readonly<Record<string, RawBuilder<{ breach: string }>>>;

const entryChecks: Checks = {
  "all entries together are 0": sql`
    select 'they are ' || sum(amount) as breach from bean_entries having sum(amount) <> 0`,
  "every transfer has its two entries, and no others": sql`
    select 'transfer ' || transfer.id as breach from bean_transfers as transfer
    left join bean_entries as entry on entry.transfer_id = transfer.id
    group by transfer.id
    having count(*) <> 2
      or count(*) filter (where entry.account_id = transfer.from_account and entry.amount = -transfer.amount) <> 1
      or count(*) filter (where entry.account_id = transfer.to_account and entry.amount = transfer.amount) <> 1`,
  "every entry is of an account, with running figures exactly where that is a person's": sql`
    select 'transfer ' || entry.transfer_id || ', account ' || entry.account_id as breach from bean_entries as entry
    left join bean_accounts as account on account.id = entry.account_id
    where account.id is null or (account.user_id is null) <> (entry.balance_after is null)`,
};

const accountChecks: Checks = {
  "every balance is the sum of its entries": sql`
    select 'user ' || account.user_id || ' has ' || account.balance || ', entries say ' || coalesce(sum(entry.amount), 0)
      as breach
    from bean_accounts as account left join bean_entries as entry on entry.account_id = account.id
    where account.user_id is not null
    group by account.id having account.balance <> coalesce(sum(entry.amount), 0)`,
  "versions count an account's entries without a gap": sql`
    select 'user ' || account.user_id as breach
    from bean_accounts as account left join bean_entries as entry on entry.account_id = account.id
    where account.user_id is not null
    group by account.id
    having count(entry.transfer_id) <> account.version or coalesce(max(entry.account_version), 0) <> account.version
      or coalesce(min(entry.account_version), 1) <> 1`,
  "every balance after a transfer is the sum up to it": sql`
    select 'user ' || user_id || ', version ' || account_version as breach from (
      select account.user_id, entry.account_version, entry.balance_after,
        sum(entry.amount) over (partition by entry.account_id order by entry.account_version) as summed
      from bean_entries as entry join bean_accounts as account on account.id = entry.account_id
      where account.user_id is not null
    ) as run where balance_after <> summed`,
  "a balance falls below 0 by a refund or a dispute only": sql`
    select 'user ' || account.user_id || ', transfer ' || transfer.id as breach
    from bean_entries as entry
    join bean_accounts as account on account.id = entry.account_id
    join bean_transfers as transfer on transfer.id = entry.transfer_id
    where entry.balance_after < 0 and entry.amount < 0 and not transfer.overdraft
      and not (
        -- A minute that was held before a refund is still paid for after it.
        exists (select from bean_hold_ends as ended where ended.transfer_id = transfer.id)
        and exists (
          select from bean_transfers as debt
          where debt.from_account = account.id and debt.overdraft and debt.id < transfer.id
        )
      )`,
  "nobody holds more than they have, but for a refund or a dispute": sql`
    select 'user ' || account.user_id as breach from bean_accounts as account
    where account.held > 0 and account.held > account.balance
      and not exists (select from bean_transfers as debt where debt.from_account = account.id and debt.overdraft)`,
};

const holdChecks: Checks = {
  "what is held is the sum of the open holds": sql`
    select 'user ' || account.user_id || ' holds ' || account.held || ', open are ' || coalesce(sum(hold.amount), 0)
      as breach
    from bean_accounts as account
    left join bean_holds as hold on hold.account_id = account.id
      and not exists (select from bean_hold_ends as ended where ended.hold_id = hold.id)
    where account.user_id is not null
    group by account.id having account.held <> coalesce(sum(hold.amount), 0)`,
  "a settled hold posted its amount, at most what was held, under its own key": sql`
    select 'hold ' || hold.key as breach from bean_hold_ends as ended
    join bean_holds as hold on hold.id = ended.hold_id
    left join bean_transfers as transfer on transfer.id = ended.transfer_id
    where ended.amount > hold.amount
      or (ended.amount > 0 and (
        (transfer.key, transfer.from_account, transfer.amount, transfer.reference, transfer.kind)
          is distinct from (hold.key, hold.account_id, ended.amount, hold.reference, 'call')
      ))`,
};

/** Only for a database with orders, with which purchases can be compared. */
const orderChecks: Checks = {
  "every paid order has its one purchase": sql`
    select 'order ' || payment.order_no as breach from payment_orders as payment
    left join bean_transfers as transfer on transfer.kind = 'purchase' and transfer.reference = payment.order_no
    left join bean_accounts as account on account.id = transfer.to_account
    where payment.transaction_id is not null
    group by payment.id
    having count(transfer.id) <> 1
      or bool_or((transfer.key, transfer.amount, account.user_id) is distinct from
        ('pay:' || payment.provider || ':' || payment.transaction_id, payment.beans, payment.user_id))`,
  "every purchase is of a paid order": sql`
    select 'transfer ' || transfer.id as breach from bean_transfers as transfer
    left join payment_orders as payment on payment.order_no = transfer.reference
    where transfer.kind = 'purchase' and payment.transaction_id is null and exists (select from payment_orders)`,
};
