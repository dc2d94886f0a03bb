import fastify from "fastify";
import { expect, test } from "vitest";
import { TestClock } from "#test/fakes/clock.ts";
import { SandboxPusher, sandboxPushRoutes } from "./sandbox-pusher.ts";

test("answers this machine, and no request that a proxy forwarded", async () => {
  await using app = fastify();
  await sandboxPushRoutes(app, new SandboxPusher({ publicKey: "", hosts: [], clock: new TestClock() }));
  for (const url of ["/sandbox/push", "/sandbox/push/messages"]) {
    expect((await app.inject(url)).statusCode).toBe(200);
    expect((await app.inject({ url, remoteAddress: "203.0.113.5" })).statusCode).toBe(403);
    for (const name of ["x-forwarded-for", "forwarded", "x-real-ip"])
      expect((await app.inject({ url, headers: { [name]: "127.0.0.1" } })).statusCode).toBe(403);
  }
});
