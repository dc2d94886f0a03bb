import * as v from "valibot";
import { type Code, codes } from "@fava/wire/codes.ts";
import { inspectionLateMs, signNonceHexLength } from "@fava/wire/limits.ts";
import { type BoundedAnswer, fetchBounded } from "#adapters/identity/bounded-fetch.ts";
import { peerDigest, peerFramePath, peerHeaders, PeerSignatures } from "#lib/peer-signature.ts";
import type { Clock } from "#ports/clock.ts";
import type { FrameAnswer, PeerFrame, PeerFrames, PeerPlace } from "#ports/peer-frames.ts";
import { NobodyThereError, PeerFailedError, PeerSilentError } from "#ports/peers.ts";
import type { Random } from "#ports/random.ts";

interface HttpPeerFramesOptions {
  serverSecret: string;
  clock: Clock;
  random: Random;
  /** Timeout of the whole request; the page's ticket expires anyway. */
  timeoutMs?: number;
  /** Each pending frame stays in memory: a suspended server must not exhaust the memory of the others. */
  passedAtOnceMax?: number;
}

const passedAtOnceDefault = 500;
const answerBytesMax = 16_384;

const envelope = v.object({
  code: v.number(),
  data: v.unknown(),
});
const answered = v.variant("kind", [
  v.object({ kind: v.literal("taken") }),
  v.object({ kind: v.literal("refused"), code: v.number(), message: v.string(), data: v.unknown() }),
]);

/** Sends frames in signed requests to the server that inspects their user (rule PEER-21). */
export class HttpPeerFrames implements PeerFrames {
  readonly #options: HttpPeerFramesOptions;
  readonly #signatures: PeerSignatures;
  #passedAtOnce = 0;

  constructor(options: HttpPeerFramesOptions) {
    this.#options = options;
    this.#signatures = new PeerSignatures(options.serverSecret);
  }

  async pass(place: PeerPlace, frame: PeerFrame): Promise<FrameAnswer> {
    const { passedAtOnceMax = passedAtOnceDefault } = this.#options;
    if (this.#passedAtOnce >= passedAtOnceMax) throw new PeerSilentError("too many frames are in transit");
    this.#passedAtOnce += 1;
    try {
      return readAnswer(await this.#send(place, frame));
    } finally {
      this.#passedAtOnce -= 1;
    }
  }

  async #send({ process, url }: PeerPlace, { userId, roomId, ticket, bytes }: PeerFrame): Promise<BoundedAnswer> {
    const { clock, random, timeoutMs = inspectionLateMs } = this.#options;
    const query = new URLSearchParams({ to: process, person: String(userId), room: roomId, ticket });
    const target = `${peerFramePath}?${query.toString()}`;
    const request = {
      target,
      timestamp: String(clock.nowMs()),
      nonce: random.bytes(signNonceHexLength / 2).toString("hex"),
      digest: peerDigest(bytes),
    };
    const headers = {
      "content-type": "image/jpeg",
      [peerHeaders.timestamp]: request.timestamp,
      [peerHeaders.nonce]: request.nonce,
      [peerHeaders.digest]: request.digest,
      [peerHeaders.signature]: this.#signatures.of(request),
    };
    const post = { body: new Uint8Array(bytes), headers };
    try {
      return await fetchBounded(new URL(target, url), { timeoutMs, bytesMax: answerBytesMax }, post);
    } catch (error) {
      throw new PeerSilentError(`${url} did not answer`, { cause: error });
    }
  }
}

/** A refusal by the route, not by the inspection, is identified by its code only. */
function readAnswer({ body }: BoundedAnswer): FrameAnswer {
  const { code, data } = read(envelope, body);
  if (code === codes.forbidden) throw new NobodyThereError("the server does not inspect the user");
  if (code !== codes.ok) throw new PeerFailedError(`frame rejected with code ${code}`);
  const answer = read(answered, data);
  return answer.kind === "taken" ? answer : { ...answer, code: answer.code as Code };
}

/** @throws PeerFailedError */
function read<Schema extends v.GenericSchema>(schema: Schema, from: unknown): v.InferOutput<Schema> {
  try {
    return v.parse(schema, Buffer.isBuffer(from) ? JSON.parse(from.toString("utf8")) : from);
  } catch (error) {
    throw new PeerFailedError("unreadable response to a frame", { cause: error });
  }
}
