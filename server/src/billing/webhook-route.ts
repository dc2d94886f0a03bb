import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Database } from "#db/schema.ts";
import type { Clock } from "#ports/clock.ts";
import {
  type PaymentProvider,
  PaymentProviderError,
  type PaymentProviderId,
  type ReadWebhook,
  WebhookRefusedError,
} from "#ports/payments.ts";
import type { Limits } from "#ports/rate-limits.ts";
import type { BillingMetrics } from "./billing-metrics.ts";
import { recordRefusal } from "./event-store.ts";
import type { OrderService } from "./order-service.ts";

export interface WebhookRouteOptions {
  db: Kysely<Database>;
  orders: OrderService;
  limits: Limits;
  providerById: (id: string) => PaymentProvider | null;
  metrics: Pick<BillingMetrics, "webhook">;
  clock: Clock;
  logger: Logger;
}

export function webhookAddress(origin: string, provider: PaymentProviderId): string {
  return `${origin}/pay/webhook/${provider}`;
}

const bodyBytesMax = 262_144;
const eventsMax = 50;
const noBody = Buffer.alloc(0);

/** Accepts webhooks by the provider's signature over the raw bytes. Success means that every event is stored. */
export async function webhookRoute(app: FastifyInstance, options: WebhookRouteOptions): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: bodyBytesMax }, (_request, body, done) =>
      done(null, body),
    );
    scope.route({
      method: ["GET", "POST"],
      url: "/pay/webhook/:provider",
      bodyLimit: bodyBytesMax,
      handler: (request, reply) => receive(request, reply.header("cache-control", "no-store"), options),
    });
  });
}

async function receive(
  request: FastifyRequest,
  reply: FastifyReply,
  options: WebhookRouteOptions,
): Promise<FastifyReply> {
  const provider = options.providerById((request.params as { provider: string }).provider);
  if (!provider) return reply.code(404).type("text/plain").send("unknown provider");
  const body = Buffer.isBuffer(request.body) ? request.body : noBody;
  const query = flat(request.query as Record<string, unknown>);
  const rawSha256 = createHash("sha256")
    .update(body.length > 0 ? body : JSON.stringify(query))
    .digest("hex");
  try {
    const read = await provider.readWebhook({ body, headers: request.headers, query });
    await takeAll(provider, { read, rawSha256 }, options);
    options.metrics.webhook(provider.id, "accepted");
    return await reply.code(read.reply.status).type(read.reply.contentType).send(read.reply.body);
  } catch (error) {
    options.metrics.webhook(provider.id, error instanceof WebhookRefusedError ? "refused" : "failed");
    if (error instanceof WebhookRefusedError) {
      const refusal = { provider: provider.id, reason: error.message, rawSha256 };
      return await refuse(reply, { ip: request.ip, refusal }, options);
    }
    if (!(error instanceof PaymentProviderError)) throw error;
    options.logger.warn({ err: error, provider: provider.id }, "failed to confirm a webhook with its provider");
    return await reply.code(503).type("text/plain").send("try again");
  }
}

async function takeAll(
  provider: PaymentProvider,
  { read, rawSha256 }: { read: ReadWebhook; rawSha256: string },
  { orders }: WebhookRouteOptions,
): Promise<void> {
  if (read.events.length > eventsMax) throw new PaymentProviderError("too many events at once", { isTemporary: false });
  for (const event of read.events) await orders.process(provider.id, event, { source: "webhook", rawSha256 });
}

interface Refusal {
  provider: string;
  reason: string;
  rawSha256: string;
}

/** Limits an address that sends forged webhooks and stops recording them. Its genuine webhooks still count. */
async function refuse(
  reply: FastifyReply,
  { ip, refusal }: { ip: string; refusal: Refusal },
  options: WebhookRouteOptions,
): Promise<FastifyReply> {
  const waitSeconds = await options.limits.take("forgedWebhookByAddress", ip);
  reply.type("text/plain");
  if (waitSeconds !== null) return reply.code(429).header("retry-after", String(waitSeconds)).send("slow down");
  await trace(refusal, options);
  return reply.code(400).send("refused");
}

/** Logs a rejection. Records it within limits of rate and number, so that forged webhooks cannot fill the database. */
async function trace(refusal: Refusal, { db, limits, clock, logger }: WebhookRouteOptions): Promise<void> {
  const { provider, reason } = refusal;
  logger.warn({ provider, reason }, "webhook rejected");
  if ((await limits.take("refusalByProvider", provider)) !== null) return;
  await recordRefusal(db, { ...refusal, reason: reason.slice(0, 200), at: new Date(clock.nowMs()) });
}

/** The query without repeated parameters, whose values are arrays. */
function flat(query: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
