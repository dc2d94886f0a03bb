import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as v from "valibot";
import { refuse, sendPage, serveSandbox } from "#adapters/sandbox-pages.ts";
import { challengePage, overPage, payPage } from "./pay-page.ts";
import { outcomeOfCard, type SandboxOrder, type SandboxPayments } from "./sandbox-payments.ts";

const bodyBytesMax = 1_024;
const cardBodySchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.strictObject({ number: v.pipe(v.string(), v.maxLength(40)) }),
);

export interface SandboxPaymentRoutesOptions {
  /** Allows requests from other machines. Off by default: beans paid with test cards are free. */
  allowRemote?: boolean;
}

/**
 * Scripts pay by `POST /sandbox/pay/<ref>/card` with `{"number": "4242424242424242"}`, then `confirm`, `refuse` or
 * `cancel` with `{}`; each responds `{state, redirect_url}`. Bodies are never stored, logged or returned.
 */
export async function sandboxPaymentRoutes(
  app: FastifyInstance,
  sandbox: SandboxPayments,
  options: SandboxPaymentRoutesOptions = {},
): Promise<void> {
  await serveSandbox(app, {
    bodyBytesMax,
    allowRemote: options.allowRemote ?? false,
    allowForwarded: true,
    files: {
      "/sandbox/pay/pay.js": new URL("./pay.js", import.meta.url),
      "/sandbox/pay/pay.css": new URL("./pay.css", import.meta.url),
    },
    routes(scope) {
      scope.get("/sandbox/pay/:orderRef", (request, reply) => sendOrder(request, reply, sandbox));
      scope.post("/sandbox/pay/:orderRef/card", (request, reply) => useCard(request, reply, sandbox));
      scope.post("/sandbox/pay/:orderRef/cancel", (request, reply) =>
        change(request, reply, { sandbox, act: (order) => sandbox.cancel(order) }),
      );
      for (const [name, isConfirmed] of [
        ["confirm", true],
        ["refuse", false],
      ] as const) {
        scope.post(`/sandbox/pay/:orderRef/${name}`, (request, reply) =>
          change(request, reply, { sandbox, act: (order) => confirm(sandbox, order, isConfirmed) }),
        );
      }
    },
  });
}

function sendOrder(request: FastifyRequest, reply: FastifyReply, sandbox: SandboxPayments): FastifyReply {
  const order = orderOf(request, sandbox);
  if (order === null || order.state === "decided" || sandbox.isExpired(order))
    return sendPage(reply, 410, overPage(order?.urls.returnUrl ?? null));
  return sendPage(reply, 200, order.state === "challenged" ? challengePage(order) : payPage(order));
}

function useCard(request: FastifyRequest, reply: FastifyReply, sandbox: SandboxPayments): FastifyReply {
  const body = v.safeParse(cardBodySchema, request.body);
  if (!body.success) return refuse(reply, 400, "the body is {number}");
  const outcome = outcomeOfCard(body.output.number);
  if (!outcome) return refuse(reply, 400, "invalid test card");
  return change(request, reply, { sandbox, act: (order) => sandbox.useCard(order, outcome) });
}

/** Idempotent for a decided order: a double click pays once. */
function change(
  request: FastifyRequest,
  reply: FastifyReply,
  { sandbox, act }: { sandbox: SandboxPayments; act: (order: SandboxOrder) => SandboxOrder | null },
): FastifyReply {
  const order = orderOf(request, sandbox);
  if (!order) return refuse(reply, 410, "unknown order");
  if (order.state !== "decided" && sandbox.isExpired(order)) return refuse(reply, 410, "the order has expired");
  const changed = order.state === "decided" ? order : act(order);
  if (!changed) return refuse(reply, 409, "the order has no bank confirmation to answer");
  const isDecided = changed.state === "decided";
  return reply.send({
    state: isDecided ? (changed.events[0]?.event.kind ?? "failed") : "challenge",
    redirect_url: isDecided ? changed.urls.returnUrl : `/sandbox/pay/${changed.ref}`,
  });
}

function confirm(sandbox: SandboxPayments, order: SandboxOrder, isConfirmed: boolean): SandboxOrder | null {
  return order.state === "challenged" ? sandbox.confirm(order, isConfirmed) : null;
}

function orderOf(request: FastifyRequest, sandbox: SandboxPayments): SandboxOrder | null {
  const { orderRef } = request.params as { orderRef: string };
  return sandbox.orderByRef(orderRef);
}
