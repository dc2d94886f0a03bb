import { expect, test } from "vitest";
import { AgeCheckError } from "#ports/age-check.ts";
import { ageCheckContract, ageRequest } from "#test/contracts/age-check-contract.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { FakeYoti } from "#test/fakes/fake-yoti.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { YotiAgeCheck } from "./yoti-age-check.ts";

async function open() {
  const fake = await FakeYoti.start();
  leftovers.push(fake);
  const vendor = new YotiAgeCheck({ ...fake.settings, clock: new TestClock() });
  return { fake, vendor };
}

const methodNames = { estimate: "AGE_ESTIMATION", document: "DOC_SCAN" } as const;

ageCheckContract("yoti", async () => {
  const fake = await FakeYoti.start();
  const clock = new TestClock();
  return {
    vendor: new YotiAgeCheck({ ...fake.settings, clock }),
    nowMs: () => clock.nowMs(),
    pass: async (ref) => fake.end(ref, "COMPLETE", "AGE_ESTIMATION"),
    fail: async (ref, method) => fake.end(ref, "FAIL", methodNames[method]),
    leave: async (ref) => fake.end(ref, "CANCELLED"),
    notification: (ref) => fake.notification(ref, true),
    goDown: () => fake[Symbol.asyncDispose](),
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  };
});

test("sends thresholds, addresses and no fact about the person", async () => {
  const { fake, vendor } = await open();
  const { url, vendorRef } = await vendor.begin(
    ageRequest({ returnUrl: "https://fava.example/", notifyUrl: "https://fava.example/age/webhook/yoti" }),
  );
  expect(fake.begun).toEqual([
    {
      type: "OVER",
      ttl: 3_600,
      reference_id: "check-1",
      age_estimation: { allowed: true, threshold: 25, level: "PASSIVE" },
      doc_scan: { allowed: true, threshold: 18, level: "PASSIVE" },
      digital_id: { allowed: true, threshold: 18 },
      callback: { auto: true, url: "https://fava.example/" },
      cancel_url: "https://fava.example/",
      notification_url: "https://fava.example/age/webhook/yoti",
    },
  ]);
  expect(url).toBe(`${fake.settings.baseUrl}?sessionId=${vendorRef}&sdkId=${fake.settings.sdkId}`);
});

test("offers no estimate after a failed one", async () => {
  const { fake, vendor } = await open();
  await vendor.begin(ageRequest({ allowsEstimate: false }));
  expect(fake.begun).toMatchObject([{ age_estimation: { allowed: false }, doc_scan: { allowed: true } }]);
});

test.each([
  [
    "another session",
    {
      status: 200,
      body: `{"id":"11111111-2222-3333-4444-555555555555","type":"OVER","status":"COMPLETE","method":"DOC_SCAN"}`,
    },
  ],
  ["another question", { status: 200, body: `{"id":"REF","type":"UNDER","status":"COMPLETE","method":"DOC_SCAN"}` }],
  ["an unknown method", { status: 200, body: `{"id":"REF","type":"OVER","status":"COMPLETE","method":"LOGIN"}` }],
  ["no JSON", { status: 200, body: "<html>" }],
  ["an error", { status: 500, body: "{}" }],
  ["a wrong key", { status: 401, body: "{}" }],
  ["a redirect", { status: 302, body: "", location: "http://127.0.0.1:1/" }],
  ["too much", { status: 200, body: "x".repeat(100_000) }],
])("passes nobody by an answer with %s", async (_what, override) => {
  const { fake, vendor } = await open();
  const { vendorRef } = await vendor.begin(ageRequest());
  fake.override = { ...override, body: override.body.replace("REF", vendorRef) };
  await expect(vendor.ask(vendorRef)).rejects.toThrow(AgeCheckError);
});

test("asks nothing about a reference that is no session of Yoti", async () => {
  const { fake, vendor } = await open();
  fake.override = { status: 500, body: "{}" };
  expect(await vendor.ask("../sessions")).toEqual({ state: "expired", method: null });
  expect(fake.override).not.toBeNull();
});
