import type { FastifyInstance, FastifyReply } from "fastify";
import { isBlobKey } from "#lib/blob-key.ts";
import type { ServerSecret } from "#lib/server-secret.ts";
import type { Blobs } from "#ports/blobs.ts";
import type { Clock } from "#ports/clock.ts";

interface MediaParts {
  blobs: Pick<Blobs, "get">;
  isPublic: (key: string) => Promise<boolean>;
  addresses: Pick<ImageAddresses, "opens">;
}

/** The content of a key never changes but may become private, so only public pictures are cached this long. */
const cachedForGood = "public, max-age=31536000, immutable";

/** Serves approved pictures to all, others by signed address (rule IMG-20). Browsers treat them only as pictures. */
export function mediaRoutes(app: FastifyInstance, { blobs, isPublic, addresses }: MediaParts): void {
  app.get<{ Params: { key: string } }>("/media/avatars/:key", async ({ params: { key } }, reply) => {
    if (!isPicture(key) || !(await isPublic(key))) return sendNothing(reply);
    return sendPicture(reply, await blobs.get(key), cachedForGood);
  });
  app.get<{ Params: { key: string }; Querystring: { until?: unknown; sign?: unknown } }>(
    "/media/images/:key",
    async ({ params: { key }, query }, reply) => {
      if (!isPicture(key)) return sendNothing(reply);
      if (addresses.opens(key, query)) return sendPicture(reply, await blobs.get(key), "private, no-store");
      if (!(await isPublic(key))) return sendNothing(reply);
      return sendPicture(reply, await blobs.get(key), cachedForGood);
    },
  );
}

function isPicture(key: string): boolean {
  return isBlobKey(key) && key.endsWith(".webp");
}

function sendPicture(reply: FastifyReply, bytes: Buffer | null, caching: string): FastifyReply {
  if (!bytes) return sendNothing(reply);
  return reply
    .type("image/webp")
    .header("x-content-type-options", "nosniff")
    .header("cache-control", caching)
    .header("content-security-policy", "default-src 'none'; sandbox")
    .send(bytes);
}

function sendNothing(reply: FastifyReply): FastifyReply {
  return reply
    .code(404)
    .header("x-content-type-options", "nosniff")
    .header("cache-control", "no-store")
    .send({ code: 404, data: null, msg: "no such picture" });
}

const hourMs = 3_600_000;
const untilShape = /^\d{13}$/;
const signShape = /^[0-9a-f]{64}$/;

/** Addresses: public for approved pictures, signed for others, which owners and moderators see (rule IMG-20). */
export class ImageAddresses {
  readonly #secret: ServerSecret;
  readonly #clock: Clock;

  constructor(options: { serverSecret: ServerSecret; clock: Clock }) {
    this.#secret = options.serverSecret;
    this.#clock = options.clock;
  }

  open(key: string): string {
    return `/media/images/${key}`;
  }

  /** Valid for one to two hours. Equal within an hour, so that a page does not fetch the picture twice. */
  signed(key: string): string {
    const until = String((Math.floor(this.#clock.nowMs() / hourMs) + 2) * hourMs);
    return `${this.open(key)}?until=${until}&sign=${this.#secret.mac(signedText(key, until)).toString("hex")}`;
  }

  opens(key: string, query: { until?: unknown; sign?: unknown }): boolean {
    const { until, sign } = query;
    if (typeof until !== "string" || typeof sign !== "string") return false;
    if (!untilShape.test(until) || !signShape.test(sign)) return false;
    const isSigned = this.#secret.isMacOf(signedText(key, until), Buffer.from(sign, "hex"));
    return isSigned && Number(until) > this.#clock.nowMs();
  }
}

function signedText(key: string, until: string): string {
  return `image/v1\0${key}\0${until}`;
}
