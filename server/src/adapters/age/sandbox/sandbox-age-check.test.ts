import fastify, { type FastifyInstance } from "fastify";
import { pino } from "pino";
import { expect, test } from "vitest";
import { ageCheckContract, ageRequest } from "#test/contracts/age-check-contract.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { seededRandom } from "#test/fakes/random.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { WebhookListener } from "#test/fakes/webhook-listener.ts";
import { sandboxAgeRoutes } from "./age-routes.ts";
import { lateMs, SandboxAgeCheck, sandboxOutcomes } from "./sandbox-age-check.ts";

async function open() {
  const clock = new TestClock();
  const vendor = new SandboxAgeCheck({ clock, random: seededRandom(3), logger: pino({ level: "silent" }) });
  const app: FastifyInstance = fastify();
  await sandboxAgeRoutes(app, vendor);
  const origin = await app.listen({ host: "127.0.0.1", port: 0 });
  const dispose = async () => {
    await vendor[Symbol.asyncDispose]();
    await app.close();
  };
  /** What the page's script sends. */
  const choose = async (ref: string, outcome: string) => {
    const answer = await fetch(`${origin}/sandbox/age/${ref}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ outcome }),
    });
    return answer.status;
  };
  return { clock, vendor, app, choose, [Symbol.asyncDispose]: dispose };
}

ageCheckContract("sandbox", async () => {
  const world = await open();
  const { vendor, clock, choose } = world;
  const decide = async (ref: string, outcome: string) => {
    expect(await choose(ref, outcome)).toBe(200);
  };
  return {
    vendor,
    nowMs: () => clock.nowMs(),
    pass: (ref) => decide(ref, "pass"),
    fail: (ref, method) => decide(ref, `fail_${method}`),
    leave: (ref) => decide(ref, "leave"),
    notification: (ref) => Buffer.from(JSON.stringify({ ref })),
    goDown: () => vendor[Symbol.asyncDispose](),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
});

test("offers each outcome on its page, and none once the check is decided", async () => {
  const world = await open();
  leftovers.push(world);
  const { vendor, app, choose } = world;
  const { url, vendorRef } = await vendor.begin(ageRequest());
  const page = await app.inject({ url });
  expect(page.statusCode).toBe(200);
  for (const outcome of sandboxOutcomes) expect(page.body).toContain(`data-outcome="${outcome}"`);
  expect(page.body).not.toMatch(/<script(?! src=)|<style|style="|\son\w+=/);
  expect(await choose(vendorRef, "pass")).toBe(200);
  expect((await app.inject({ url })).statusCode).toBe(410);
  expect(await choose(vendorRef, "fail_document")).toBe(200);
  expect(await vendor.ask(vendorRef)).toEqual({ state: "passed", method: "estimate" });
});

test("decides a late check only after its delay", async () => {
  const world = await open();
  leftovers.push(world);
  const { vendor, clock, choose } = world;
  const { vendorRef } = await vendor.begin(ageRequest());
  await choose(vendorRef, "late");
  expect(await vendor.ask(vendorRef)).toEqual({ state: "pending", method: null });
  clock.advance(lateMs);
  expect(await vendor.ask(vendorRef)).toEqual({ state: "passed", method: "estimate" });
});

test("reports a foreign check without deciding its own", async () => {
  const world = await open();
  leftovers.push(world);
  const { vendor, choose } = world;
  const listener = await WebhookListener.start();
  leftovers.push(listener);
  const { vendorRef } = await vendor.begin(ageRequest({ notifyUrl: listener.url }));
  await choose(vendorRef, "other");
  const [request] = await listener.take(1);
  const named = request && vendor.hint(request.body);
  expect(named).toEqual(expect.any(String));
  expect(named).not.toBe(vendorRef);
  expect(await vendor.ask(vendorRef)).toEqual({ state: "pending", method: null });
});

test.each([
  ["no JSON", "{"],
  ["an unknown outcome", `{"outcome":"adult"}`],
  ["a further field", `{"outcome":"pass","name":"Ana"}`],
])("rejects a choice with %s", async (_what, payload) => {
  const world = await open();
  leftovers.push(world);
  const { vendor, app } = world;
  const { url, vendorRef } = await vendor.begin(ageRequest());
  const headers = { "content-type": "application/json" };
  expect((await app.inject({ method: "POST", url, headers, payload })).statusCode).toBe(400);
  expect(await vendor.ask(vendorRef)).toEqual({ state: "pending", method: null });
});

test("rejects another machine", async () => {
  const world = await open();
  leftovers.push(world);
  const { url } = await world.vendor.begin(ageRequest());
  expect((await world.app.inject({ url, remoteAddress: "192.168.1.9" })).statusCode).toBe(403);
});
