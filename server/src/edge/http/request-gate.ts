import { createHmac, hash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance } from "fastify";
import * as v from "valibot";
import { codes } from "@fava/wire/codes.ts";
import type { Access, Endpoint } from "@fava/wire/endpoint.ts";
import { type Endpoints, endpoints } from "@fava/wire/endpoints.ts";
import { signatureWindowMs, signNonceHexLength } from "@fava/wire/limits.ts";
import { roles } from "@fava/wire/people.ts";
import { signingHeaders, stringToSign } from "@fava/wire/signing.ts";
import { badInput, EndpointError, forbidden, noSession, slowDown } from "#lib/errors.ts";
import type { Authenticate, Authentication } from "#ports/authentication.ts";
import type { Clock } from "#ports/clock.ts";
import type { RequestContext, FileContext, Handlers, LiveSession } from "#ports/handlers.ts";
import type { Nonces } from "#ports/nonces.ts";
import type { Limits } from "#ports/rate-limits.ts";
import { readForm, shortened } from "./form.ts";
import { limitAddress, limitCaller, limitInput } from "./request-limits.ts";

interface GateOptions {
  authenticate: Authenticate;
  /** Called when the upload of an inspected frame fails with 503 before its user is known. */
  frameFailed?: () => void;
  followLanguage: (userId: bigint, language: string) => Promise<void>;
  /** Called with the address of each signed request of a session. */
  sawAddress: (session: LiveSession, ip: string) => Promise<void>;
  clock: Clock;
  limits: Limits;
  nonces: Nonces;
  /** Public key for requests without a session. */
  appKey: string;
  /** Languages with a catalog; any other becomes `en`. */
  languages: readonly string[];
}

interface SentRequest {
  readonly body: Buffer;
  readonly contentType: string | undefined;
  readonly userAgent: string | undefined;
  /** Null over the chat socket. */
  readonly origin: string | null;
  /** Owner of the chat session that carried the request; null for a POST. */
  readonly chatUserId: bigint | null;
  /** Language of a refusal, set as soon as it is known. */
  readonly told: { language: string };
}

/** `keys`: one of them must have signed the request. */
interface Admission {
  ip: string;
  signed: SignedHeaders;
  session: LiveSession | null;
  keys: readonly Buffer[];
  /** Null without a session. */
  language: string | null;
}

interface CheckedRequest {
  /** Contains the file for endpoints with a file part. */
  context: RequestContext | (RequestContext & FileContext);
  input: unknown;
}

const userAgentLengthMax = 512;
const noncesFullSeconds = 60;
const noBody = Buffer.alloc(0);

/**
 * Checks a request. Before the body is read: address limit 429, header formats 400, clock 460, session 404 and 408,
 * then size 413. Then: signature 461, nonce 462, limits 429, owner of the socket 403, role and profile 403, form and
 * schema 400, own user id 403 (rules SIGN-10, SIGN-60).
 */
export class RequestGate {
  readonly #name: keyof Endpoints;
  readonly #endpoint: Endpoint;
  readonly #options: GateOptions;
  readonly #publicKey: Buffer;
  readonly #languages: ReadonlySet<string>;

  constructor(name: keyof Endpoints, endpoint: Endpoint, options: GateOptions) {
    this.#name = name;
    this.#endpoint = endpoint;
    this.#options = options;
    this.#publicKey = Buffer.from(options.appKey, "utf8");
    this.#languages = new Set(options.languages);
  }

  /** @throws EndpointError 429, 400, 460, 404, 408. */
  async admit(ip: string, sent: SentFields): Promise<Admission> {
    await limitAddress(this.#options.limits, this.#name, ip);
    const signed = readSignedHeaders(sent);
    if (Math.abs(this.#options.clock.nowMs() - signedAtMs(signed)) > signatureWindowMs) throw this.#clockOff();
    if (signed.token !== "") return { ip, signed, ...this.#callerOf(await this.#authenticate(signed.token)) };
    if (this.#endpoint.access !== "public") throw noSession("expired");
    return { ip, signed, ...this.#visitor([]) };
  }

  /** @throws EndpointError 461, 462, 429, 403, 400, and 413 for a file only. */
  async check(admission: Admission, sent: SentRequest): Promise<CheckedRequest> {
    const { limits } = this.#options;
    const { ip, signed, session, keys } = admission;
    const { body, contentType, chatUserId, told } = sent;
    if (!keys.some((key) => signatureHolds(signed, this.#endpoint.path, { key, body }))) {
      throw new EndpointError(codes.badSignature, "the signature is invalid");
    }
    await this.#useNonce(session, signed);
    if (session) await this.#options.sawAddress(session, ip);
    const userAgent = (sent.userAgent ?? "").slice(0, userAgentLengthMax);
    const over = chatUserId === null ? {} : ({ isOverChat: true } as const);
    const from = sent.origin === null ? {} : { origin: sent.origin };
    const context: RequestContext = { session, ip, userAgent, language: told.language, ...from, ...over };
    await limitCaller(limits, this.#name, context);
    // Read before the role check, because that refusal uses the language of the form as well.
    const form = await readForm(body, contentType, this.#endpoint.file).catch((error: Error) => error);
    const named = form instanceof Error ? undefined : form.fields["language"];
    const language =
      named !== undefined && this.#languages.has(named) ? named : (admission.language ?? context.language);
    told.language = context.language = language;
    if (chatUserId !== null && session?.userId !== chatUserId) throw forbidden("not_yours");
    if (session) requireAccess(this.#endpoint.access, session);
    if (form instanceof Error) throw form;
    const { fields, file } = form;
    const input = parseInput(this.#endpoint, fields);
    if (session) requireOwnUser(input, session);
    await limitInput(limits, this.#name, { input, context });
    // The user's language is the last one that a request named.
    if (session && language !== admission.language) await this.#options.followLanguage(session.userId, language);
    return { context: file ? { ...context, file } : context, input };
  }

  async #authenticate(token: string): Promise<Authentication> {
    try {
      return await this.#options.authenticate(token);
    } catch (error) {
      if (this.#name === "videoInspect") this.#options.frameFailed?.();
      throw error;
    }
  }

  #callerOf(authentication: Authentication): Pick<Admission, "session" | "keys" | "language"> {
    switch (authentication.kind) {
      case "live": {
        const { session, signKeys, language } = authentication;
        return { session, keys: signKeys, language };
      }
      case "appeal": {
        const { session, notice, language } = authentication;
        if (!this.#endpoint.appeal) throw new EndpointError(codes.banned, "banned", notice);
        return { session, keys: [this.#publicKey], language };
      }
      case "ended":
        // A user with an ended session is a visitor: a public endpoint needs no session.
        if (this.#endpoint.access === "public") return this.#visitor(authentication.signKeys);
        throw noSession(authentication.reason);
      case "banned":
        throw new EndpointError(codes.banned, "banned", authentication.notice);
    }
  }

  #visitor(furtherKeys: readonly Buffer[]): Pick<Admission, "session" | "keys" | "language"> {
    return { session: null, keys: [this.#publicKey, ...furtherKeys], language: null };
  }

  async #useNonce(session: LiveSession | null, signed: SignedHeaders): Promise<void> {
    const call = { sessionId: session?.id ?? "", nonce: signed.nonce, signedAtMs: signedAtMs(signed) };
    const use = await this.#options.nonces.use(call);
    if (use === "used") throw new EndpointError(codes.replayed, "the nonce was used before");
    // The client signs again with our time.
    if (use === "stale") throw this.#clockOff();
    const { isRead, opensOnce } = this.#endpoint;
    if (use === "full" && !isRead && !opensOnce) throw slowDown(noncesFullSeconds);
  }

  #clockOff(): EndpointError {
    return new EndpointError(codes.clockOff, "the clock is off", { server_time: this.#options.clock.nowMs() });
  }
}

function requireAccess(access: Access, session: LiveSession): void {
  switch (access) {
    case "public":
    case "user":
      return;
    case "complete":
      if (!session.profileComplete) throw forbidden("profile_incomplete");
      return;
    case "moderator":
      if (session.role < roles.moderator) throw forbidden("role");
      return;
    case "admin":
      if (session.role < roles.administrator) throw forbidden("role");
      return;
  }
}

function parseInput(endpoint: Endpoint, form: Record<string, string>): unknown {
  const parsed = v.safeParse(endpoint.input, form, { abortEarly: true });
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const field = issue.path?.[0]?.key;
  throw badInput(faultOf(issue), typeof field === "string" ? shortened(field) : undefined);
}

/** Our own wording: the validator's messages are no part of the contract, and quote the input. */
function faultOf(issue: v.BaseIssue<unknown>): string {
  if (issue.type !== "strict_object") return "a field is malformed";
  return issue.expected === "never" ? "a field is unknown" : "a field is missing";
}

/** A `user_id` or `userId` in the input must be the session's own user (rule SIGN-13). */
function requireOwnUser(input: unknown, session: LiveSession): void {
  const { user_id, userId } = input as { user_id?: unknown; userId?: unknown };
  for (const named of [user_id, userId]) {
    if (named !== undefined && named !== Number(session.userId)) throw forbidden("not_yours");
  }
}

interface SignedHeaders {
  timestamp: string;
  nonce: string;
  signature: string;
  token: string;
}

export const signedShapes = {
  timestamp: /^\d{13}$/,
  nonce: new RegExp(`^[0-9a-f]{${signNonceHexLength}}$`),
  signature: /^[0-9a-f]{64}$/,
} as const;
const tokenShape = /^[\w.~+/=-]{0,256}$/;

function signedAtMs({ timestamp }: SignedHeaders): number {
  return Number(timestamp);
}

/** Headers of a POST, or the equal fields of a message. */
type SentFields = Readonly<Record<string, unknown>>;

/** @throws EndpointError 400 with the header as its field. */
function readSignedHeaders(sent: SentFields): SignedHeaders {
  return {
    timestamp: shapedHeader(sent, signingHeaders.timestamp, signedShapes.timestamp),
    nonce: shapedHeader(sent, signingHeaders.nonce, signedShapes.nonce),
    signature: shapedHeader(sent, signingHeaders.signature, signedShapes.signature),
    token: sent[signingHeaders.token] === undefined ? "" : shapedHeader(sent, signingHeaders.token, tokenShape),
  };
}

/** @throws EndpointError 400 with the header as its field. */
export function shapedHeader(sent: SentFields, name: string, shape: RegExp): string {
  const value = sent[name];
  if (typeof value === "string" && shape.test(value)) return value;
  throw badInput(`the header ${name} is missing or malformed`, name);
}

/** Whether the key signed exactly these bytes (rule SIGN-1). */
function signatureHolds(signed: SignedHeaders, path: string, secret: { key: Buffer; body: Buffer }): boolean {
  const text = stringToSign({
    method: "POST",
    path,
    timestamp: signed.timestamp,
    nonce: signed.nonce,
    token: signed.token,
    bodySha256Hex: hash("sha256", secret.body, "hex"),
  });
  const expected = createHmac("sha256", secret.key).update(text).digest();
  return timingSafeEqual(expected, Buffer.from(signed.signature, "hex"));
}

export interface RequestGateOptions extends GateOptions {
  handlers: Handlers;
}

type AnyHandler = (context: unknown, input: unknown) => Promise<unknown>;

export interface GatedEndpoint {
  readonly endpoint: Endpoint;
  readonly gate: RequestGate;
  readonly handler: AnyHandler;
}

export function gateEndpoints(options: RequestGateOptions): readonly GatedEndpoint[] {
  return (Object.keys(endpoints) as (keyof Endpoints)[]).map((name) => ({
    endpoint: endpoints[name],
    gate: new RequestGate(name, endpoints[name], options),
    // The types of each handler follow from its record, which a loop over all cannot express.
    handler: options.handlers[name] as AnyHandler,
  }));
}

export async function registerEndpoints(app: FastifyInstance, gated: readonly GatedEndpoint[]): Promise<void> {
  await app.register(async (scope) => {
    // The signature covers the raw bytes, so they are parsed only after its check.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    for (const one of gated) registerEndpoint(scope, one);
  });
}

function registerEndpoint(scope: FastifyInstance, { endpoint, gate, handler }: GatedEndpoint): void {
  scope.post(
    endpoint.path,
    {
      bodyLimit: endpoint.bodyBytesMax,
      onRequest: async (request) => {
        request.admission = await gate.admit(request.ip, request.headers);
      },
    },
    async (request) => {
      if (!request.admission) throw new Error("a request reached its handler without a check");
      const { "content-type": contentType, "user-agent": userAgent } = request.headers;
      // Fastify passes no body for a request that declares none.
      const body = (request.body as Buffer | undefined) ?? noBody;
      const origin = `${request.protocol}://${request.host}`;
      const sent = { body, contentType, userAgent, origin, chatUserId: null, told: request };
      const { context, input } = await gate.check(request.admission, sent);
      const data = await handler(context, input);
      request.answerCode = codes.ok;
      return { code: codes.ok, data };
    },
  );
}

declare module "fastify" {
  interface FastifyRequest {
    /** Code of the response envelope; 0 where the response has none. */
    answerCode: number;
    admission: Admission | null;
    /** Set once the form was read: one of the catalogs, `en` where unknown. */
    language: string;
  }
}

export function decorateRequests(app: FastifyInstance): void {
  app.decorateRequest("answerCode", 0);
  app.decorateRequest("admission", null);
  app.decorateRequest("language", "en");
}
