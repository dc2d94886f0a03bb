import { connectionCheckMs, reconnectGiveUpMs } from "@fava/wire/limits.ts";
import type { MatchedPush } from "@fava/wire/pushes.ts";
import * as v from "valibot";
import { readStored, removeStored } from "#lib/storage.ts";

/** The call that this tab was in when its page went. */
interface KeptCall {
  readonly roomId: string;
  readonly nickname: string;
  readonly seenAtMs: number;
  /** With a friend who was rung, or has rung. */
  readonly fromRing: boolean;
}

const key = "keptCall";
/** Noted anew at every connection check, so that a crash is as fresh as a reload. */
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

/** Notes in which call this tab is, for the page that comes after this one. */
export function keepCall({ roomId, remote }: MatchedPush, fromRing = false): void {
  const kept: KeptCall = { roomId, nickname: remote.nickname, seenAtMs: Date.now(), fromRing };
  try {
    tabStore()?.setItem(key, JSON.stringify(kept));
  } catch {
    // Full, or refused in a private window: then the server alone knows of the call.
  }
}

/** The person has left the call, or it is over: nothing is there to go back to. */
export function forgetCall(): void {
  tabStore()?.removeItem(key);
  removeStored("roomId");
}

/** The call in which this tab was a moment ago; null otherwise. */
export function keptCall(): KeptCall | null {
  const read = v.safeParse(schema, tabStore()?.getItem(key) ?? null);
  return read.success && Date.now() - read.output.seenAtMs < freshMs ? read.output : null;
}

/** Whether some page of this browser was in a call, and has not said that it left it. */
export function mayHaveCall(): boolean {
  return keptCall() !== null || readStored("roomId") !== null;
}

/** Null where even reading the property throws, as with cookies switched off. */
function tabStore(): Storage | null {
  try {
    return globalThis.sessionStorage ?? null;
  } catch {
    return null;
  }
}
