import type { FastifyInstance, FastifyReply } from "fastify";
import { isBlobKey } from "#blob-key.ts";
import type { Blobs } from "#ports/blobs.ts";
import type { ImageAddresses } from "./image-addresses.ts";

export interface MediaParts {
  blobs: Pick<Blobs, "get">;
  /** Whether anybody may see these bytes. */
  isPublic: (key: string) => Promise<boolean>;
  addresses: Pick<ImageAddresses, "opens">;
}

/** A key's content never changes, but whether it may be seen can, so that nothing else than what is open to all is kept. */
const cachedForGood = "public, max-age=31536000, immutable";

/**
 * Serves pictures: to everybody what is approved or somebody's avatar, anything else to whoever holds a signed address
 * (rules IMG-20 to IMG-23). They are never anything but pictures to a browser.
 */
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
