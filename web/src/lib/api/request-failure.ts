/** Why there is no code of the server. */
export type SilentReason = "network" | "timeout" | "aborted" | "insecure" | "bad_answer";

/**
 * A failed request. `code` is a code of `@fava/wire/codes.ts`, or 0 without a response; `reason` is `data.reason` of
 * the response or a `SilentReason`. `message` is for logs, except with code 406, where it is the server's message for
 * the user.
 */
export class RequestFailure extends Error {
  override readonly name = "RequestFailure";
  readonly code: number;
  readonly reason: string;
  readonly data: unknown;

  constructor(failure: { code: number; reason: string; data?: unknown; message?: string | undefined }) {
    super(failure.message ?? `request failed: ${failure.code} ${failure.reason}`);
    this.code = failure.code;
    this.reason = failure.reason;
    this.data = failure.data;
  }
}

/** Ignores a failed request, which the request events report to the user. @throws any other error, which is a bug */
export function ignoreRequestFailure(error: unknown): undefined {
  if (!(error instanceof RequestFailure)) throw error;
}
