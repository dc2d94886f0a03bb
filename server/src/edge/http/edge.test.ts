import { providerHosts } from "#adapters/identity/provider-hosts.ts";
import { Agent, get, type IncomingMessage } from "node:http";
import { expect, test, vi } from "vitest";
import { endpoints } from "@fava/wire/endpoints.ts";
import { LocalLimits } from "#adapters/local/rate-limits.ts";
import { DatabaseUnavailableError } from "#db/unavailable.ts";
import { EndpointError } from "#lib/errors.ts";
import { BlobsUnavailableError } from "#ports/blobs.ts";
import type { Handlers } from "#ports/handlers.ts";
import { openEdge } from "#test/fixtures/edge.ts";
import { formBytes, preparedCall, signedCall, signedHeaders } from "#test/fixtures/signed-call.ts";

type Settings = Awaited<ReturnType<Handlers["getLanguage"]>>;

test("[SIGN-17] keeps the code and data of a handler's refusal", async () => {
  const edge = await openEdge({
    matchStop: async () => {
      throw new EndpointError(402, "not enough beans", { needed: 5 });
    },
  });
  const answer = await signedCall(edge.ana, endpoints.matchStop, { user_id: 1 });
  expect(answer).toEqual({ status: 200, code: 402, data: { needed: 5 }, msg: "not enough beans" });
});

test("answers 503 with a retry delay while the database is overloaded", async () => {
  const edge = await openEdge({
    getLanguage: async () => {
      throw new DatabaseUnavailableError("busy");
    },
  });
  const call = preparedCall(edge.visitor, endpoints.getLanguage, {});
  const answer = await edge.app.inject({ method: "POST", url: call.path, headers: call.headers, payload: call.body });
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toEqual({ code: 503, data: { retry_after: 3 }, msg: "temporarily unavailable" });
  expect(answer.headers["retry-after"]).toBe("3");
  expect(edge.logged.join("")).toContain("no free resources");
});

test("answers 503 with a retry delay while the blob storage is away, and logs no stack", async () => {
  const edge = await openEdge({
    newPhoto: async () => {
      throw new BlobsUnavailableError(new Error("timeout"));
    },
  });
  const answer = await signedCall(edge.ana, endpoints.newPhoto, { user_id: 1 });
  expect(answer).toMatchObject({ status: 503, code: 503, data: { retry_after: 3 } });
  expect(edge.logged.filter((line) => line.includes("stack"))).toEqual([]);
});

test("[ERR-20] returns only an id for an unexpected error, and logs the error under it", async () => {
  const edge = await openEdge({
    matchStop: async () => {
      throw new Error("relation users does not exist");
    },
  });
  const answer = await signedCall<typeof endpoints.matchStop, { id: string }>(edge.ana, endpoints.matchStop, {
    user_id: 1,
  });
  expect(answer).toEqual({
    status: 500,
    code: 500,
    data: { id: expect.stringMatching(/^[0-9a-f]{12}$/) },
    msg: "server error",
  });
  expect(edge.logged.join("")).toContain(answer.data.id);
  expect(edge.logged.join("")).toContain("relation users does not exist");
});

test("[GUARD-23] logs a request in one line with path, code and time, without query, headers or body", async () => {
  const edge = await openEdge({ matchStop: async () => ({}) });
  const { body, contentType } = formBytes({ user_id: 1 });
  const headers = { "content-type": contentType, ...signedHeaders(edge.ana, endpoints.matchStop.path, body) };
  await edge.app.inject({ method: "POST", url: `${endpoints.matchStop.path}?secret=1`, headers, payload: body });
  await vi.waitFor(() => expect(edge.logged).toHaveLength(1));
  const { time, ...line } = JSON.parse(edge.logged[0] ?? "") as Record<string, unknown>;
  expect(time).toBeTypeOf("string");
  expect(line).toEqual({
    level: "info",
    path: endpoints.matchStop.path,
    code: 200,
    ms: expect.any(Number),
    msg: "answered",
  });
});

test("answers unknown requests and GET with HTTP 200, code 404 and a reason that ends no session", async () => {
  const edge = await openEdge();
  for (const [method, url] of [
    ["POST", "/api/nothing"],
    ["GET", "/api/login"],
    ["POST", "/api"],
    ["DELETE", "/api/login"],
    ["POST", "/admin/nothing"],
  ] as const) {
    const answer = await edge.app.inject({
      method,
      url,
      headers: { "content-type": "application/json" },
      payload: method === "GET" ? "" : "{}",
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ code: 404, data: { reason: "unknown_call" }, msg: "no such endpoint" });
  }
});

test("accepts a browser's fetch over loopback, also after a rejected body", async () => {
  const edge = await openEdge({ matchStop: async () => ({}) });
  const baseUrl = await edge.app.listen({ host: "127.0.0.1", port: 0 });
  const body = Buffer.alloc(200_000, "x");
  const headers = {
    "content-type": "multipart/form-data; boundary=b",
    ...signedHeaders(edge.ana, "/api/video/match/stop", body),
  };
  const refused = await fetch(`${baseUrl}/api/video/match/stop`, { method: "POST", headers, body });
  expect([refused.status, await refused.json()]).toMatchObject([413, { code: 413 }]);
  expect(await signedCall({ ...edge.ana, target: baseUrl }, endpoints.matchStop, { user_id: 1 })).toMatchObject({
    code: 200,
  });
});

test("sends the date of a response, by which a page sets its clock", async () => {
  const edge = await openEdge({ matchStop: async () => ({}) });
  const baseUrl = await edge.app.listen({ host: "127.0.0.1", port: 0 });
  const { path, headers, body } = preparedCall(edge.ana, endpoints.matchStop, { user_id: 1 });
  const answer = await fetch(`${baseUrl}${path}`, { method: "POST", headers, body: new Uint8Array(body) });
  expect(await answer.json()).toMatchObject({ code: 200 });
  expect(Math.abs(Date.parse(answer.headers.get("date") ?? "") - Date.now())).toBeLessThan(30_000);
});

test("[GUARD-24] ignores forwarded addresses unless they come from a trusted proxy", async () => {
  const seen: string[] = [];
  const getLanguage = async ({ ip }: { ip: string }) => {
    seen.push(ip);
    return {} as Settings;
  };
  for (const trustedProxies of [[], ["127.0.0.1", "10.0.0.0/8"], ["192.0.2.1"]]) {
    const edge = await openEdge({ getLanguage }, { trustedProxies });
    const { body, contentType } = formBytes({});
    const headers = {
      "content-type": contentType,
      "x-forwarded-for": "198.51.100.9, 203.0.113.5, 10.1.2.3",
      ...signedHeaders(edge.visitor, endpoints.getLanguage.path, body),
    };
    await edge.app.inject({ method: "POST", url: endpoints.getLanguage.path, headers, payload: body });
  }
  expect(seen).toEqual(["127.0.0.1", "203.0.113.5", "127.0.0.1"]);
});

test("[GUARD-20] adds the security headers to pages and responses", async () => {
  const edge = await openEdge();
  const page = await edge.app.inject("/");
  const policy = String(page.headers["content-security-policy"]);
  for (const part of [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "report-uri /reports/csp",
  ]) {
    expect(policy.split("; ")).toContain(part);
  }
  expect(page.headers["permissions-policy"]).toMatch(/^camera=\(self\), microphone=\(self\), display-capture=\(\)/);
  expect(page.headers).toMatchObject({
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin-allow-popups",
  });
  expect(page.headers["strict-transport-security"]).toBeUndefined();
  const call = await edge.app.inject({ method: "POST", url: "/api/login" });
  expect(call.headers).toMatchObject({ "x-content-type-options": "nosniff", "cache-control": "no-store" });
  expect(call.headers["content-security-policy"]).toMatch(/^default-src 'none'/);
  for (const url of ["/admin/desk", "/admin/nothing"]) {
    const desk = await edge.app.inject({ method: "POST", url });
    expect(desk.headers).toMatchObject({ "cache-control": "no-store", "content-security-policy": expect.anything() });
    expect(desk.headers["content-security-policy"]).toBe(call.headers["content-security-policy"]);
  }
  expect((await edge.app.inject("/admin")).headers["content-security-policy"]).toBe(policy);
});

test("[GUARD-20] allows exactly the hosts of the live providers, and adds HSTS in production", async () => {
  const edge = await openEdge({}, { production: true, contentHosts: [providerHosts.google, providerHosts.apple] });
  const { headers } = await edge.app.inject("/");
  const policy = String(headers["content-security-policy"]).split("; ");
  expect(policy).toContain("script-src 'self' https://accounts.google.com/gsi/client https://appleid.cdn-apple.com");
  expect(policy).toContain("frame-src 'self' https://accounts.google.com/gsi/ https://appleid.apple.com");
  expect(policy.join()).not.toContain("facebook");
  expect(headers["strict-transport-security"]).toMatch(/^max-age=\d+/);
});

test("asks for reports by the Reporting API only over TLS, as a trusted proxy says", async () => {
  const edge = await openEdge({}, { trustedProxies: ["127.0.0.1"] });
  const [plain, secure] = await Promise.all(
    ["http", "https"].map((protocol) => edge.app.inject({ url: "/", headers: { "x-forwarded-proto": protocol } })),
  );
  expect(plain?.headers["content-security-policy"]).not.toContain("report-to");
  expect(plain?.headers["reporting-endpoints"]).toBeUndefined();
  expect(secure?.headers["content-security-policy"]).toMatch(/; report-uri \/reports\/csp; report-to csp$/);
  expect(secure?.headers["reporting-endpoints"]).toBe('csp="/reports/csp"');
});

test("reports Redis in readiness without waiting for it", async () => {
  const redis = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error("away"));
  const edge = await openEdge({}, { engineChecks: { redis } });
  const away = await edge.app.inject("/readyz");
  expect([away.statusCode, away.json()]).toEqual([200, { status: "ready", checks: { redis: "failing" } }]);
  redis.mockResolvedValueOnce();
  expect((await edge.app.inject("/readyz")).json()).toEqual({ status: "ready", checks: { redis: "ready" } });
});

test("logs a failing readiness check once, and its recovery once", async () => {
  const bucket = vi.fn<() => Promise<void>>().mockRejectedValue(new Error("away"));
  const edge = await openEdge({}, { engineChecks: { bucket } });
  const checks = () => edge.logged.filter((line) => line.includes("readiness check"));
  for (let times = 0; times < 3; times += 1) await edge.app.inject("/readyz");
  expect(checks()).toHaveLength(1);
  bucket.mockResolvedValue();
  for (let times = 0; times < 3; times += 1) await edge.app.inject("/readyz");
  expect(checks()).toHaveLength(2);
});

test("derives readiness from its checks, and health from the process alone", async () => {
  let databaseIsThere = true;
  const database = async () => {
    if (!databaseIsThere) throw new Error("connection refused");
  };
  const edge = await openEdge({}, { readyChecks: { database } });
  expect((await edge.app.inject("/readyz")).json()).toEqual({ status: "ready", checks: { database: "ready" } });
  databaseIsThere = false;
  const answer = await edge.app.inject("/readyz");
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toEqual({ status: "not_ready", checks: { database: "failing" } });
  expect((await edge.app.inject("/healthz")).statusCode).toBe(200);
});

test("closes the connection of each response while the server drains", async () => {
  let isDraining = false;
  const edge = await openEdge({}, { isDraining: () => isDraining });
  const connection = async () => (await edge.app.inject("/healthz")).headers.connection;
  expect(await connection()).not.toBe("close");
  isDraining = true;
  expect(await connection()).toBe("close");
});

test("counts requests in metrics, which only this machine may read", async () => {
  const edge = await openEdge({ matchStop: async () => ({}) });
  await signedCall(edge.ana, endpoints.matchStop, { user_id: 1 });
  const own = await edge.app.inject("/metrics");
  expect(own.body).toContain(`fava_calls_total{call="${endpoints.matchStop.path}",code="200"} 1`);
  expect((await edge.app.inject({ url: "/metrics", remoteAddress: "203.0.113.5" })).statusCode).toBe(404);
  for (const name of ["x-forwarded-for", "forwarded", "x-real-ip"])
    expect((await edge.app.inject({ url: "/metrics", headers: { [name]: "203.0.113.5" } })).statusCode).toBe(404);
});

test("ends kept connections while closing: with a response, when idle, and after 5 s by force", async () => {
  const open = new Map<string, () => void>();
  const edge = await openEdge(
    {},
    {
      plugins: async (app) =>
        void app.get<{ Params: { name: string } }>("/slow/:name", async ({ params }) => {
          await new Promise<void>((resolve) => open.set(params.name, resolve));
          return "done";
        }),
    },
  );
  const address = await edge.app.listen({ host: "127.0.0.1", port: 0 });
  const agent = new Agent({ keepAlive: true });
  const ask = (name: string) =>
    new Promise<IncomingMessage>((resolve, reject) =>
      get(`${address}/slow/${name}`, { agent }, (answer) => resolve(answer.resume())).once("error", reject),
    );
  const [first, second] = [ask("first"), ask("second")];
  second.catch(() => undefined);
  await vi.waitFor(() => expect(open.size).toBe(2));
  let isClosed = false;
  const closing = edge.app.close().then(() => (isClosed = true));
  await vi.waitFor(() => expect(edge.clock.pendingCount).toBeGreaterThanOrEqual(2));
  open.get("first")?.();
  expect((await first).headers.connection).toBe("close");
  edge.clock.advance(4_999);
  expect(isClosed).toBe(false);
  edge.clock.advance(1);
  await expect(second).rejects.toThrow("socket hang up");
  await closing;
  agent.destroy();
});

test("limits every wait of a connection", async () => {
  const { app } = await openEdge();
  const { requestTimeout, headersTimeout, keepAliveTimeout, timeout, maxRequestsPerSocket } = app.server;
  expect({ requestTimeout, headersTimeout, keepAliveTimeout, timeout, maxRequestsPerSocket }).toEqual({
    requestTimeout: 120_000,
    headersTimeout: 10_000,
    keepAliveTimeout: 65_000,
    timeout: 60_000,
    maxRequestsPerSocket: 10_000,
  });
});

test("serves the routes of further plugins with the security headers", async () => {
  const edge = await openEdge({}, { plugins: async (app) => void app.get("/extra", async () => ({ extra: true })) });
  const answer = await edge.app.inject("/extra");
  expect(answer.json()).toEqual({ extra: true });
  expect(answer.headers["x-content-type-options"]).toBe("nosniff");
});

test("[GUARD-21] counts an IPv6 /64 as one address, and an IPv4 address in any notation as one", async () => {
  const limits = new LocalLimits({ factor: 1 });
  const take = (address: string) => limits.take("registerByAddress", address);
  for (const end of ["1", "2", "3:4", "5", "6"]) expect(await take(`2001:db8:1:2::${end}`)).toBeNull();
  expect(await take("2001:db8:1:2:ffff::1")).toBeGreaterThan(0);
  expect(await take("2001:db8:1:3::1")).toBeNull();
  for (let count = 0; count < 5; count += 1)
    expect(await take(count % 2 ? "203.0.113.7" : "::ffff:203.0.113.7")).toBeNull();
  expect(await take("203.0.113.7")).toBeGreaterThan(0);
});
