import type { Kysely } from "kysely";
import { expect } from "vitest";
import { checkLedger } from "#billing/ledger-check.ts";
import type { Database } from "#db/schema.ts";

/** For `afterEach` of every test that moves beans: whatever the test did, the ledger holds. */
export async function expectSoundLedger(db: Kysely<Database>): Promise<void> {
  const { findings } = await checkLedger(db);
  expect(findings.filter(({ breachCount }) => breachCount > 0)).toEqual([]);
}
