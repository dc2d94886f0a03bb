import type { FastifyInstance } from "fastify";
import type { Blobs } from "#ports/blobs.ts";

/** Serves stored pictures; their address is their content, so it never changes. */
export function avatarRoute(app: FastifyInstance, blobs: Pick<Blobs, "get">): void {
  app.get<{ Params: { key: string } }>("/media/avatars/:key", async ({ params }, reply) => {
    const bytes = await blobs.get(params.key);
    reply.header("x-content-type-options", "nosniff");
    if (!bytes)
      return reply
        .code(404)
        .header("cache-control", "no-store")
        .send({ code: 404, data: null, msg: "no such picture" });
    return reply
      .type("image/webp")
      .header("cache-control", "public, max-age=31536000, immutable")
      .header("content-security-policy", "default-src 'none'; sandbox")
      .send(bytes);
  });
}
