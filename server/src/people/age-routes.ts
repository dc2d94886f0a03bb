import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Handlers } from "#ports/handlers.ts";
import type { Limits } from "#ports/rate-limits.ts";
import type { AgeCheckService } from "./age-check-service.ts";

export function ageHandlers(ages: Pick<AgeCheckService, "info" | "begin">): Pick<Handlers, "ageInfo" | "ageBegin"> {
  return {
    ageInfo: ({ session }) => ages.info(session.userId),
    ageBegin: async ({ session }, { method }) => ({ url: await ages.begin(session.userId, method) }),
  };
}

const bodyBytesMax = 65_536;
const noBody = Buffer.alloc(0);

/** Accepts any notification: it only makes the server ask the vendor. Its answer never tells whether a check exists. */
export async function ageWebhookRoute(
  app: FastifyInstance,
  { ages, limits }: { ages: Pick<AgeCheckService, "hinted">; limits: Limits },
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: bodyBytesMax }, (_request, body, done) =>
      done(null, body),
    );
    scope.post("/age/webhook/:vendor", { bodyLimit: bodyBytesMax }, (request, reply) =>
      receive(request, reply.header("cache-control", "no-store").type("text/plain"), { ages, limits }),
    );
  });
}

async function receive(
  request: FastifyRequest,
  reply: FastifyReply,
  { ages, limits }: { ages: Pick<AgeCheckService, "hinted">; limits: Limits },
): Promise<FastifyReply> {
  const waitSeconds = await limits.take("ageWebhookByAddress", request.ip);
  if (waitSeconds !== null) return reply.code(429).header("retry-after", String(waitSeconds)).send("slow down");
  const { vendor } = request.params as { vendor: string };
  await ages.hinted(vendor, Buffer.isBuffer(request.body) ? request.body : noBody, request.headers);
  return reply.send("ok");
}
