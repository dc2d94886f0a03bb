import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Ledger } from "./ledger.ts";

/** Gives a person beans as support would; false where the number is nobody's. */
export async function supportGift(
  parts: { db: Kysely<Database>; ledger: Ledger },
  gift: { userNo: string; beans: bigint },
): Promise<boolean> {
  const user = await parts.db.selectFrom("users").select("id").where("user_no", "=", gift.userNo).executeTakeFirst();
  if (!user) return false;
  await parts.ledger.post({
    key: `adjust:${randomUUID()}`,
    kind: "adjustment",
    from: { house: "adjustment" },
    to: { userId: user.id },
    amount: gift.beans,
    reference: gift.userNo,
    reason: "support",
  });
  return true;
}
