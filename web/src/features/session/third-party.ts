import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { loginPrepare } from "@fava/wire/endpoints/session.ts";
import type { LoginType } from "@fava/wire/people.ts";

/** The result of a provider's sign-in; login is rejected without id and token (rule SIGNIN-9). */
export interface ThirdPartySignIn {
  login_type: LoginType;
  third_party_id: string;
  third_party_token: string;
  nickname: string;
  avatar: string;
}

export type Preparation = OutputOf<typeof loginPrepare>;
export type ThirdPartyProvider = Preparation["providers"][number];

/** The sign-in failed. `cancelled` needs no message, because the user closed the window. */
export class SignInError extends Error {
  override readonly name = "SignInError";
  readonly reason: "cancelled" | "blocked" | "failed";
  constructor(reason: "cancelled" | "blocked" | "failed", cause?: unknown) {
    super(`sign-in ${reason}`, { cause });
    this.reason = reason;
  }
}

/** The claims of an ID token, read for display only; the server alone verifies them. */
export function readClaims(idToken: string): Readonly<Record<string, unknown>> {
  const payload = idToken.split(".")[1] ?? "";
  try {
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, "+").replace(/_/g, "/")), (letter) =>
      letter.charCodeAt(0),
    );
    return JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
  } catch (cause) {
    throw new SignInError("failed", cause);
  }
}

export function claimText(claims: Readonly<Record<string, unknown>>, name: string): string {
  const value = claims[name];
  return typeof value === "string" ? value : "";
}
