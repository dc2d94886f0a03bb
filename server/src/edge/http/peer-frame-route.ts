import type { FastifyInstance, FastifyRequest } from "fastify";
import * as v from "valibot";
import { codes } from "@fava/wire/codes.ts";
import { identifierLengthMax, inspectedFrame, signatureWindowMs } from "@fava/wire/limits.ts";
import { badInput, EndpointError, forbidden, unavailable } from "#lib/errors.ts";
import { peerDigest, peerFramePath, peerHeaders, PeerSignatures } from "#lib/peer-signature.ts";
import type { Clock } from "#ports/clock.ts";
import type { Nonces } from "#ports/nonces.ts";
import type { FrameAnswer, PeerFrame } from "#ports/peer-frames.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import { shapedHeader, signedShapes } from "./request-gate.ts";

interface PeerFrameRouteOptions {
  self: ProcessId;
  serverSecret: string;
  clock: Clock;
  /** Local to this server: each request is signed for one server. */
  nonces: Nonces;
  /** Null where this server does not inspect the user. */
  take(frame: PeerFrame): Promise<FrameAnswer | null>;
}

/** Differs from all session ids. */
const nonceOwner = "peers";
const noncesFullSeconds = 60;
const noBody = Buffer.alloc(0);

const query = v.strictObject({
  to: v.string(),
  person: v.pipe(
    v.string(),
    v.regex(/^\d{1,18}$/),
    v.transform((text) => BigInt(text)),
  ),
  room: v.pipe(v.string(), v.maxLength(identifierLengthMax)),
  ticket: v.pipe(v.string(), v.minLength(1), v.maxLength(identifierLengthMax)),
});

/**
 * Receives frames that arrived at other servers for an inspection at this one. Checks before the body is read: header
 * formats 400, clock 460, signature 461, target server 403, nonce 462. Then: size 413, digest of the body 461, query
 * 400, presence of the user 403.
 */
export async function peerFrameRoute(app: FastifyInstance, options: PeerFrameRouteOptions): Promise<void> {
  const signatures = new PeerSignatures(options.serverSecret);
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    scope.post(
      peerFramePath,
      {
        bodyLimit: inspectedFrame.bytesMax,
        onRequest: (request) => admit(request, signatures, options),
      },
      async (request) => {
        // Fastify passes no body for a request that declares none.
        const bytes = (request.body as Buffer | undefined) ?? noBody;
        if (peerDigest(bytes) !== request.headers[peerHeaders.digest]) throw badSignature();
        const parsed = v.safeParse(query, request.query);
        if (!parsed.success) throw badInput("the query is malformed");
        const { person: userId, room: roomId, ticket } = parsed.output;
        const data = await options.take({ userId, roomId, ticket, bytes });
        if (!data) throw forbidden("not_in_room");
        request.answerCode = codes.ok;
        return { code: codes.ok, data };
      },
    );
  });
}

/** @throws EndpointError 400, 460, 461, 403, 462, 503. */
async function admit(
  { url: target, headers, query: asked }: Pick<FastifyRequest, "url" | "headers" | "query">,
  signatures: PeerSignatures,
  { self, clock, nonces }: PeerFrameRouteOptions,
): Promise<void> {
  const timestamp = shapedHeader(headers, peerHeaders.timestamp, signedShapes.timestamp);
  const nonce = shapedHeader(headers, peerHeaders.nonce, signedShapes.nonce);
  const digest = shapedHeader(headers, peerHeaders.digest, signedShapes.signature);
  const signature = shapedHeader(headers, peerHeaders.signature, signedShapes.signature);
  const signedAtMs = Number(timestamp);
  const clockOff = () => new EndpointError(codes.clockOff, "the clock is off", { server_time: clock.nowMs() });
  if (Math.abs(clock.nowMs() - signedAtMs) > signatureWindowMs) throw clockOff();
  if (!signatures.holds({ target, timestamp, nonce, digest }, signature)) throw badSignature();
  // The target server has ended, and this one has its address.
  if ((asked as { to?: unknown }).to !== self) throw forbidden("not_in_room");
  const use = await nonces.use({ sessionId: nonceOwner, nonce, signedAtMs });
  if (use === "used") throw new EndpointError(codes.replayed, "the nonce was used before");
  if (use === "stale") throw clockOff();
  if (use === "full") throw unavailable(noncesFullSeconds);
}

function badSignature(): EndpointError {
  return new EndpointError(codes.badSignature, "the signature is invalid");
}
