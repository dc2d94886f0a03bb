import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventAbout, outage } from "#test/fakes/scripted-payments.ts";
import { expectSoundLedger } from "#test/fixtures/check-ledger.ts";
import { type Person, ShopWorld } from "#test/fixtures/shop-world.ts";

let world: ShopWorld;
let ana: Person;

beforeAll(async () => {
  world = await ShopWorld.open();
});
beforeEach(async () => {
  ana = await world.person();
});
afterEach(() => expectSoundLedger(world.database.db));

async function refusals(): Promise<number> {
  const rows = await world.database.db.selectFrom("webhook_refusals").select("id").execute();
  return rows.length;
}

describe("paid", () => {
  test("[BEANS-140] credits ten concurrent copies of a webhook once, and notifies the page", async () => {
    const orderNo = await world.order(ana);
    const statuses = await Promise.all(Array.from({ length: 10 }, () => world.report(orderNo, { kind: "paid" })));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await world.balance(ana)).toBe(10_000n);
    expect(await world.stateOf(orderNo)).toBe("paid");
    expect(await world.results(orderNo)).toEqual(["paid applied"]);
    expect(world.announced.filter((userId) => userId === ana.userId)).toHaveLength(1);
  });

  test("[BEANS-140] ignores the same payment under another event id", async () => {
    const orderNo = await world.paidOrder(ana);
    await world.report(orderNo, { kind: "paid", eventId: `again-${orderNo}` });
    expect(await world.balance(ana)).toBe(10_000n);
    expect(await world.results(orderNo)).toEqual(["paid applied", "paid ignored"]);
  });

  test("[BEANS-141] rejects a forged or stale webhook with 400, credits nothing and records it", async () => {
    const orderNo = await world.order(ana);
    const before = await refusals();
    expect(await world.report(orderNo, { kind: "paid" }, { signature: "forged" })).toBe(400);
    expect(await refusals()).toBe(before + 1);
    expect(await world.balance(ana)).toBe(0n);
    expect(await world.stateOf(orderNo)).toBe("pending");
    expect(await world.results(orderNo)).toEqual([]);
  });

  test("limits forged webhooks by address, and still processes genuine ones of that address", async () => {
    const shop = await ShopWorld.open({ limitFactor: 1, trustedProxies: ["127.0.0.1"] });
    const buyer = await shop.person();
    const orderNo = await shop.order(buyer);
    const report = (sent: Parameters<typeof shop.report>[2]) => shop.report(orderNo, { kind: "paid" }, sent);
    const forged = { signature: "forged", ip: "192.0.2.1" };
    for (let count = 0; count < 30; count += 1) expect(await report(forged)).toBe(400);
    expect(await report(forged)).toBe(429);
    const traces = await shop.database.db.selectFrom("webhook_refusals").select("id").execute();
    expect(traces).toHaveLength(30);
    expect(await report({ ...forged, ip: "192.0.2.2" })).toBe(400);
    expect(await report({ ip: "192.0.2.1" })).toBe(200);
    expect(await shop.balance(buyer)).toBe(10_000n);
  });

  test.each([
    ["amount", { amountMinor: 998n }, "review: amount_mismatch"],
    ["currency", { currencyCode: "JPY" }, "review: currency_mismatch"],
  ])(
    "[BEANS-142] credits nothing for another %s than ordered, and sends the order to review",
    async (_what, change, state) => {
      const orderNo = await world.order(ana);
      expect(await world.report(orderNo, { kind: "paid", ...change })).toBe(200);
      expect(await world.stateOf(orderNo)).toBe(state);
      expect(await world.balance(ana)).toBe(0n);
    },
  );

  test("[BEANS-143] accepts a payment for one order only", async () => {
    const orderNo = await world.paidOrder(ana);
    const other = await world.order(ana, { pay_type: "sandbox-wallet" });
    await world.report(other, { kind: "paid", transactionId: `txn-${orderNo}` });
    expect(await world.stateOf(other)).toBe("review: transaction_used_elsewhere");
    expect(await world.balance(ana)).toBe(10_000n);
  });

  test("[BEANS-143] sends a second payment of an order to review", async () => {
    const orderNo = await world.paidOrder(ana);
    await world.report(orderNo, { kind: "paid", transactionId: "second" });
    expect(await world.stateOf(orderNo)).toBe("review: second_transaction");
    expect(await world.balance(ana)).toBe(10_000n);
  });

  test("ignores a payment by another provider, and keeps events about unknown orders", async () => {
    const orderNo = await world.order(ana);
    expect(await world.report(orderNo, { kind: "paid" }, { provider: "coda" })).toBe(200);
    expect(await world.report("nosuchorder", { kind: "paid" })).toBe(200);
    expect(await world.results(orderNo)).toEqual(["paid foreign_provider"]);
    expect(await world.results("nosuchorder")).toEqual(["paid unknown_order"]);
    expect(await world.balance(ana)).toBe(0n);
  });

  test.each(["failed", "expired"] as const)(
    "[BEANS-145] credits money that arrives after the order %s",
    async (kind) => {
      const orderNo = await world.order(ana);
      await world.report(orderNo, { kind });
      expect(await world.stateOf(orderNo)).toBe(kind);
      await world.report(orderNo, { kind: "paid" });
      await world.report(orderNo, { kind, eventId: `late-${orderNo}` });
      expect(await world.stateOf(orderNo)).toBe("paid");
      expect(await world.balance(ana)).toBe(10_000n);
    },
  );

  test("responds 404 to an unknown provider, and 503 when the provider cannot confirm its event", async () => {
    const orderNo = await world.order(ana);
    expect(await world.report(orderNo, { kind: "paid" }, { provider: "nobody" })).toBe(404);
    world.payments.onWebhook = () => outage();
    expect(await world.report(orderNo, { kind: "paid" })).toBe(503);
    expect([await world.stateOf(orderNo), await world.balance(ana)]).toEqual(["pending", 0n]);
    world.payments.onWebhook = () => {};
    expect(await world.report(orderNo, { kind: "paid" })).toBe(200);
    expect(await world.balance(ana)).toBe(10_000n);
  });
});

describe("refunds and disputes", () => {
  test("[BEANS-160] takes beans for a partial refund in proportion, rounded up, and the rest with the rest", async () => {
    const orderNo = await world.paidOrder(ana);
    await world.report(orderNo, { kind: "refunded", refundNo: `a-${orderNo}`, amountMinor: 1n });
    expect(await world.balance(ana)).toBe(9_989n);
    expect(await world.stateOf(orderNo)).toBe("paid");
    await world.report(orderNo, { kind: "refunded", refundNo: `b-${orderNo}`, amountMinor: 998n });
    expect(await world.balance(ana)).toBe(0n);
    expect(await world.stateOf(orderNo)).toBe("refunded");
  });

  test("holds back a refund that arrives before its payment, and applies it after the payment", async () => {
    const orderNo = await world.order(ana);
    expect(await world.report(orderNo, { kind: "refunded", refundNo: `r-${orderNo}`, amountMinor: 999n })).toBe(200);
    expect(await world.stateOf(orderNo)).toBe("pending");
    await world.report(orderNo, { kind: "paid" });
    expect(await world.stateOf(orderNo)).toBe("refunded");
    expect(await world.balance(ana)).toBe(0n);
    expect(await world.results(orderNo)).toEqual(["refunded parked", "paid applied", "refunded applied"]);
  });

  test("[BEANS-162] leaves a debt after a refund of used beans, and repays it with the next purchase", async () => {
    const orderNo = await world.paidOrder(ana);
    const spend = { key: `spend-${orderNo}`, kind: "call", from: { userId: ana.userId }, amount: 4_000n } as const;
    await world.ledger.post({ ...spend, to: { house: "filter-revenue" }, reference: "call" });
    await world.report(orderNo, { kind: "refunded", refundNo: `r-${orderNo}`, amountMinor: 999n });
    expect(await world.ledger.account(ana.userId)).toMatchObject({ balance: -4_000n, debt: 4_000n });
    world.clock.advance(61_000);
    await world.paidOrder(ana);
    expect(await world.ledger.account(ana.userId)).toMatchObject({ balance: 6_000n, debt: 0n });
  });

  test("[BEANS-162] sends a refund that is too high, of another payment, or followed by a payment to review", async () => {
    const tooMuch = await world.paidOrder(ana);
    await world.report(tooMuch, { kind: "refunded", refundNo: `r-${tooMuch}`, amountMinor: 1_000n });
    expect(await world.stateOf(tooMuch)).toBe("review: refund_mismatch");
    const foreign = await world.paidOrder(ana, { pay_type: "sandbox-wallet" });
    await world.report(foreign, { kind: "refunded", transactionId: "other", refundNo: "x", amountMinor: 1n });
    expect(await world.stateOf(foreign)).toBe("review: unknown_transaction");
    expect(await world.balance(ana)).toBe(20_000n);
    world.clock.advance(61_000);
    const refunded = await world.paidOrder(ana);
    await world.report(refunded, { kind: "refunded", refundNo: `r-${refunded}` });
    await world.report(refunded, { kind: "paid", eventId: `late-${refunded}` });
    expect(await world.stateOf(refunded)).toBe("review: paid_after_refund");
    expect(await world.balance(ana)).toBe(20_000n);
  });

  test("[BEANS-163] takes the beans for a dispute until it is won", async () => {
    const orderNo = await world.paidOrder(ana);
    await world.report(orderNo, { kind: "dispute_opened", caseId: orderNo });
    expect([await world.stateOf(orderNo), await world.balance(ana)]).toEqual(["disputed", 0n]);
    await world.report(orderNo, { kind: "dispute_won", caseId: orderNo });
    expect([await world.stateOf(orderNo), await world.balance(ana)]).toEqual(["paid", 10_000n]);
    await world.report(orderNo, { kind: "dispute_opened", caseId: orderNo, eventId: `late-${orderNo}` });
    expect([await world.stateOf(orderNo), await world.balance(ana)]).toEqual(["paid", 10_000n]);
  });

  test("[BEANS-163] takes nothing again when a dispute is lost", async () => {
    const orderNo = await world.paidOrder(ana);
    await world.report(orderNo, { kind: "dispute_opened", caseId: orderNo });
    await world.report(orderNo, { kind: "dispute_lost", caseId: orderNo });
    expect([await world.stateOf(orderNo), await world.balance(ana)]).toEqual(["charged_back", 0n]);
    const unopened = await world.paidOrder(ana, { pay_type: "sandbox-wallet" });
    await world.report(unopened, { kind: "dispute_lost", caseId: unopened });
    expect([await world.stateOf(unopened), await world.balance(ana)]).toEqual(["charged_back", 0n]);
  });
});

test("[BEANS-140] processes all events of one webhook in order", async () => {
  const orderNo = await world.order(ana);
  const events = [
    eventAbout(orderNo, { kind: "paid" }),
    eventAbout(orderNo, { kind: "refunded", refundNo: `r-${orderNo}` }),
  ];
  expect(await world.webhook(events)).toBe(200);
  expect(await world.stateOf(orderNo)).toBe("refunded");
});

test("[BEANS-147] allows new provider events, and no change or deletion", async () => {
  await world.paidOrder(ana);
  for (const table of ["payment_events", "payment_event_results"] as const) {
    await expect(world.database.db.deleteFrom(table).execute()).rejects.toThrow("append only");
  }
});
