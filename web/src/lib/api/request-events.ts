import type { BanNotice, SessionEndReason } from "@fava/wire/codes.ts";

/** An outcome of a request that concerns more than its caller. `token`: the session that signed the request. */
export type RequestEvent =
  /** Code 404, or a signature that the server rejected (rule ERR-1). */
  | { type: "session-ended"; token: string; reason: SessionEndReason }
  /** Code 408 (rule ERR-2). */
  | { type: "banned"; token: string; notice: BanNotice }
  /** No response, or an invalid one: the toast "Server error" (rule ERR-3). */
  | { type: "server-error" }
  /** Plain HTTP on a remote address: no signing, no camera. */
  | { type: "insecure" };

const listeners = new Set<(event: RequestEvent) => void>();

export function onRequestEvent(listener: (event: RequestEvent) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function publishRequestEvent(event: RequestEvent): void {
  for (const listener of listeners) listener(event);
}
