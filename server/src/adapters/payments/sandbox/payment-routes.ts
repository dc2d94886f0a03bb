import { readFileSync } from "node:fs";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import * as v from "valibot";
import { challengePage, overPage, payLanguage, payPage } from "./pay-page.ts";
import { outcomeOfCard, type SandboxOrder, type SandboxPayments } from "./sandbox-payments.ts";

const bodyBytesMax = 1_024;
const cardBodySchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.strictObject({ number: v.pipe(v.string(), v.maxLength(40)) }),
);
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

export interface SandboxPaymentRoutesOptions {
  /** Other machines may use the page too. Off by default: beans that are paid with test cards cost nothing. */
  allowRemote?: boolean;
}

/**
 * Registers the card page under `/sandbox/pay/`. Scripts pay without a browser: `POST /sandbox/pay/<ref>/card` with
 * `{"number": "4242424242424242"}` answers `{state, redirect_url}`; `confirm`, `refuse` and `cancel` take `{}`.
 * Nothing of a body is stored, logged or sent back.
 */
export async function sandboxPaymentRoutes(
  app: FastifyInstance,
  sandbox: SandboxPayments,
  options: SandboxPaymentRoutesOptions = {},
): Promise<void> {
  const script = readFileSync(new URL("./pay.js", import.meta.url));
  const style = readFileSync(new URL("./pay.css", import.meta.url));
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      "application/json",
      { parseAs: "string", bodyLimit: bodyBytesMax },
      (_request, body, done) => done(null, body),
    );
    scope.addHook("onRequest", async (request, reply) => {
      reply.header("x-content-type-options", "nosniff").header("cache-control", "no-store");
      if (!options.allowRemote && !isLoopback(request.ip))
        return refuse(reply, 403, "the sandbox answers this machine only");
    });
    scope.get("/sandbox/pay/pay.js", (_request, reply) => reply.type("text/javascript").send(script));
    scope.get("/sandbox/pay/pay.css", (_request, reply) => reply.type("text/css").send(style));
    scope.get("/sandbox/pay/:orderRef", (request, reply) => sendPage(request, reply, sandbox));
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
  });
}

function sendPage(request: FastifyRequest, reply: FastifyReply, sandbox: SandboxPayments): FastifyReply {
  const order = orderOf(request, sandbox);
  const language = payLanguage([...(order ? [order.snapshot.language] : []), ...acceptedLanguages(request)]);
  const isOpen = order !== null && order.state !== "decided" && !sandbox.isExpired(order);
  reply
    .code(isOpen ? 200 : 410)
    .type("text/html; charset=utf-8")
    .header("content-security-policy", pagePolicy)
    .header("referrer-policy", "no-referrer");
  if (!isOpen) return reply.send(overPage(order?.urls.returnUrl ?? null, language));
  return reply.send(order.state === "challenged" ? challengePage(order, language) : payPage(order, language));
}

function useCard(request: FastifyRequest, reply: FastifyReply, sandbox: SandboxPayments): FastifyReply {
  const body = v.safeParse(cardBodySchema, request.body);
  if (!body.success) return refuse(reply, 400, "the body is {number}");
  const outcome = outcomeOfCard(body.output.number);
  if (!outcome) return refuse(reply, 400, "invalid test card");
  return change(request, reply, { sandbox, act: (order) => sandbox.useCard(order, outcome) });
}

/** A decided order answers a repetition with what it is: a double click pays once. */
function change(
  request: FastifyRequest,
  reply: FastifyReply,
  { sandbox, act }: { sandbox: SandboxPayments; act: (order: SandboxOrder) => SandboxOrder | null },
): FastifyReply {
  const order = orderOf(request, sandbox);
  if (!order) return refuse(reply, 410, "unknown order");
  if (order.state !== "decided" && sandbox.isExpired(order)) return refuse(reply, 410, "the order has expired");
  const changed = order.state === "decided" ? order : act(order);
  if (!changed) return refuse(reply, 409, "nobody asked for a confirmation");
  const isDecided = changed.state === "decided";
  return reply.send({
    state: isDecided ? (changed.news[0]?.event.kind ?? "failed") : "challenge",
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

function acceptedLanguages(request: FastifyRequest): string[] {
  const header = request.headers["accept-language"] ?? "";
  return header
    .slice(0, 200)
    .split(",")
    .map((part) => part.split(";")[0]?.trim() ?? "");
}

function isLoopback(ip: string): boolean {
  return ipaddr.isValid(ip) && ipaddr.process(ip).range() === "loopback";
}

function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).send({ code: status, data: null, msg: message });
}
