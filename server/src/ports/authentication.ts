import type { BanNotice, SessionEndReason } from "@fava/wire/codes.ts";
import type { LiveSession } from "./handlers.ts";

export type Authentication =
  | {
      kind: "live";
      session: LiveSession;
      /** Keys that may sign the session's requests, 32 bytes each. */
      signKeys: readonly Buffer[];
      /** Language of the texts that the server writes for the user. */
      language: string;
    }
  /** A token of an ended session; `signKeys` are those of that session, none for an unknown token. */
  | { kind: "ended"; reason: SessionEndReason; signKeys: readonly Buffer[] }
  | { kind: "banned"; notice: BanNotice }
  /** The appeal token of a ban. It gives access to a few endpoints, whose requests are signed with the public key. */
  | { kind: "appeal"; session: LiveSession; notice: BanNotice; language: string };

/** The session of a token. A token that was never issued is `ended` with reason `expired`. */
export type Authenticate = (token: string) => Promise<Authentication>;
