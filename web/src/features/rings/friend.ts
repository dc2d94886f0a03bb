import { ringMs } from "@fava/wire/limits.ts";
import { serverNowMs } from "#lib/api/server-clock.ts";

/** A person whom the user can ring, and who can ring them. */
export interface Friend {
  readonly userId: number;
  readonly externalId: string;
  readonly nickname: string;
  readonly avatar: string;
}

/** A friend who rings the user. */
export interface IncomingRing {
  readonly id: string;
  readonly friend: Friend;
}

const listeners = new Set<(friend: Friend) => void>();

/** Requests a call with a friend; the listener that starts calls handles it. */
export function callFriend(friend: Friend): void {
  for (const listener of listeners) listener(friend);
}

/** Calls the listener for every such request; returns how to unsubscribe. */
export function onFriendCalled(listener: (friend: Friend) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The remaining time of a ring, independent of the clock of this device. */
export function ringLeftMs(untilMs: number): number {
  return Math.min(Math.max(0, untilMs - serverNowMs()), ringMs);
}
