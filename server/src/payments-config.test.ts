import { expect, test } from "vitest";
import { codaLiveUrl, codaTestUrl } from "#adapters/payments/coda/coda-payments.ts";
import { payermaxLiveUrl, payermaxTestUrl } from "#adapters/payments/payermax/payermax-gateway.ts";
import { FakePayerMax } from "#test/fakes/fake-payermax.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { ConfigError, EnvReader, readPayments, refuseUnsafePayments } from "./config.ts";

const fake = await FakePayerMax.start(() => 0);
leftovers.push(fake);
const payermax = {
  PAYERMAX_APP_ID: fake.settings.appId,
  PAYERMAX_MERCHANT_NO: fake.settings.merchantNo,
  PAYERMAX_PRIVATE_KEY: fake.settings.privateKey,
  PAYERMAX_PUBLIC_KEY: fake.settings.publicKey,
};
const coda = { CODA_API_KEY: "coda-key", CODA_PROJECT_ID: "fava" };
const stripe = { STRIPE_SECRET_KEY: "sk_live_1", STRIPE_WEBHOOK_SECRET: "whsec_1" };

function read(environment: Record<string, string>) {
  const env = new EnvReader(environment);
  return { env, payments: readPayments(env) };
}

function problemsOf(env: EnvReader): readonly string[] {
  try {
    env.finish();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

test("has no provider without settings", () => {
  const { env, payments } = read({});
  expect(payments).toEqual({ payermax: null, coda: null, stripe: null });
  expect(problemsOf(env)).toEqual([]);
});

test("reads every provider, by default with its live address", () => {
  const { env, payments } = read({ ...payermax, ...coda, ...stripe });
  const { baseUrl: _fakeUrl, ...keys } = fake.settings;
  expect(payments).toEqual({
    payermax: { ...keys, baseUrl: payermaxLiveUrl },
    coda: { apiKey: "coda-key", projectId: "fava", baseUrl: codaLiveUrl },
    stripe: { secretKey: "sk_live_1", webhookSecret: "whsec_1" },
  });
  expect(problemsOf(env)).toEqual([]);
  expect(read({ ...coda, CODA_URL: codaTestUrl.slice(0, -1) }).payments.coda?.baseUrl).toBe(codaTestUrl);
});

test("rejects incomplete settings of a provider", () => {
  const { env } = read({ PAYERMAX_APP_ID: "app", CODA_API_KEY: "key", STRIPE_WEBHOOK_SECRET: "whsec_1" });
  expect(problemsOf(env)).toEqual([
    "PAYERMAX_APP_ID, PAYERMAX_MERCHANT_NO, PAYERMAX_PRIVATE_KEY, PAYERMAX_PUBLIC_KEY go together: set all or none",
    "CODA_API_KEY and CODA_PROJECT_ID go together: set both or none",
    "STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET go together: set both or none",
  ]);
});

test("names invalid settings without quoting their values", () => {
  const { env } = read({
    ...payermax,
    PAYERMAX_PRIVATE_KEY: "not-a-key",
    PAYERMAX_PUBLIC_KEY: "not-a-key",
    CODA_URL: "ftp://coda.test",
    STRIPE_SECRET_KEY: "not-a-key",
    STRIPE_WEBHOOK_SECRET: "not-a-key",
  });
  const problems = problemsOf(env);
  expect(problems.map((problem) => problem.split(" ")[0])).toEqual([
    "PAYERMAX_PRIVATE_KEY",
    "PAYERMAX_PUBLIC_KEY",
    "CODA_URL",
    "STRIPE_SECRET_KEY",
    "STRIPE_WEBHOOK_SECRET",
  ]);
  expect(problems.join()).not.toContain("not-a-key");
});

test.each([
  ["no provider at all", {}, /sandbox payments are refused/],
  ["PayerMax's test system", { ...payermax, PAYERMAX_URL: payermaxTestUrl }, /PAYERMAX_URL/],
  ["Coda's test system", { ...coda, CODA_URL: codaTestUrl }, /CODA_URL/],
  ["a test key of Stripe", { ...stripe, STRIPE_SECRET_KEY: "sk_test_1" }, /STRIPE_SECRET_KEY/],
])("rejects %s in production", (_what, environment: Record<string, string>, problem) => {
  const { env, payments } = read(environment);
  refuseUnsafePayments(env, payments);
  expect(problemsOf(env)).toEqual([expect.stringMatching(problem)]);
});

test.each([
  ["PayerMax", payermax],
  ["Coda", coda],
  ["Stripe", stripe],
] as const)("accepts %s alone for production", (_name, environment) => {
  const { env, payments } = read(environment);
  refuseUnsafePayments(env, payments);
  expect(problemsOf(env)).toEqual([]);
});
