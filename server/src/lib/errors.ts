import { type Code, codes, type ForbiddenReason, type RefusedReason, type SessionEndReason } from "@fava/wire/codes.ts";

/**
 * An expected refusal of a request: becomes `{code, data, msg}` at the edge. `data` is machine readable; `message` is for
 * developers and never shown: what a person reads, the edge takes out of the catalogs by the reason.
 */
export class EndpointError extends Error {
  override readonly name = "EndpointError";
  readonly code: Code;
  readonly data: unknown;
  constructor(code: Code, message: string, data: unknown = null) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export function badInput(message: string, field?: string): EndpointError {
  return new EndpointError(codes.badInput, message, field === undefined ? null : { field });
}

export function forbidden(reason: ForbiddenReason, data: Record<string, unknown> = {}): EndpointError {
  return new EndpointError(codes.forbidden, reason, { reason, ...data });
}

/** Code 406: the person did nothing wrong in form, and reads why it cannot be. */
export function refused(reason: RefusedReason, data: Record<string, unknown> = {}): EndpointError {
  return new EndpointError(codes.refused, reason, { reason, ...data });
}

/** Code 429, which always says after how many seconds it is of use to ask again (rule GUARD-21). */
export function slowDown(retryAfterSeconds: number, message = "too many calls"): EndpointError {
  return new EndpointError(codes.slowDown, message, { retry_after: retryAfterSeconds });
}

/** Code 503, which says as code 429 does when it is of use to ask again. */
export function unavailable(retryAfterSeconds: number): EndpointError {
  return new EndpointError(codes.unavailable, "unavailable at present", { retry_after: retryAfterSeconds });
}

export function noSession(reason: SessionEndReason): EndpointError {
  return new EndpointError(codes.noSession, reason, { reason });
}
