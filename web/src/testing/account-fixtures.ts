import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";

type AccountInfo = OutputOf<Endpoints["accountInfo"]>;
export type SignIn = AccountInfo["sessions"][number];
export type DataExport = OutputOf<Endpoints["userExport"]>;

const dayMs = 86_400_000;

/** The current sign-in, with changes. */
export function signIn(at: number, change: Partial<SignIn> = {}): SignIn {
  return {
    current: 1,
    source: 1,
    login_type: 1,
    browser: "Chrome",
    system: "Linux",
    country_name: "Brazil",
    at,
    ended_at: null,
    end_reason: null,
    ...change,
  };
}

/** An earlier sign-in, which ended a day later. */
export function endedSignIn(at: number, reason: SignIn["end_reason"], change: Partial<SignIn> = {}): SignIn {
  return signIn(at, { current: 0, ended_at: at + dayMs, end_reason: reason, ...change });
}

/** One sign-in, nothing bought and nothing lost, with changes. */
export function accountInfo(
  nowMs: number,
  change: { sessions?: readonly SignIn[]; deletion?: Partial<AccountInfo["deletion"]> } = {},
): AccountInfo {
  return {
    sessions: [...(change.sessions ?? [signIn(nowMs - 3_600_000)])],
    deletion: { refunds: [], beans_lost: 0, until: nowMs + 14 * dayMs, ...change.deletion },
  };
}

/** A copy of the data that can be downloaded for six more days. */
export function readyCopy(nowMs: number): DataExport {
  return {
    state: "ready",
    name: "fava-1048-1234.zip",
    size_bytes: 384_512,
    url: "/media/export/copy.zip",
    until: nowMs + 6 * dayMs,
  };
}

type PasskeyInfo = OutputOf<Endpoints["passkeyInfo"]>;

/** Two passkeys, one of them unused, and recovery codes. */
export function passkeyInfo(nowMs: number, codesLeft: number): PasskeyInfo {
  return {
    passkeys: [
      { id: "passkey-of-a-phone", browser: "Chrome", system: "Android", at: nowMs - 9 * dayMs, used_at: nowMs - dayMs },
      { id: "passkey-of-a-key", browser: "", system: "", at: nowMs - dayMs, used_at: null },
    ],
    codes_left: codesLeft,
  };
}

export const recoveryCodes: readonly string[] = Array.from(
  { length: 10 },
  (_, index) => `4k${index}m-x7qp-09d${index}-tz3v`,
);

/** What the browser needs to create a passkey. */
export const newPasskey: OutputOf<Endpoints["passkeyPrepare"]> = {
  challenge: "Y2hhbGxlbmdl",
  rp: { name: "Fava", id: "localhost" },
  user: { id: "YW5h", name: "12345678", displayName: "Ana" },
  pubKeyCredParams: [{ type: "public-key", alg: -7 }],
  timeout: 300_000,
  attestation: "none",
  excludeCredentials: [],
  authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
};
