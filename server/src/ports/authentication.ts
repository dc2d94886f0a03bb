import type { BanNotice, SessionEndReason } from "@fava/wire/codes.ts";
import type { LiveSession } from "./handlers.ts";

export type Authentication =
  | {
      kind: "live";
      session: LiveSession;
      /** Key that signs the session's requests, 32 bytes. */
      signKey: Buffer;
      /** Language of the server's texts to the user. */
      language: string;
    }
  /** `signKey`: the key of the ended session; null for an unknown token. */
  | { kind: "ended"; reason: SessionEndReason; signKey: Buffer | null }
  | { kind: "banned"; notice: BanNotice }
  /** The appeal token of a ban: it opens a few endpoints, whose requests are signed with the public key. */
  | { kind: "appeal"; session: LiveSession; notice: BanNotice; language: string };

/** VideoInspections up a token; one that was never issued is `ended` with reason `expired`. */
export type Authenticate = (token: string) => Promise<Authentication>;
