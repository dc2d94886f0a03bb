import { connectionCheckMs, reconnectGiveUpMs } from "@fava/wire/limits.ts";
import type { MatchedPush } from "@fava/wire/pushes.ts";
import * as v from "valibot";
import { readStored, removeStored } from "#lib/storage.ts";

/** The call that this tab was in when its page closed. */
interface StoredCall {
  readonly roomId: string;
  readonly nickname: string;
  readonly seenAtMs: number;
  /** The call came from a ring, of either side. */
  readonly fromRing: boolean;
}

const key = "keptCall";
/** Every connection check renews it, so that a crash leaves it as fresh as a reload does. */
const freshMs = connectionCheckMs + reconnectGiveUpMs;
const schema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    roomId: v.string(),
    nickname: v.string(),
    seenAtMs: v.number(),
    fromRing: v.optional(v.boolean(), false),
  }),
);

/** Stores the call of this tab for the next page. */
export function storeCall({ roomId, remote }: MatchedPush, fromRing = false): void {
  const kept: StoredCall = { roomId, nickname: remote.nickname, seenAtMs: Date.now(), fromRing };
  try {
    tabStore()?.setItem(key, JSON.stringify(kept));
  } catch {
    // Full, or denied in a private window: only the server knows the call then.
  }
}

/** The user left the call, or it is over: there is nothing to return to. */
export function removeStoredCall(): void {
  tabStore()?.removeItem(key);
  removeStored("roomId");
}

/** The call in which this tab was a moment ago; null if there is none. */
export function storedCall(): StoredCall | null {
  const read = v.safeParse(schema, tabStore()?.getItem(key) ?? null);
  return read.success && Date.now() - read.output.seenAtMs < freshMs ? read.output : null;
}

/** Whether a page of this browser was in a call and has not left it. */
export function mayHaveCall(): boolean {
  return storedCall() !== null || readStored("roomId") !== null;
}

/** Null where even reading the property throws, as with blocked cookies. */
function tabStore(): Storage | null {
  try {
    return globalThis.sessionStorage ?? null;
  } catch {
    return null;
  }
}
