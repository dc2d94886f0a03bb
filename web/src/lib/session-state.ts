import type { BanNotice, SessionEndReason } from "@fava/wire/codes.ts";
import type { OwnUser } from "@fava/wire/people.ts";

/** Who a stored session belongs to, before the server has confirmed it. */
export interface StoredPerson {
  userId: number;
  nickname: string;
  avatar: string;
}

/**
 * Who is signed in on this page (rule SIGNIN-1).
 *
 * anonymous: nobody; `because` says why a session ended, so that the page can tell.
 * signing-in: the login answer is stored, the person's data are on their way.
 * restoring: a session was found in the storage; the server has not confirmed it yet, or cannot be reached.
 * signed-in: confirmed; `user` is the server's answer, never the storage's.
 * kicked: the account was signed in elsewhere; ends when the person has read it.
 * banned: the account is banned; ends when the person has read it. `endedCall`: a call was going on.
 */
export type Session =
  | { status: "anonymous"; because: SessionEndReason | null }
  | { status: "signing-in"; token: string; person: StoredPerson }
  | { status: "restoring"; token: string; person: StoredPerson }
  | { status: "signed-in"; token: string; user: OwnUser }
  | { status: "kicked" }
  | { status: "banned"; notice: BanNotice; endedCall: boolean };

/** Token of a session that is alive or may be; null otherwise. */
export function tokenOf(session: Session): string | null {
  return "token" in session ? session.token : null;
}
