import { inspect } from "node:util";
import fastify, { type FastifyBaseLogger, type FastifyInstance } from "fastify";
import { pino } from "pino";
import { expect, test } from "vitest";
import type { OrderSnapshot } from "#ports/payments.ts";
import { contractUrls, orderFixture } from "#test/contracts/payment-contract.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { sandboxPaymentRoutes } from "./payment-routes.ts";
import { SandboxPayments, testCardOutcomes, testCards } from "./sandbox-payments.ts";

/** A number that a real card could have. */
const realCard = "5555 5555 5555 4444";

async function start(change: Partial<OrderSnapshot> = {}) {
  const logged: string[] = [];
  const logger = pino({ level: "trace" }, { write: (line: string) => void logged.push(line) });
  const sandbox = new SandboxPayments({ secret: "secret", clock: new TestClock(), log: logger });
  const app: FastifyInstance = fastify({ loggerInstance: logger as FastifyBaseLogger });
  await sandboxPaymentRoutes(app, sandbox);
  leftovers.push(sandbox, { [Symbol.asyncDispose]: () => app.close() });
  const order = orderFixture({ orderNo: "o7k2m9", createdAt: new Date(Date.UTC(2026, 0, 1)), ...change });
  const { providerRef } = await sandbox.create(order, contractUrls);
  const url = `/sandbox/pay/${providerRef}`;
  const open = () => app.inject({ url });
  const post = (path: string, payload: object | string, type = "application/json") =>
    app.inject({ method: "POST", url: `${url}/${path}`, headers: { "content-type": type }, payload });
  return { app, logged, sandbox, url, open, post };
}

test("says first that no money moves, then what is bought, and offers every test card", async () => {
  const { open } = await start();
  const { body, headers, statusCode } = await open();
  expect(statusCode).toBe(200);
  const order = [
    "No money moves",
    "$9.99",
    "1,600",
    "o7k2m9",
    "204817",
    "Card number",
    "Security code",
    `type="submit">Pay `,
  ];
  const places = order.map((text) => body.indexOf(text, body.indexOf("<body>")));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  for (const outcome of testCardOutcomes) {
    const spaced = testCards[outcome].replace(/(\d{4})(?=\d)/g, "$1 ");
    expect(body).toContain(`<input type="radio" name="outcome" value="${spaced}"`);
  }
  expect(body).not.toMatch(/<script(?! src=)|<style|style="|\son\w+=/);
  expect(headers["content-security-policy"]).toContain("default-src 'none'; script-src 'self'");
  expect(headers["content-security-policy"]).toContain("form-action 'none'");
  expect(headers["cache-control"]).toBe("no-store");
});

test("is English, also for an order in another language", async () => {
  const { open } = await start({ language: "ar", currencyCode: "JPY", amountMinor: 1_600n });
  const { body } = await open();
  expect(body).toContain(`<html lang="en" dir="ltr">`);
  expect(body).toContain("Pay ¥1,600 with test money");
});

test("escapes the texts of an order", async () => {
  const { open } = await start({ userNo: `"><script>alert(1)</script>` });
  expect((await open()).body).not.toContain("<script>alert");
});

test.each([realCard, "4242424242424241", "424242424242424", "", "0x10", "４２４２４２４２４２４２４２４２"])(
  "rejects the number %j, and neither stores, logs nor returns it",
  async (number) => {
    const { post, logged, sandbox, url } = await start();
    const answer = await post("card", { number });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ code: 400, data: null, msg: "invalid test card" });
    const order = sandbox.orderByRef(url.slice("/sandbox/pay/".length));
    expect(order?.state).toBe("open");
    const kept = [...logged, inspect(order, { depth: null }), JSON.stringify(answer.headers)].join();
    expect(number !== "" && kept.includes(number)).toBe(false);
  },
);

test("accepts a card number with spaces", async () => {
  const { post } = await start();
  expect((await post("card", { number: "4242 4242 4242 4242" })).json()).toMatchObject({ state: "paid" });
});

const json = "application/json";
test.each([
  ["no JSON", { payload: "{", type: json, status: 400 }],
  ["a list", { payload: "[]", type: json, status: 400 }],
  ["more than the number", { payload: { number: testCards.success, name: "Ana" }, type: json, status: 400 }],
  ["a number that is none", { payload: { number: 42_424_242 }, type: json, status: 400 }],
  ["a form of another site", { payload: "number=42424242", type: "application/x-www-form-urlencoded", status: 415 }],
  ["plain text of another site", { payload: `{"number":"4242424242424242"}`, type: "text/plain", status: 415 }],
  ["too much", { payload: { number: "4".repeat(2_000) }, type: json, status: 413 }],
])("rejects a body with %s", async (_what, { payload, type, status }) => {
  const { post, logged } = await start();
  expect((await post("card", payload, type)).statusCode).toBe(status);
  // Longer than digits that a time in the log may contain by chance.
  expect(logged.join()).not.toContain("42424242");
});

test("shows the bank's question for a challenged order, and accepts an answer only then", async () => {
  const { open, post } = await start();
  expect((await post("confirm", {})).statusCode).toBe(409);
  await post("card", { number: testCards.challenge });
  const { body } = await open();
  expect(body).toContain("Is this you?");
  expect(body).toContain("No money moves");
  await post("refuse", {});
  expect((await open()).statusCode).toBe(410);
});

test("shows no card form for a decided or unknown order, but a link back", async () => {
  const { app, open, post } = await start();
  await post("card", { number: testCards.success });
  const decided = await open();
  expect(decided.statusCode).toBe(410);
  expect(decided.body).toContain(`href="https://fava.example/chargeReturn?order=o1"`);
  const unknown = await app.inject({ url: "/sandbox/pay/nothing" });
  expect(unknown.statusCode).toBe(410);
  for (const { body } of [decided, unknown]) expect(body).not.toContain("<form");
});

test("accepts no card for an unknown order", async () => {
  const { app } = await start();
  const answer = await app.inject({
    method: "POST",
    url: "/sandbox/pay/nothing/card",
    headers: { "content-type": "application/json" },
    payload: { number: testCards.success },
  });
  expect(answer.statusCode).toBe(410);
});

test("rejects another machine", async () => {
  const { app, url } = await start();
  expect((await app.inject({ url, remoteAddress: "192.168.1.9" })).statusCode).toBe(403);
});
