import { type Code, codes, type ForbiddenReason, type RefusedReason, type SessionEndReason } from "@fava/wire/codes.ts";

/** An expected refusal. `message` is for developers; users read a text of the catalogs. */
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

/** Code 406: the input was well-formed but is refused for a reason that the user reads. */
export function refused(reason: RefusedReason, data: Record<string, unknown> = {}): EndpointError {
  return new EndpointError(codes.refused, reason, { reason, ...data });
}

/** Code 429 with the seconds until a retry (rule GUARD-21). */
export function slowDown(retryAfterSeconds: number, message = "too many requests"): EndpointError {
  return new EndpointError(codes.slowDown, message, { retry_after: retryAfterSeconds });
}

export function unavailable(retryAfterSeconds: number): EndpointError {
  return new EndpointError(codes.unavailable, "temporarily unavailable", { retry_after: retryAfterSeconds });
}

export function noSession(reason: SessionEndReason): EndpointError {
  return new EndpointError(codes.noSession, reason, { reason });
}
