import type { BanNotice, SessionEndReason } from "@fava/wire/codes.ts";
import type { LiveSession } from "#http/context.ts";

/** The session behind a valid token, with the key of its signed calls (32 bytes). */
export interface AuthenticatedSession extends LiveSession {
  signKey: Buffer;
}

/** What a token turns out to be. */
export type Authentication = AuthenticatedSession | { ended: SessionEndReason } | { banned: BanNotice };

/** A session that has just ended; `banned` is told to the person as a ban notice. */
export interface EndedSession {
  sessionId: string;
  userId: bigint;
  reason: SessionEndReason | "banned";
}
