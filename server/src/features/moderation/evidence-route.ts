import type { FastifyInstance, FastifyReply } from "fastify";
import type { EvidenceDesk } from "./evidence-desk.ts";

/**
 * Serves one picture of evidence to the moderator whom its address was made for, for a minute (rule CASE-52). It is
 * never anything but a picture to a browser, and nobody keeps a copy.
 */
export function evidenceRoute(app: FastifyInstance, desk: Pick<EvidenceDesk, "picture">): void {
  app.get<{ Params: { id: string }; Querystring: { by?: unknown; until?: unknown; sign?: unknown } }>(
    "/admin/evidence/:id",
    async ({ params: { id }, query }, reply) => {
      const bytes = await desk.picture(id, query);
      return guarded(reply, bytes ? 200 : 404).send(bytes ?? { code: 404, data: null, msg: "no such evidence" });
    },
  );
}

function guarded(reply: FastifyReply, status: 200 | 404): FastifyReply {
  if (status === 200) void reply.type("image/jpeg");
  return reply
    .code(status)
    .header("x-content-type-options", "nosniff")
    .header("cache-control", "no-store")
    .header("referrer-policy", "no-referrer")
    .header("cross-origin-resource-policy", "same-origin")
    .header("content-security-policy", "default-src 'none'; sandbox");
}
