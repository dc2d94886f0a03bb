import * as v from "valibot";
import { type BanNotice, codes, type SessionEndReason, unknownEndpointReason } from "@fava/wire/codes.ts";
import type { Endpoint, InputOf, OutputOf } from "@fava/wire/endpoint.ts";
import { requestTimeoutMs, signedAheadMsMax, smallRequestTimeoutMs } from "@fava/wire/limits.ts";
import { currentLanguage } from "#lib/i18n.ts";
import { probeServer, noteAnswer } from "#lib/socket/connection.ts";
import { readStored } from "#lib/storage.ts";
import { randomHex } from "./hex.ts";
import { publishRequestEvent } from "./request-events.ts";
import { RequestFailure, type SilentReason } from "./request-failure.ts";
import { correctServerClock, noteServerDate } from "./server-clock.ts";
import { appSignKey, signKeyOf } from "./sign-keys.ts";
import { signedHeaders } from "./sign.ts";

export interface RequestOptions {
  /** Aborts the request, which then rejects with reason `aborted`. */
  signal?: AbortSignal;
  timeoutMs?: number;
  /** No toast without a response: for requests that the user did not trigger. */
  quiet?: boolean;
  /** Lets the request outlive the page. */
  keepalive?: boolean;
  /** Signs for another session than the stored one, such as one that is ending, or for a ban by its appeal token. */
  token?: string;
  /** How the request is sent; by default `fetch`. */
  carry?: Carry;
  /**
   * A request that was signed ahead. If it equals this one and is still fresh, it leaves in this turn; otherwise this
   * one is signed now.
   */
  ahead?: SignedAhead | null;
}

/** A request that was signed before it is needed. */
export interface SignedAhead {
  /** Identifies the request: endpoint, fields, language and session. */
  readonly name: string;
  readonly form: FormBytes;
  readonly headers: Record<string, string>;
  /** When it was signed, by `performance.now()`, in milliseconds. */
  readonly signedAtMs: number;
}

/** Sends a signed request to the server and resolves to the JSON of the response; rejects as `fetch` does. */
export type Carry = (request: {
  path: string;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer>;
  signal: AbortSignal;
  keepalive: boolean;
}) => Promise<unknown>;

const envelopeSchema = v.object({ code: v.number(), data: v.optional(v.unknown()), msg: v.optional(v.string()) });
type Answer = v.InferOutput<typeof envelopeSchema>;

/**
 * Sends one request to an endpoint and resolves to the data of its response (rules SIGN-20, SIGN-22, SIGN-2).
 *
 * @throws RequestFailure for every other outcome. Publishes 404 and 408 as request events first, and a missing response
 * too, unless the request is quiet.
 */
export function request<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: RequestOptions = {},
): Promise<OutputOf<E>> {
  const { carry = carryByFetch, ahead = null } = options;
  const isAhead =
    ahead !== null && options.token === undefined && isFresh(ahead) && ahead.name === nameOf(endpoint, input as object);
  const form = isAhead ? ahead.form : formOf(input as object, null);
  return requestThrough(endpoint, { form, carry, headers: isAhead ? ahead.headers : null }, options);
}

/**
 * Signs a request ahead, so that it can leave in the turn that makes it (option `ahead`); null without a session that
 * can sign.
 */
export async function signAhead<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<SignedAhead | null> {
  const token = readStored("loginToken") ?? "";
  const key = "subtle" in crypto && !hasPublicKey(token) ? await signKeyOf(token) : null;
  if (!key) return null;
  const name = nameOf(endpoint, input as object);
  const form = formOf(input as object, null);
  const signedAtMs = performance.now();
  const headers = await signedHeaders({ path: endpoint.path, token, key, body: form.bytes });
  return { name, form, headers, signedAtMs };
}

function isFresh({ signedAtMs }: SignedAhead): boolean {
  return performance.now() - signedAtMs < signedAheadMsMax;
}

/** Two requests have the same name only if nothing that is signed differs. */
function nameOf({ path }: Endpoint, input: object): string {
  return JSON.stringify([path, readStored("loginToken"), currentLanguage(), ...Object.entries(input)]);
}

/** As `request`, for a given form and way of sending. */
export async function requestThrough<E extends Endpoint>(
  endpoint: E,
  sending: Sending,
  options: RequestOptions,
): Promise<OutputOf<E>> {
  const token = options.token ?? readStored("loginToken") ?? "";
  try {
    const answer = await answerOf(endpoint, sending, { ...options, token });
    if (answer.code !== codes.ok) throw failureOf(answer);
    const output = v.safeParse(endpoint.output, answer.data);
    if (output.success) return output.output;
    throw new RequestFailure({
      code: 0,
      reason: "bad_answer",
      message: `${endpoint.path}: ${output.issues[0].message}`,
    });
  } catch (error) {
    if (error instanceof RequestFailure) publish(error, token, options.quiet ?? false);
    throw error;
  }
}

export interface Sending {
  form: FormBytes;
  carry: Carry;
  /** Headers of a request that was signed ahead: used for the first attempt only. */
  headers?: Record<string, string> | null;
}

/** As `request`, for requests in the background: with a timeout of 10 s by default, and quiet. */
export function smallRequest<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: RequestOptions = {},
): Promise<OutputOf<E>> {
  return request(endpoint, input, { timeoutMs: smallRequestTimeoutMs, quiet: true, ...options });
}

/** One attempt, and a second one after the clock was corrected (460) or the nonce was rejected as used (462). */
async function answerOf(
  endpoint: Endpoint,
  sending: Sending,
  options: RequestOptions & { token: string },
): Promise<Answer> {
  const first = await send(endpoint, sending, options);
  if (first.code !== codes.clockOff && first.code !== codes.replayed) return first;
  const clock = v.safeParse(v.object({ server_time: v.number() }), first.data);
  if (clock.success) correctServerClock(clock.output.server_time);
  return send(endpoint, { ...sending, headers: null }, options);
}

async function send(
  endpoint: Endpoint,
  { form, carry, headers: ahead = null }: Sending,
  options: RequestOptions & { token: string },
): Promise<Answer> {
  const headers = ahead ?? (await signedNow(endpoint, form, options.token));
  const timeout = AbortSignal.timeout(options.timeoutMs ?? requestTimeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  try {
    const answer = await carry({
      path: endpoint.path,
      headers: { ...headers, "content-type": form.contentType },
      body: form.bytes,
      signal,
      keepalive: options.keepalive ?? false,
    });
    const envelope = v.parse(envelopeSchema, answer);
    noteAnswer();
    return envelope;
  } catch (error) {
    const reason = silentReason(error, options.signal);
    if (reason !== "aborted") void probeServer();
    throw new RequestFailure({ code: 0, reason, message: String(error) });
  }
}

/** @throws RequestFailure if the page may not sign, or has lost its key */
async function signedNow({ path }: Endpoint, form: FormBytes, token: string): Promise<Record<string, string>> {
  // TypeScript assumes that `crypto.subtle` exists; on plain HTTP it does not.
  if (!("subtle" in crypto)) throw new RequestFailure({ code: 0, reason: "insecure" });
  const key = hasPublicKey(token) ? await appSignKey() : await signKeyOf(token);
  // The token outlived its key, for instance because the browser deleted its databases.
  if (!key) throw new RequestFailure({ code: codes.noSession, reason: "expired", data: { reason: "expired" } });
  return signedHeaders({ path, token, key, body: form.bytes });
}

/**
 * Whether requests with this token are signed with the public app key: before sign-in, and with the token of an appeal.
 * Only the latter contains a dot.
 */
function hasPublicKey(token: string): boolean {
  return token === "" || token.includes(".");
}

/** The default way to send a request; also adjusts the server clock. */
export async function carryByFetch({ path, ...request }: Parameters<Carry>[0]): Promise<unknown> {
  const askedAtMs = performance.now();
  const response = await fetch(path, { method: "POST", ...request });
  noteServerDate(response.headers.get("date"), performance.now() - askedAtMs);
  return response.json();
}

function silentReason(error: unknown, signal: AbortSignal | undefined): SilentReason {
  if (signal?.aborted) return "aborted";
  if (error instanceof DOMException && error.name === "TimeoutError") return "timeout";
  return error instanceof TypeError ? "network" : "bad_answer";
}

/** The multipart form of a request: its fields, the language, and a file if there is one. */
export function formOf(input: object, file: FormFile | null): FormBytes {
  const fields: (readonly [string, string])[] = [];
  for (const [name, value] of Object.entries(input)) if (value !== undefined) fields.push([name, String(value)]);
  fields.push(["language", currentLanguage()]);
  return multipartBytes(fields, `b${randomHex(32)}`, file);
}

function failureOf(answer: Answer): RequestFailure {
  const reason = v.safeParse(v.object({ reason: v.string() }), answer.data);
  return new RequestFailure({
    code: answer.code,
    reason: reason.success ? reason.output.reason : "",
    data: answer.data,
    message: answer.msg,
  });
}

function publish(failure: RequestFailure, token: string, quiet: boolean): void {
  if (failure.code === codes.banned) publishRequestEvent({ type: "banned", token, notice: failure.data as BanNotice });
  // A page that is newer or older than the server requests unknown endpoints; that must not sign the user out.
  else if (failure.code === codes.noSession && failure.reason === unknownEndpointReason) return;
  else if (failure.code === codes.noSession || (failure.code === codes.badSignature && token !== ""))
    publishRequestEvent({ type: "session-ended", token, reason: endReason(failure.reason) });
  else if (failure.reason === "insecure") publishRequestEvent({ type: "insecure" });
  else if (isSilence(failure) && !quiet) publishRequestEvent({ type: "server-error" });
}

function isSilence(failure: RequestFailure): boolean {
  return (failure.code === 0 && failure.reason !== "aborted") || failure.code >= codes.serverError;
}

function endReason(reason: string): SessionEndReason {
  return reason === "kicked" || reason === "deleted" || reason === "signed_out" ? reason : "expired";
}

/**
 * The bytes of a multipart form, built here because exactly these bytes are hashed and sent. A form of the browser
 * normalizes line breaks and lone surrogates, so that the sent bytes would differ from the signed ones.
 */
export interface FormBytes {
  contentType: string;
  bytes: Uint8Array<ArrayBuffer>;
}

export interface FormFile {
  field: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** `boundary` must not occur in a value; a random one of 32 digits does not. Field names are plain ASCII. */
export function multipartBytes(
  fields: readonly (readonly [name: string, value: string])[],
  boundary: string,
  file: FormFile | null = null,
): FormBytes {
  const encoder = new TextEncoder();
  const parts = fields.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const contentType = `multipart/form-data; boundary=${boundary}`;
  if (!file) return { contentType, bytes: encoder.encode(`${parts.join("")}--${boundary}--\r\n`) };
  // The real file name is private, so the form always sends the same one.
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${file.field}"; filename="f"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  return {
    contentType,
    bytes: joined([encoder.encode(parts.join("") + head), file.bytes, encoder.encode(`\r\n--${boundary}--\r\n`)]),
  };
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}
