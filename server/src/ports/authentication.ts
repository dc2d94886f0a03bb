import type { BanNotice, SessionEndReason } from "@fava/wire/codes.ts";
import type { LiveSession } from "./handlers.ts";

/** What a session token turns out to be. */
export type Authentication =
  | {
      kind: "live";
      session: LiveSession;
      /** Key of the session's signed calls, 32 bytes. */
      signKey: Buffer;
      /** Language in which the server writes to the person. */
      language: string;
    }
  /** `signKey` is the key that its calls were signed with; null where nobody knows the token. */
  | { kind: "ended"; reason: SessionEndReason; signKey: Buffer | null }
  | { kind: "banned"; notice: BanNotice }
  /** The appeal token of a ban: opens a few calls, which are signed with the public key. */
  | { kind: "appeal"; session: LiveSession; notice: BanNotice; language: string };

/** Looks a token up; one that was never handed out is `ended` with reason `expired`. */
export type Authenticate = (token: string) => Promise<Authentication>;
