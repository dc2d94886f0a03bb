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
  /** Of this process alone: what is signed is for one process. */
  nonces: Nonces;
  /** Null where this process does not look at the person. */
  take(frame: PeerFrame): Promise<FrameAnswer | null>;
}

/** Apart from the sessions, whose ids are no such word. */
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
 * Takes the pictures that came to other processes of the site and are looked at here (rule PEER-21). Checked before the
 * body is read: shapes 400, clock 460, signature 461, that it is for this process 403, nonce 462; then size 413, that
 * these bytes were signed 461, the query 400, and that the person is here 403.
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
        // Fastify hands no body over for a request that declares none.
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
  // The process that it was signed for has ended, and this one has its address.
  if ((asked as { to?: unknown }).to !== self) throw forbidden("not_in_room");
  const use = await nonces.use({ sessionId: nonceOwner, nonce, signedAtMs });
  if (use === "used") throw new EndpointError(codes.replayed, "the nonce was used before");
  if (use === "stale") throw clockOff();
  if (use === "full") throw unavailable(noncesFullSeconds);
}

function badSignature(): EndpointError {
  return new EndpointError(codes.badSignature, "the signature does not hold");
}
