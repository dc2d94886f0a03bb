import type { Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import type { CallContext } from "#http/context.ts";
import { type Random, randomId } from "#ports/random.ts";
import { recordLogin, type UserRow } from "./account-store.ts";
import type { SessionKeys } from "./session-keys.ts";
import * as store from "./store.ts";

/** A session ends after this long without a call (rule SIGNIN-75). */
export const sessionIdleMs = 30 * 86_400_000;
const userAgentLengthMax = 300;

/** What a sign-in answers; the routes turn it into the wire's fields. */
export interface SignedIn {
  user: UserRow;
  isNew: boolean;
  token: string;
  signKey: Buffer;
  chatSign: string;
}

/** How somebody comes in, whoever they have turned out to be. */
export interface Entrance {
  userId: bigint;
  at: Date;
  device: { source: 1 | 2; imei: string };
  context: CallContext;
  /** Undefined: these stay as they are. */
  avatarKey: string | undefined;
  countryId: number | undefined;
  role: number | undefined;
}

/** Opens the one session of a person, and answers the ids of those that it ends as `kicked`. */
export async function openSession(
  trx: Transaction<Database>,
  { keys, random }: { keys: SessionKeys; random: Random },
  entrance: Entrance,
): Promise<Omit<SignedIn, "isNew"> & { kicked: string[] }> {
  const { userId, at, device, context } = entrance;
  const userAgent = context.userAgent.slice(0, userAgentLengthMax);
  const user = await recordLogin(trx, userId, {
    at,
    ip: context.ip,
    deviceId: device.imei,
    userAgent,
    language: context.language,
    avatarKey: entrance.avatarKey,
    countryId: entrance.countryId,
    role: entrance.role,
  });
  const kicked = await store.endLiveSessions(trx, userId, { reason: "kicked", at });
  const sessionId = randomId(random);
  const token = randomId(random, 32);
  await store.insertSession(trx, {
    id: sessionId,
    user_id: userId,
    token_hash: keys.tokenHash(token),
    source: device.source,
    ip: context.ip,
    user_agent: userAgent,
    language: context.language,
    created_at: at,
    last_seen_at: at,
    expires_at: new Date(at.getTime() + sessionIdleMs),
  });
  const chatSign = keys.chatSign(user.external_id, sessionId, at.getTime());
  return { user, token, signKey: keys.signKey(sessionId), chatSign, kicked };
}
