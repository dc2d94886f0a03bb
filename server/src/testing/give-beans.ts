import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import { Ledger } from "#billing/ledger.ts";
import type { Database } from "#db/schema.ts";
import { TestClock } from "./clock.ts";

/** Beans for somebody of a test, as support would give them: they only come by purchase otherwise. */
export async function giveBeans(db: Kysely<Database>, userId: bigint, beans: bigint): Promise<void> {
  await new Ledger({ db, clock: new TestClock() }).post({
    key: `adjust:${randomUUID()}`,
    kind: "adjustment",
    from: { house: "adjustment" },
    to: { userId },
    amount: beans,
    reference: "test",
    reason: "support",
  });
}
