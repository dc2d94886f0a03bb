import type { OutputOf } from "@fava/wire/endpoint.ts";
import { appealStatus } from "@fava/wire/endpoints/appeals.ts";
import { codes } from "@fava/wire/codes.ts";
import { call } from "#lib/api/call.ts";
import { CallFailure } from "#lib/api/call-failure.ts";

export type AppealStatus = OutputOf<typeof appealStatus>;

/** What the server said to a token. `none`: it belongs to no ban. */
export type AppealAnswer = AppealStatus | "none" | "failed";

/** `none`: the address holds no token of a ban. */
export type AppealState =
  | { readonly kind: "loading" }
  | { readonly kind: "none" }
  | { readonly kind: "failed" }
  | { readonly kind: "ready"; readonly token: string; readonly status: AppealStatus };

/** Asks for the ban that a token is for, and its appeal; null where the question was taken back. */
export async function loadAppeal(token: string, signal: AbortSignal): Promise<AppealAnswer | null> {
  try {
    return await call(appealStatus, { appeal_token: token }, { token: "", quiet: true, signal });
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    if (error.reason === "aborted") return null;
    return error.code === codes.badInput ? "none" : "failed";
  }
}

/** What the page shows. An answer to another token than that of the address says nothing. */
export function appealState(
  token: string | null,
  answered: { readonly token: string; readonly answer: AppealAnswer } | null,
): AppealState {
  if (token === null) return { kind: "none" };
  if (answered?.token !== token) return { kind: "loading" };
  const { answer } = answered;
  return typeof answer === "string" ? { kind: answer } : { kind: "ready", token, status: answer };
}
