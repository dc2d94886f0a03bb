import type { Generated } from "kysely";
import type { Timestamp } from "./timestamps.ts";

/** The ledger of beans, and what limits spending them (migrations 0003 and 0005). */
export interface BeanTables {
  bean_accounts: BeanAccountsTable;
  bean_transfers: BeanTransfersTable;
  bean_entries: BeanEntriesTable;
  bean_holds: BeanHoldsTable;
  bean_hold_ends: BeanHoldEndsTable;
  bean_caps: BeanCapsTable;
  free_matches: FreeMatchesTable;
}

/** Of a person, with figures that run along, or of the house, without. */
export interface BeanAccountsTable {
  id: Generated<bigint>;
  house: string | null;
  user_id: bigint | null;
  balance: bigint | null;
  /** Sum of the open holds. */
  held: bigint | null;
  /** Number of entries. */
  version: bigint | null;
}

/** Append only. */
export interface BeanTransfersTable {
  id: Generated<bigint>;
  key: string;
  kind: string;
  from_account: bigint;
  to_account: bigint;
  amount: bigint;
  /** Order number or call id. */
  reference: string;
  reason: string | null;
  overdraft: boolean;
  at: Timestamp;
}

/** Append only: two for a transfer, with opposite signs. */
export interface BeanEntriesTable {
  transfer_id: bigint;
  account_id: bigint;
  amount: bigint;
  /** These two are null on accounts of the house. */
  balance_after: bigint | null;
  account_version: bigint | null;
}

/** Append only: transfers to `filter-revenue` that are not made yet. */
export interface BeanHoldsTable {
  id: Generated<bigint>;
  key: string;
  account_id: bigint;
  amount: bigint;
  reference: string;
  at: Timestamp;
}

/** Append only: a hold without a row here is open. */
export interface BeanHoldEndsTable {
  hold_id: bigint;
  /** What was posted of it. */
  amount: bigint;
  /** Null where nothing was. */
  transfer_id: bigint | null;
  at: Timestamp;
}

/** Append only: a person's newest row counts. Beans a UTC day; null: no cap. */
export interface BeanCapsTable {
  id: Generated<bigint>;
  user_id: bigint;
  /** From `from_at` on. */
  beans: bigint | null;
  /** Before that. */
  beans_until: bigint | null;
  from_at: Timestamp;
  asked_at: Timestamp;
}

/** Matches of a person that began with free seconds, on the newest UTC day that had any. */
export interface FreeMatchesTable {
  user_id: bigint;
  day: string;
  matches: number;
  /** The last of them, so that asking again for it counts once. */
  call_id: string;
}
