import type { BanNotice, SessionEndReason } from "@fava/wire/codes.ts";
import type { LiveSession } from "./context.ts";

/** What a session token turns out to be. */
export type Authentication =
  | {
      kind: "live";
      session: LiveSession;
      /** Key of the session's signed calls, 32 bytes. */
      signKey: Buffer;
    }
  | { kind: "ended"; reason: SessionEndReason }
  | { kind: "banned"; notice: BanNotice }
  /** The appeal token of a ban: opens a few calls, which are signed with the public key. */
  | { kind: "appeal"; session: LiveSession; notice: BanNotice };

/** Looks a token up; one that was never handed out is `ended` with reason `expired`. */
export type Authenticate = (token: string) => Promise<Authentication>;
