import { gatewayApiName, type GatewayRequest, gatewayRequestSchema } from "@fava/wire/gateway.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as v from "valibot";
import type { Limits } from "#ports/limits.ts";
import type { Gateway } from "./gateway.ts";
import { GatewayRefusal } from "./gateway-refusal.ts";

export interface GatewayRouteOptions {
  gateway: Gateway;
  limits: Limits;
  /** Path of the entry. */
  entry: string;
  /** Our own origin; null: the one that the request names. */
  publicOrigin: string | null;
}

const bodyBytesMax = 8_192;
const parametersSchema = v.object({
  Api_name: v.literal(gatewayApiName),
  Api_data: v.pipe(v.string(), v.maxLength(bodyBytesMax), v.parseJson(), gatewayRequestSchema),
});

/**
 * The payment entry, by GET as specified or by POST with the same parameters. It carries a token in its address, so
 * nothing of it is cached, referred to or logged (rule BEANS-153).
 */
export async function gatewayRoute(app: FastifyInstance, options: GatewayRouteOptions): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string", bodyLimit: bodyBytesMax }, (_request, body, done) =>
      done(null, body),
    );
    scope.route({
      method: ["GET", "POST"],
      url: options.entry,
      handler: async (request, reply) => {
        reply.headers({
          "cache-control": "no-store",
          "referrer-policy": "no-referrer",
          "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        });
        return send(reply, await answer(request, options));
      },
    });
  });
}

type Answer = { status: 200; data: unknown; order_no?: string } | { status: number; msg: string };

async function answer(request: FastifyRequest, options: GatewayRouteOptions): Promise<Answer> {
  try {
    if ((await options.limits.take("callByAddress", request.ip)) !== null) throw new GatewayRefusal(429, "slow_down");
    const asked = readRequest(request);
    const from = { origin: options.publicOrigin ?? `${request.protocol}://${request.host}`, ip: request.ip };
    if (asked.op === "price_list") return { status: 200, data: await options.gateway.priceList(asked, from) };
    const { url, orderNo } = await options.gateway.recharge(asked, from);
    return { status: 200, data: url, order_no: orderNo };
  } catch (error) {
    if (error instanceof GatewayRefusal) return { status: error.status, msg: error.word };
    throw error;
  }
}

function readRequest(request: FastifyRequest): GatewayRequest {
  const fields =
    request.method === "POST" && typeof request.body === "string"
      ? Object.fromEntries(new URLSearchParams(request.body))
      : {};
  const parsed = v.safeParse(parametersSchema, { ...(request.query as Record<string, unknown>), ...fields });
  if (!parsed.success) throw new GatewayRefusal(400, "bad_request");
  return parsed.output.Api_data;
}

/** As everywhere, HTTP itself says only what caches, proxies and clients act on. */
function send(reply: FastifyReply, answered: Answer): FastifyReply {
  const { status } = answered;
  return reply.code(status === 429 || status >= 500 ? status : 200).send(answered);
}
