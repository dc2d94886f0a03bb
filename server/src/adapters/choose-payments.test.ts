import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { channelTypes } from "@fava/wire/gateway.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { FakePayerMax } from "#test/fakes/fake-payermax.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { choosePayments } from "./open.ts";
import { readConfig } from "#config.ts";
import { ServerSecret } from "#lib/server-secret.ts";

const loads = vi.hoisted(() => ({ count: 0 }));
vi.mock("stripe", (importOriginal) => {
  loads.count += 1;
  return importOriginal();
});

const parts = { serverSecret: new ServerSecret("secret"), clock: new TestClock(), logger: pino({ level: "silent" }) };
const codaSettings = { CODA_API_KEY: "key", CODA_PROJECT_ID: "fava" };
const stripeSettings = { STRIPE_SECRET_KEY: "sk_test_1", STRIPE_WEBHOOK_SECRET: "whsec_1" };

function chosen(environment: Record<string, string>) {
  const payments = choosePayments(readConfig(environment), parts);
  if (payments.sandbox) leftovers.push(payments.sandbox);
  const serving = Array.from(payments.channels, ([channel, provider]) => [channel, provider.id]);
  return { payments, serving };
}

test("serves the channels of PayerMax and Coda by the sandbox without settings, and none of Stripe", () => {
  const { payments, serving } = chosen({});
  expect(serving).toEqual([
    [channelTypes.payermax, "sandbox"],
    [channelTypes.coda, "sandbox"],
  ]);
  expect(payments.providerById("sandbox")).toBe(payments.sandbox);
  expect(payments.providerById("stripe")).toBeNull();
});

test("serves its own channel by a configured provider", async () => {
  const fake = await FakePayerMax.start(() => 0);
  leftovers.push(fake);
  const { appId, merchantNo, privateKey, publicKey } = fake.settings;
  const keys = { PAYERMAX_PRIVATE_KEY: privateKey, PAYERMAX_PUBLIC_KEY: publicKey };
  const names = { PAYERMAX_APP_ID: appId, PAYERMAX_MERCHANT_NO: merchantNo };
  expect(chosen({ ...names, ...keys, ...codaSettings, ...stripeSettings }).serving).toEqual([
    [channelTypes.payermax, "payermax"],
    [channelTypes.coda, "coda"],
    [channelTypes.stripe, "stripe"],
  ]);
  const { payments, serving } = chosen(codaSettings);
  expect(serving).toEqual([
    [channelTypes.payermax, "sandbox"],
    [channelTypes.coda, "coda"],
  ]);
  expect(payments.providerById("coda")?.id).toBe("coda");
});

test("has no sandbox in production, and rejects a test system", () => {
  const { settings, payments } = readConfig({ STRIPE_SECRET_KEY: "sk_live_1", STRIPE_WEBHOOK_SECRET: "whsec_1" });
  const production = { ...settings, mode: "production" as const };
  const real = choosePayments({ settings: production, payments }, parts);
  expect(real.sandbox).toBeNull();
  expect(Array.from(real.channels.keys())).toEqual([channelTypes.stripe]);
  expect(real.providerById("sandbox")).toBeNull();
  const none = { payermax: null, coda: null, stripe: null };
  expect(() => choosePayments({ settings: production, payments: none }, parts)).toThrow("sandbox payments");
  const stripe = { secretKey: "sk_test_1", webhookSecret: "whsec_1" };
  expect(() => choosePayments({ settings: production, payments: { ...none, stripe } }, parts)).toThrow(
    "sandbox payments",
  );
});

test("loads Stripe's library only when needed", async () => {
  const stripe = chosen(stripeSettings).payments.providerById("stripe");
  expect(loads.count).toBe(0);
  const forged = { body: Buffer.from("{}"), headers: { "stripe-signature": "t=1,v1=00" }, query: {} };
  await expect(stripe?.readWebhook(forged)).rejects.toMatchObject({ name: "WebhookRefusedError" });
  expect(loads.count).toBe(1);
});
