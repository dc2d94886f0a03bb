import { beforeEach, expect, test } from "vitest";
import { Registry } from "prom-client";
import { LocalLimits } from "#adapters/local/rate-limits.ts";
import { createTestDatabase, type TestDatabase } from "#test/fixtures/database.ts";
import { type Edge, openEdge } from "#test/fixtures/edge.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { CspReports, readCspReports } from "./csp-reports.ts";

const dayMs = 86_400_000;
const plainType = "application/csp-report";
const listType = "application/reports+json";

let database: TestDatabase;
let clock: TestClock;
let metrics: Registry;
let reports: CspReports;
let edge: Edge;

beforeEach(async () => {
  database = await createTestDatabase();
  clock = new TestClock(Date.parse("2026-11-29T12:00:00Z"));
  metrics = new Registry();
  reports = new CspReports({ db: database.db, limits: new LocalLimits({ factor: 1 }), clock, metrics });
  edge = await openEdge({}, { plugins: (app) => reports.route(app) });
});

async function send(payload: string, type = plainType, remoteAddress = "203.0.113.7"): Promise<number> {
  const headers = { "content-type": type, "user-agent": "Example Browser 1.0" };
  const answer = await edge.app.inject({ method: "POST", url: "/reports/csp", headers, payload, remoteAddress });
  return answer.statusCode === 200 ? answer.json<{ code: number }>().code : answer.statusCode;
}

const plain = (change: Record<string, unknown> = {}) =>
  JSON.stringify({
    "csp-report": {
      "document-uri": "https://fava.example/appeal?token=secret#there",
      referrer: "https://elsewhere.example/",
      "blocked-uri": "https://cdn.example/lib.js?key=secret",
      "effective-directive": "script-src-elem",
      "violated-directive": "script-src-elem",
      "original-policy": "default-src 'self'",
      "script-sample": "alert(1)",
      ...change,
    },
  });

const listed = (...bodies: Record<string, string>[]) =>
  JSON.stringify(bodies.map((body) => ({ type: "csp-violation", age: 3, url: "x", user_agent: "y", body })));

test("[GUARD-26] keeps directive, blocked host, path and count, and neither address nor browser", async () => {
  const one = { documentURL: "https://fava.example/appeal?x=1", blockedURL: "inline", effectiveDirective: "style-src" };
  expect(await send(plain())).toBe(204);
  expect(await send(plain(), plainType, "198.51.100.4")).toBe(204);
  expect(await send(listed(one, { ...one, blockedURL: "data:text/html,secret" }), listType)).toBe(204);
  expect(await reports.list()).toEqual({
    rows: [
      { directive: "script-src-elem", blocked: "cdn.example", path: "/appeal", count: 2, last_on: "2026-11-29" },
      { directive: "style-src", blocked: "data", path: "/appeal", count: 1, last_on: "2026-11-29" },
      { directive: "style-src", blocked: "inline", path: "/appeal", count: 1, last_on: "2026-11-29" },
    ],
  });
  const { rows } = await database.pool.query("select csp_reports::text from csp_reports");
  expect(JSON.stringify(rows)).not.toMatch(/secret|203\.0\.113|198\.51\.100|Browser|elsewhere|alert/);
});

test("[GUARD-26] deletes reports after 30 days", async () => {
  await send(plain());
  clock.advance(30 * dayMs);
  await reports.deleteExpired();
  expect((await reports.list()).rows).toHaveLength(1);
  clock.advance(dayMs);
  expect((await reports.list()).rows).toEqual([]);
  await reports.deleteExpired();
  expect((await database.pool.query("select from csp_reports")).rowCount).toBe(0);
});

test("counts by known directives only", async () => {
  await send(plain({ "effective-directive": "made-up", "violated-directive": "" }));
  await send(plain({ "effective-directive": "", "violated-directive": "img-src 'self' data:" }));
  const text = await metrics.metrics();
  expect(text).toContain('fava_csp_reports_total{directive="other"} 1');
  expect(text).toContain('fava_csp_reports_total{directive="img-src"} 1');
  expect(text).not.toContain("made-up");
});

test("rejects what is no report, other types and bodies over 8 KiB", async () => {
  for (const body of ["", "{", "[]x", "7", '{"csp-report":7}', '{"csp-report":{"document-uri":{}}}'])
    expect([body, await send(body)]).toEqual([body, 400]);
  expect(await send(plain(), "application/json")).toBe(400);
  expect(await send(plain({ referrer: "x".repeat(8_192) }))).toBe(413);
  expect((await reports.list()).rows).toEqual([]);
});

test("takes 20 requests a minute of one address, and 60 of all", async () => {
  const codes: number[] = [];
  for (let sent = 0; sent < 80; sent += 1) codes.push(await send(plain(), plainType, `198.51.100.${sent % 4}`));
  expect(codes.filter((code) => code === 204)).toHaveLength(60);
  expect(codes.filter((code) => code === 429)).toHaveLength(20);
  expect(await send(plain(), plainType, "203.0.113.9")).toBe(429);
});

test("stores at most 500 distinct reports a day, and goes on counting known ones", async () => {
  await database.pool.query(
    "insert into csp_reports select '2026-11-29', 'img-src', 'host' || n, '/', 1 from generate_series(1, 500) as n",
  );
  await send(plain());
  await send(
    plain({ "effective-directive": "img-src", "blocked-uri": "https://host7/", "document-uri": "https://x/" }),
  );
  expect((await database.pool.query("select from csp_reports")).rowCount).toBe(500);
  expect((await reports.list()).rows[0]).toMatchObject({ blocked: "host7", count: 2 });
});

test("reads a host, a scheme or a keyword of the blocked source", () => {
  const blockedOf = (uri: string) => readCspReports(plain({ "blocked-uri": uri }))[0]?.blocked;
  expect(blockedOf("wss://socket.example:444/x")).toBe("socket.example");
  expect(blockedOf("chrome-extension://abcdef/x.js")).toBe("chrome-extension");
  expect(blockedOf("wasm-eval")).toBe("wasm-eval");
  expect(blockedOf("<script>")).toBe("other");
});
