import type { SessionEndReason } from "@fava/wire/codes.ts";

/** A session that has just ended; `banned` is told to the person as a ban notice. */
export interface EndedSession {
  sessionId: string;
  userId: bigint;
  reason: SessionEndReason | "banned";
}
