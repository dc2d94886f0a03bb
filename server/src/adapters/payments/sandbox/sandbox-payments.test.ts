import fastify from "fastify";
import { describe, expect, test } from "vitest";
import type { OrderSnapshot, ProviderPaymentEvent } from "#ports/payments.ts";
import { orderFixture, paymentProviderContract } from "#test/contracts/payment-contract.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { WebhookListener } from "#test/fakes/webhook-listener.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { sandboxPaymentRoutes } from "./payment-routes.ts";
import {
  SandboxPayments,
  sandboxSignatureHeader,
  signSandboxWebhook,
  type TestCardOutcome,
  testCards,
} from "./sandbox-payments.ts";

const secret = "a secret of the tests";

async function start() {
  const clock = new TestClock(Date.now());
  const warnings: object[] = [];
  const log = { warn: (details: object) => void warnings.push(details) };
  const listener = await WebhookListener.start();
  const sandbox = new SandboxPayments({ secret, clock, log });
  const app = fastify();
  await sandboxPaymentRoutes(app, sandbox);
  leftovers.push(listener, sandbox, { [Symbol.asyncDispose]: () => app.close() });
  const urls = { returnUrl: "https://fava.example/chargeReturn?order=o1", notifyUrl: listener.url };
  const post = (ref: string, path: string, payload: object = {}) =>
    app.inject({
      method: "POST",
      url: `/sandbox/pay/${ref}/${path}`,
      headers: { "content-type": "application/json" },
      payload,
    });

  async function place(change: Partial<OrderSnapshot> = {}) {
    const order = orderFixture({ orderNo: "o7k2m9", createdAt: new Date(clock.nowMs()), ...change });
    const created = await sandbox.create(order, urls);
    return { ...order, providerRef: created.providerRef };
  }
  /** Pays with a test card and advances the clock, so that due reports are sent. */
  async function pay(outcome: TestCardOutcome, forMs = 0) {
    const order = await place();
    const answer = await post(order.providerRef, "card", { number: testCards[outcome] });
    clock.advance(forMs);
    return { order, answer };
  }
  async function heard(count: number): Promise<ProviderPaymentEvent[]> {
    const requests = await listener.take(count);
    return Promise.all(
      requests.map(async (request) => (await sandbox.readWebhook(request)).events[0] as ProviderPaymentEvent),
    );
  }
  return { app, clock, warnings, listener, sandbox, urls, post, place, pay, heard };
}

paymentProviderContract("SandboxPayments", async () => {
  const { sandbox, clock, post, listener, urls } = await start();
  const withHeader = (header: string) => ({ [sandboxSignatureHeader]: header });
  return {
    provider: sandbox,
    urls,
    async pay(_order, created) {
      await post(created.providerRef, "card", { number: testCards.success });
      clock.advance(0);
      const [request] = await listener.take(1);
      if (!request) throw new Error("no webhook came");
      return request;
    },
    tampered(request) {
      const body = Buffer.from(request.body.toString().replace('"999"', '"998"'));
      const header = String(request.headers[sandboxSignatureHeader]);
      const later = header.replace(/t=(\d+)/, (_all, seconds: string) => `t=${Number(seconds) + 1}`);
      return [
        { ...request, body },
        { ...request, headers: withHeader(later) },
        { ...request, headers: withHeader("v1=abc") },
      ];
    },
    foreign: (request) => ({
      ...request,
      headers: withHeader(signSandboxWebhook(request.body, "another", clock.nowMs())),
    }),
    stale: (request) => ({
      ...request,
      headers: withHeader(signSandboxWebhook(request.body, secret, clock.nowMs() - 301_000)),
    }),
    async refunded() {
      clock.advance(0);
      const [request] = await listener.take(1);
      if (!request) throw new Error("no webhook came");
      return request;
    },
    refundState: "done",
    goDown: async () => await sandbox[Symbol.asyncDispose](),
    async [Symbol.asyncDispose]() {},
  };
});

describe("test cards", () => {
  test("success: is paid at once, and returns to the product", async () => {
    const { answer, heard, urls } = await pay1("success");
    expect(answer.json()).toEqual({ state: "paid", redirect_url: urls.returnUrl });
    expect(await heard(1)).toMatchObject([{ kind: "paid", orderNo: "o7k2m9", amountMinor: 999n, currencyCode: "USD" }]);
  });

  test("decline: fails", async () => {
    const { answer, heard, sandbox, order } = await pay1("decline");
    expect(answer.json()).toMatchObject({ state: "failed" });
    expect(await heard(1)).toMatchObject([{ kind: "failed", orderNo: "o7k2m9" }]);
    await expect(sandbox.query(order)).resolves.toMatchObject({ kind: "failed" });
  });

  test("challenge: is paid after the bank's question is answered with yes", async () => {
    const { answer, heard, post, order, clock, listener, sandbox } = await pay1("challenge");
    expect(answer.json()).toEqual({ state: "challenge", redirect_url: `/sandbox/pay/${order.providerRef}` });
    await expect(sandbox.query(order)).resolves.toBeNull();
    expect([clock.pendingCount, listener.waitingCount]).toEqual([0, 0]);
    expect((await post(order.providerRef, "confirm")).json()).toMatchObject({ state: "paid" });
    clock.advance(0);
    expect(await heard(1)).toMatchObject([{ kind: "paid" }]);
  });

  test("challenge: fails after no", async () => {
    const { heard, post, order, clock } = await pay1("challenge");
    expect((await post(order.providerRef, "refuse")).json()).toMatchObject({ state: "failed" });
    clock.advance(0);
    expect(await heard(1)).toMatchObject([{ kind: "failed" }]);
  });

  test("late: answers neither by report nor by query for 5 s, then is paid", async () => {
    const { heard, clock, order, sandbox, listener } = await pay1("late", 4_999);
    expect(listener.waitingCount).toBe(0);
    await expect(sandbox.query(order)).resolves.toBeNull();
    clock.advance(1);
    expect(await heard(1)).toMatchObject([{ kind: "paid" }]);
    await expect(sandbox.query(order)).resolves.toMatchObject({ kind: "paid" });
  });

  test("duplicate: reports twice with one id and once with another, for one transaction", async () => {
    const { heard } = await pay1("duplicate");
    const events = await heard(3);
    expect(events.every((event) => event.kind === "paid")).toBe(true);
    expect(new Set(events.map((event) => event.transactionId)).size).toBe(1);
    expect(events.map((event) => event.eventId).toSorted()).toEqual([
      "evt_o7k2m9_paid",
      "evt_o7k2m9_paid",
      "evt_o7k2m9_paid-again",
    ]);
  });

  test("dispute: is paid, disputed after 3 s, and won after 6 s", async () => {
    const { heard, clock } = await pay1("dispute");
    const [paid] = await heard(1);
    clock.advance(3_000);
    const [opened] = await heard(1);
    clock.advance(3_000);
    const [won] = await heard(1);
    expect([paid, opened, won]).toMatchObject([
      { kind: "paid" },
      { kind: "dispute_opened", caseId: "case_o7k2m9", amountMinor: 999n },
      { kind: "dispute_won", caseId: "case_o7k2m9", amountMinor: 999n },
    ]);
  });

  test("silent: sends no report, but a query finds the payment", async () => {
    const { clock, listener, order, sandbox } = await pay1("silent");
    expect([clock.pendingCount, listener.waitingCount]).toEqual([0, 0]);
    await expect(sandbox.query(order)).resolves.toMatchObject({ kind: "paid", amountMinor: 999n });
  });

  test("wrong amount: reports another amount than that of the order", async () => {
    const { heard } = await pay1("wrong_amount");
    expect(await heard(1)).toMatchObject([{ kind: "paid", amountMinor: 1_000n }]);
  });

  test("fails if the user leaves the page without paying", async () => {
    const { place, post, clock, heard, urls } = await start();
    const order = await place();
    const answer = await post(order.providerRef, "cancel");
    expect(answer.json()).toEqual({ state: "failed", redirect_url: urls.returnUrl });
    clock.advance(0);
    expect(await heard(1)).toMatchObject([{ kind: "failed" }]);
  });

  test("pays once for two presses", async () => {
    const { post, order, clock, heard, listener, urls } = await pay1("success");
    const again = await post(order.providerRef, "card", { number: testCards.decline });
    expect(again.json()).toEqual({ state: "paid", redirect_url: urls.returnUrl });
    clock.advance(0);
    await heard(1);
    expect([clock.pendingCount, listener.waitingCount]).toEqual([0, 0]);
  });

  async function pay1(outcome: TestCardOutcome, forMs = 0) {
    const world = await start();
    return { ...world, ...(await world.pay(outcome, forMs)) };
  }
});

describe("orders", () => {
  test("expires without a payment in time, and accepts no card afterwards", async () => {
    const { place, clock, sandbox, post } = await start();
    const order = await place();
    clock.advance(30 * 60_000 - 1);
    await expect(sandbox.query(order)).resolves.toBeNull();
    clock.advance(1);
    await expect(sandbox.query(order)).resolves.toMatchObject({ kind: "expired", orderNo: order.orderNo });
    expect((await post(order.providerRef, "card", { number: testCards.success })).statusCode).toBe(410);
  });

  test("keeps a pending order and its address over a restart", async () => {
    const before = await start();
    const order = await before.place();
    const after = await start();
    await expect(after.sandbox.query(order)).resolves.toBeNull();
    expect((await after.sandbox.create(order, after.urls)).providerRef).toBe(order.providerRef);
    after.clock.advance(31 * 60_000);
    await expect(after.sandbox.query({ ...order, orderNo: "older" })).resolves.toMatchObject({ kind: "expired" });
    await expect(after.sandbox.query({ ...order, orderNo: "older", transactionId: "txn" })).resolves.toBeNull();
    await expect(
      after.sandbox.refund({ ...order, orderNo: "older" }, { refundNo: "r1", amountMinor: 1n, reason: "" }),
    ).resolves.toMatchObject({ state: "done" });
  });

  test("forgets the oldest orders", async () => {
    const clock = new TestClock(Date.now());
    const sandbox = new SandboxPayments({ secret, clock, log: { warn() {} }, ordersMax: 2 });
    leftovers.push(sandbox);
    const urls = { returnUrl: "https://fava.example/", notifyUrl: "https://fava.example/hook" };
    const kept = [];
    for (const orderNo of ["one", "two", "three"]) {
      kept.push((await sandbox.create(orderFixture({ orderNo }), urls)).providerRef);
    }
    expect(kept.map((ref) => sandbox.orderByRef(ref)?.snapshot.orderNo)).toEqual([undefined, "two", "three"]);
  });
});

describe("reports", () => {
  test("are repeated after growing delays until accepted, and given up in the end", async () => {
    const world = await start();
    world.listener.answerStatus = 503;
    await world.pay("success");
    const ids = new Set<string>();
    const pausesMs = [1_000, 5_000, 30_000, 120_000, null];
    for (const [index, pauseMs] of pausesMs.entries()) {
      const [event] = await world.heard(1);
      if (event) ids.add(event.eventId);
      await expect.poll(() => world.warnings.length).toBe(index + 1);
      expect(world.clock.pendingCount).toBe(pauseMs === null ? 0 : 1);
      world.clock.advance((pauseMs ?? 1) - 1);
      expect(world.listener.waitingCount).toBe(0);
      world.clock.advance(1);
    }
    expect(ids.size).toBe(1);
  });

  test("are no longer sent after the sandbox is closed", async () => {
    const { sandbox, clock, listener, pay } = await start();
    await pay("late");
    await sandbox[Symbol.asyncDispose]();
    expect(clock.pendingCount).toBe(0);
    clock.advance(10_000);
    expect(listener.waitingCount).toBe(0);
  });
});
