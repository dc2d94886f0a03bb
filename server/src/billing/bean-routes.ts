import { badInput } from "#lib/errors.ts";
import type { Handlers, SignedInContext } from "#ports/handlers.ts";
import type { Clock } from "#ports/clock.ts";
import type { IsStoppedByAge } from "./purchases.ts";
import { readStatement } from "./statement.ts";
import { requestCap, readCap, readWallet, type WalletParts, wireCap } from "./wallet.ts";

export function beanHandlers(
  parts: WalletParts & { clock: Clock; isStoppedByAge: IsStoppedByAge },
): Pick<Handlers, "beanWallet" | "beanCap" | "beanStatement"> {
  const { db, clock, isStoppedByAge } = parts;
  const now = () => new Date(clock.nowMs());
  return {
    beanWallet: async (context, input) => readWallet(parts, selfId(context, input.user_id), now()),
    beanCap: async (context, input) => {
      const userId = selfId(context, input.user_id);
      await requestCap(db, userId, { beans: input.beans === -1 ? null : BigInt(input.beans), now: now() });
      parts.ledger.announce(userId);
      return wireCap(await readCap(db, userId, now()));
    },
    beanStatement: async (context, input) => {
      const userId = selfId(context, input.user_id);
      const before = input.cursor === undefined ? null : parseCursor(input.cursor);
      const isStopped = await isStoppedByAge(userId);
      return readStatement(db, { userId, filter: input.filter, before, now: now(), isStopped });
    },
  };
}

function selfId({ session }: SignedInContext, userId: number): bigint {
  if (BigInt(userId) !== session.userId) throw badInput("user_id is not the caller", "user_id");
  return session.userId;
}

function parseCursor(cursor: string): bigint {
  if (!/^[1-9]\d{0,17}$/.test(cursor)) throw badInput("invalid cursor", "cursor");
  return BigInt(cursor);
}
