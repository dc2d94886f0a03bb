import { ringMs } from "@fava/wire/limits.ts";
import { serverNowMs } from "#lib/api/server-clock.ts";

/** Somebody whom this person can ring, and who can ring them. */
export interface Friend {
  readonly userId: number;
  readonly externalId: string;
  readonly nickname: string;
  readonly avatar: string;
}

/** A friend who rings this person. */
export interface IncomingRing {
  readonly id: string;
  readonly friend: Friend;
}

const listeners = new Set<(friend: Friend) => void>();

/** Asks for a call with a friend; whoever owns the start of a call takes it from here. */
export function callFriend(friend: Friend): void {
  for (const listener of listeners) listener(friend);
}

/** Hears of every such press, until the answer is called. */
export function onFriendCalled(listener: (friend: Friend) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** How much longer a ring may last, however wrong the clock of this device is. */
export function ringLeftMs(untilMs: number): number {
  return Math.min(Math.max(0, untilMs - serverNowMs()), ringMs);
}
