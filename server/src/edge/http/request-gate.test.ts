import { Readable } from "node:stream";
import { describe, expect, test, vi } from "vitest";
import type { Endpoint } from "@fava/wire/endpoint.ts";
import { networkTestsPerHourMax } from "@fava/wire/limits.ts";
import { endpoints } from "@fava/wire/endpoints.ts";
import { roles } from "@fava/wire/people.ts";
import { LocalNonces } from "#adapters/local/nonces.ts";
import { LocalLimits } from "#adapters/local/rate-limits.ts";
import { EndpointError } from "#lib/errors.ts";
import type { Handlers } from "#ports/handlers.ts";
import { anaKey, anaSession, bannedNotice, liveAna, openEdge, sendTo } from "#test/fixtures/edge.ts";
import { preparedCall, type SentCall, signedCall, signedHeaders } from "#test/fixtures/signed-call.ts";
import { openSocket, transports } from "#test/fixtures/transports.ts";

const search = { user_id: 1, sex: 0, country: 0 } as const;

function stubs() {
  return {
    matchStart: vi.fn<Handlers["matchStart"]>(async (_context, { country }) => ({
      state: "searching",
      price: country,
      since: 7,
    })),
    matchStop: vi.fn<Handlers["matchStop"]>(async () => ({})),
    getLanguage: vi.fn<Handlers["getLanguage"]>(async () => ({}) as Awaited<ReturnType<Handlers["getLanguage"]>>),
    login: vi.fn<Handlers["login"]>(async () => ({}) as Awaited<ReturnType<Handlers["login"]>>),
    recoveryLogin: async () => ({}) as Awaited<ReturnType<Handlers["recoveryLogin"]>>,
    testRoomSign: vi.fn<Handlers["testRoomSign"]>(async () => ({
      token: "room",
      iceServers: [],
      policy: "all",
      expiresAt: 1,
    })),
    active: vi.fn<Handlers["active"]>(async () => ({})),
    adminMailTest: vi.fn<Handlers["adminMailTest"]>(async () => ({ outcome: "sent" })),
  };
}

describe.each(transports)("[SIGN-60] $name", ({ open, statusOf, bodyBytesMax }) => {
  describe("a valid request", () => {
    test("[SIGN-17] returns an envelope, and passes numbers as numbers", async () => {
      const handlers = stubs();
      const edge = await open(handlers);
      const answer = await signedCall(edge.ana, endpoints.matchStart, { ...search, country: 12 });
      expect(answer).toEqual({ status: statusOf(200), code: 200, data: { state: "searching", price: 12, since: 7 } });
      expect(handlers.matchStart.mock.calls[0]?.[0]).toMatchObject({
        session: anaSession,
        ip: "127.0.0.1",
        language: "en",
      });
    });

    test("passes emoji, Arabic and mixed newlines unchanged", async () => {
      const handlers = stubs();
      const edge = await open(handlers);
      const offer = "سلام \u{1F44B}\r\na\nb\rc --b0";
      await signedCall(edge.ana, endpoints.matchStart, { ...search, offer });
      expect(handlers.matchStart.mock.calls[0]?.[1].offer).toBe(offer);
    });
  });

  describe("[SIGN-10] errors, in their order", () => {
    test("1: limits the rate of an address before any other check", async () => {
      const handlers = stubs();
      const edge = await open(handlers, { limits: new LocalLimits({ factor: 1 }) });
      for (let count = 0; count < 60; count += 1) await signedCall(edge.ana, endpoints.matchStop, { user_id: 1 });
      const unsigned = { path: endpoints.matchStop.path, headers: {}, body: Buffer.alloc(0) };
      expect(await sendTo(edge, unsigned)).toMatchObject({
        status: statusOf(429),
        code: 429,
        data: { retry_after: expect.any(Number) },
      });
      expect(handlers.matchStop).toHaveBeenCalledTimes(60);
    });

    test.each([
      ["timestamp", undefined],
      ["timestamp", "176722560000"],
      ["timestamp", "1767225600000.0"],
      ["nonce", undefined],
      ["nonce", "AB".repeat(16)],
      ["signature", undefined],
      ["signature", "0".repeat(63)],
      ["token", "with space"],
    ])("2: rejects the header %s as %s", async (name, value) => {
      const edge = await open(stubs());
      const call = preparedCall(edge.ana, endpoints.matchStart, search);
      if (value === undefined) delete call.headers[name];
      else call.headers[name] = value;
      expect(await sendTo(edge, call)).toMatchObject({ status: statusOf(400), code: 400, data: { field: name } });
    });

    test("[SIGN-14] 3: tells a clock more than 300 s off the server time, before it looks up the session", async () => {
      const edge = await open(stubs());
      edge.clock.advance(300_000);
      const serverTime = edge.clock.nowMs();
      for (const offsetMs of [-300_001, 300_001]) {
        const off = { ...edge.ana, token: "tok_unknown", nowMs: () => serverTime + offsetMs };
        expect(await signedCall(off, endpoints.matchStart, search)).toMatchObject({
          status: statusOf(460),
          code: 460,
          data: { server_time: serverTime },
        });
      }
      for (const offsetMs of [-300_000, 300_000]) {
        const near = { ...edge.ana, nowMs: () => serverTime + offsetMs };
        expect(await signedCall(near, endpoints.matchStart, search)).toMatchObject({ code: 200 });
      }
    });

    test("[SIGN-26] 3: rejects a request after a restart that was captured before it", async () => {
      const edge = await open(stubs());
      edge.clock.advance(60_000);
      const captured = preparedCall(edge.ana, endpoints.matchStart, search);
      expect(await sendTo(edge, captured)).toMatchObject({ code: 200 });
      expect(await sendTo(edge, captured)).toMatchObject({ code: 462 });
      edge.clock.advance(1);
      const nonces = new LocalNonces({ clock: edge.clock });
      const restarted = await open(stubs(), { nonces, clock: edge.clock });
      expect(await sendTo(restarted, captured)).toMatchObject({ code: 460, data: { server_time: edge.clock.nowMs() } });
      expect(await signedCall(edge.ana, endpoints.matchStart, search)).toMatchObject({ code: 200 });
    });

    test("4: tells why a session ended, and rejects a request that needs one", async () => {
      const edge = await open(stubs());
      edge.tokens.set("tok_old", { kind: "ended", reason: "kicked", signKeys: [anaKey] });
      const old = { ...edge.ana, token: "tok_old" };
      expect(await signedCall(old, endpoints.matchStart, search)).toMatchObject({
        status: statusOf(404),
        code: 404,
        data: { reason: "kicked" },
      });
      expect(await signedCall({ ...old, token: "tok_unknown" }, endpoints.matchStart, search)).toMatchObject({
        code: 404,
        data: { reason: "expired" },
      });
      expect(await signedCall(edge.visitor, endpoints.matchStart, search)).toMatchObject({
        code: 404,
        data: { reason: "expired" },
      });
    });

    test("4: sends the ban notice to a banned user", async () => {
      const edge = await open(stubs());
      edge.tokens.set("tok_banned", { kind: "banned", notice: bannedNotice });
      expect(await signedCall({ ...edge.ana, token: "tok_banned" }, endpoints.matchStart, search)).toMatchObject({
        status: statusOf(408),
        code: 408,
        data: bannedNotice,
      });
    });

    test("5: rejects a body over the limit, after the check of the session", async () => {
      const edge = await open(stubs());
      const body = Buffer.alloc(bodyBytesMax + 1, "x");
      const headers = {
        "content-type": "multipart/form-data; boundary=b",
        ...signedHeaders(edge.ana, endpoints.matchStart.path, body),
      };
      const call = { path: endpoints.matchStart.path, headers, body };
      expect(await sendTo(edge, call)).toMatchObject({ status: statusOf(413), code: 413 });
      delete (headers as Record<string, string>)["token"];
      expect(await sendTo(edge, call)).toMatchObject({ status: statusOf(404), code: 404 });
    });

    test("6: rejects the signature after one changed byte of body, path, nonce, timestamp, token or key", async () => {
      const handlers = stubs();
      const edge = await open(handlers);
      edge.tokens.set("tok_other", liveAna);
      const spoil: ((call: SentCall) => void)[] = [
        (call) => void (call.body[call.body.length - 1] = 0),
        (call) => void (call.path = endpoints.matchStop.path),
        (call) => void (call.headers["nonce"] = "cd".repeat(16)),
        (call) => void (call.headers["timestamp"] = String(edge.clock.nowMs() + 1)),
        (call) => void (call.headers["token"] = "tok_other"),
        (call) => void (call.headers["signature"] = "0".repeat(64)),
      ];
      for (const change of spoil) {
        const call = preparedCall(edge.ana, endpoints.matchStart, search);
        change(call);
        expect(await sendTo(edge, call)).toMatchObject({ status: statusOf(461), code: 461 });
      }
      expect(handlers.matchStart).not.toHaveBeenCalled();
    });

    test("[SIGN-15] 7: rejects a replay, and uses up a nonce only with a valid signature", async () => {
      const handlers = stubs();
      const edge = await open(handlers);
      const call = preparedCall(edge.ana, endpoints.matchStart, search);
      const forged = { ...call, headers: { ...call.headers, signature: "0".repeat(64) } };
      expect(await sendTo(edge, forged)).toMatchObject({ code: 461 });
      expect(await sendTo(edge, call)).toMatchObject({ code: 200 });
      expect(await sendTo(edge, call)).toMatchObject({ status: statusOf(462), code: 462 });
      expect(handlers.matchStart).toHaveBeenCalledOnce();
    });

    test("7: rejects every request while nonces cannot be stored", async () => {
      const handlers = stubs();
      const edge = await open(handlers, {});
      const full = await open(handlers, { nonces: new LocalNonces({ clock: edge.clock, sessionNoncesMax: 1 }) });
      expect(await signedCall(full.ana, endpoints.matchStart, search)).toMatchObject({ code: 200 });
      expect(await signedCall(full.ana, endpoints.matchStart, search)).toMatchObject({
        status: statusOf(429),
        code: 429,
      });
    });

    test("[GUARD-21] 8: limits searches per user, from any address", async () => {
      const handlers = stubs();
      const limits = new LocalLimits({ factor: 1 });
      const edge = await open(handlers, { limits, trustedProxies: ["127.0.0.1"] });
      const answers: number[] = [];
      for (let count = 0; count < 61; count += 1) {
        const call = preparedCall(edge.ana, endpoints.matchStart, search);
        call.headers["x-forwarded-for"] = `203.0.113.${count}`;
        answers.push((await sendTo(edge, call)).code);
      }
      expect(answers).toEqual([...Array.from({ length: 60 }, () => 200), 429]);
    });

    test("8: rejects a user with an incomplete profile before the input is read", async () => {
      const edge = await open(stubs());
      edge.tokens.set("tok_new", { ...liveAna, session: { ...anaSession, profileComplete: false } });
      const answer = await signedCall({ ...edge.ana, token: "tok_new" }, endpoints.matchStart, { ...search, sex: 9 });
      expect(answer).toMatchObject({ status: statusOf(403), code: 403, data: { reason: "profile_incomplete" } });
    });

    test.each([
      ["an unknown field", { ...search, admin: "1" }, "admin"],
      ["a missing field", { user_id: 1, sex: 0 }, "country"],
      ["a word for a number", { ...search, country: "many" }, "country"],
      ["a fraction", { ...search, country: "1.5" }, "country"],
      ["a number of another base", { ...search, country: "0x10" }, "country"],
      ["a number out of range", { ...search, sex: 3 }, "sex"],
      ["a text that is too long", { ...search, offer: "x".repeat(20_001) }, "offer"],
      ["a field named like a prototype", { ...search, __proto__x: 1, constructor: 1 }, "__proto__x"],
    ])("8: rejects %s and names the field", async (what, fields, field) => {
      const handlers = stubs();
      const edge = await open(handlers);
      const fault = /unknown|missing/.exec(what)?.[0] ?? (field === "__proto__x" ? "unknown" : "malformed");
      expect(await sendTo(edge, preparedCall(edge.ana, endpoints.matchStart, fields))).toMatchObject({
        status: statusOf(400),
        code: 400,
        data: { field },
        msg: `a field is ${fault}`,
      });
      expect(handlers.matchStart).not.toHaveBeenCalled();
    });

    test("[SIGN-13] rejects a request in another user's name", async () => {
      const handlers = stubs();
      const edge = await open(handlers);
      expect(await signedCall(edge.ana, endpoints.matchStart, { ...search, user_id: 2 })).toMatchObject({
        code: 403,
        data: { reason: "not_yours" },
      });
      expect(handlers.matchStart).not.toHaveBeenCalled();
    });
  });
});

describe("by POST only", () => {
  test("[SIGN-1] accepts the documented test vector byte for byte", async () => {
    const handlers = stubs();
    const edge = await openEdge(handlers);
    edge.tokens.set("tok_example", liveAna);
    const boundary = `b${"0".repeat(32)}`;
    const part = (name: string, value: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const body = Buffer.from(`${part("userId", "1")}${part("language", "en")}--${boundary}--\r\n`);
    // No endpoint has the vector's own path, so its bytes go to another path with a signature for that.
    const path = endpoints.userInfo.path;
    const signed = signedHeaders({ token: "tok_example", signKey: anaKey, nowMs: () => 1_767_225_600_000 }, path, body);
    const answer = await sendTo(edge, {
      path,
      body,
      headers: { ...signed, "content-type": `multipart/form-data; boundary=${boundary}` },
    });
    // The signature was accepted: only the second field of this request is missing.
    expect(answer).toMatchObject({ code: 400, data: { field: "otherId" } });
  });

  test("[SIGN-22] accepts language on every endpoint, and uses en for one without a catalog", async () => {
    const handlers = stubs();
    const edge = await openEdge(handlers);
    await signedCall(edge.visitor, endpoints.getLanguage, { language: "ar" });
    await signedCall(edge.visitor, endpoints.getLanguage, { language: "xx" });
    expect(handlers.getLanguage.mock.calls.map(([context]) => context.language)).toEqual(["ar", "en"]);
  });

  test("requires the key of the session for a public request with a token", async () => {
    const handlers = stubs();
    const edge = await openEdge(handlers);
    expect(await signedCall(edge.ana, endpoints.getLanguage, {})).toMatchObject({ code: 200 });
    expect(handlers.getLanguage.mock.calls[0]?.[0].session).toEqual(anaSession);
    const publicSign = { ...edge.ana, signKey: Buffer.from("fava-web") };
    expect(await signedCall(publicSign, endpoints.getLanguage, {})).toMatchObject({ code: 461 });
  });

  test("[SIGN-10] 1: limits requests per address before any other check", async () => {
    const handlers = stubs();
    const edge = await openEdge(handlers, { limits: new LocalLimits({ factor: 1 }) });
    for (let count = 0; count < 60; count += 1) await signedCall(edge.visitor, endpoints.getLanguage, {});
    const answer = await edge.app.inject({ method: "POST", url: endpoints.getLanguage.path });
    expect(answer.statusCode).toBe(429);
    expect(answer.json()).toMatchObject({ code: 429, data: { retry_after: expect.any(Number) } });
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    expect(handlers.getLanguage).toHaveBeenCalledTimes(60);
  });

  test("allows an administrator three test mails a minute", async () => {
    const edge = await openEdge(stubs(), { limits: new LocalLimits({ factor: 1 }) });
    edge.tokens.set("tok_ada", { ...liveAna, session: { ...anaSession, role: roles.administrator } });
    const codeOf = async () => (await signedCall({ ...edge.ana, token: "tok_ada" }, endpoints.adminMailTest, {})).code;
    expect([await codeOf(), await codeOf(), await codeOf(), await codeOf()]).toEqual([200, 200, 200, 429]);
  });

  test("allows six network tests an hour, and still gives credentials for a call", async () => {
    const edge = await openEdge(stubs(), { limits: new LocalLimits({ factor: 1 }) });
    const codeOf = async (network: 0 | 1) => (await signedCall(edge.ana, endpoints.testRoomSign, { network })).code;
    const answers: number[] = [];
    for (let count = 0; count <= networkTestsPerHourMax; count += 1) answers.push(await codeOf(1));
    expect(answers).toEqual([...Array.from({ length: networkTestsPerHourMax }, () => 200), 429]);
    expect(await codeOf(0)).toBe(200);
  });

  test("[SIGN-10] 5: rejects a body over the limit, also without a declared length", async () => {
    const edge = await openEdge(stubs());
    const { path } = endpoints.matchStart;
    const body = Buffer.alloc(endpoints.matchStart.bodyBytesMax + 1, "x");
    const headers = { "content-type": "multipart/form-data; boundary=b", ...signedHeaders(edge.ana, path, body) };
    const payload = Readable.from([body.subarray(0, 9), body.subarray(9)]);
    const chunked = await edge.app.inject({ method: "POST", url: path, headers, payload });
    expect([chunked.statusCode, chunked.json()]).toMatchObject([413, { code: 413 }]);
  });

  test("[GUARD-21] 8: limits sign-ins per device, and per identity and address", async () => {
    const handlers = stubs();
    const limits = new LocalLimits({ factor: 1 });
    const edge = await openEdge(handlers, { limits, trustedProxies: ["127.0.0.1"] });
    const login = { login_type: 1, third_party_token: "t", source: 1 } as const;
    const signIn = async (ip: string, fields: { third_party_id: string; imei?: string }) => {
      const call = preparedCall(edge.visitor, endpoints.login, { ...login, ...fields });
      call.headers["x-forwarded-for"] = ip;
      return (await sendTo(edge, call)).code;
    };
    const codesOf = async (codeOf: (count: number) => Promise<number>) => {
      const answers: number[] = [];
      for (let count = 0; count < 11; count += 1) answers.push(await codeOf(count));
      return answers;
    };
    const tenThenWait = [...Array.from({ length: 10 }, () => 200), 429];
    const fromAnywhere = (count: number) => `203.0.113.${count}`;
    const device = (count: number) =>
      signIn(fromAnywhere(count), { third_party_id: `person ${count}`, imei: "one device" });
    expect(await codesOf(device)).toEqual(tenThenWait);
    // An attacker who knows the id locks out only their own household.
    const ana = { third_party_id: "ana" };
    expect(await codesOf((count) => signIn(`2001:db8::${count + 1}`, ana))).toEqual(tenThenWait);
    expect(await codesOf((count) => signIn(fromAnywhere(count), ana))).toEqual(Array(11).fill(200));
  });

  test("[GUARD-21, SIGNIN-97] limits recovery codes per account and address, and per address", async () => {
    const handlers = stubs();
    const limits = new LocalLimits({ factor: 1 });
    const edge = await openEdge(handlers, { limits, trustedProxies: ["127.0.0.1"] });
    const recover = async (ip: string, user_no: string) => {
      const call = preparedCall(edge.visitor, endpoints.recoveryLogin, { user_no, code: "wrong", source: 1 });
      call.headers["x-forwarded-for"] = ip;
      return (await sendTo(edge, call)).code;
    };
    const codesOf = async (count: number, one: (number: number) => Promise<number>) => {
      const answers: number[] = [];
      for (let number = 0; number < count; number += 1) answers.push(await one(number));
      return answers;
    };
    const sameAccount = await codesOf(6, (number) => recover("203.0.113.7", number % 2 === 0 ? "123 456" : "123456"));
    expect(sameAccount).toEqual([200, 200, 200, 200, 200, 429]);
    expect(await recover("203.0.113.8", "123456")).toBe(200);
    const manyAccounts = await codesOf(21, (number) => recover("203.0.113.9", String(number)));
    expect(manyAccounts).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
  });

  test("[SIGN-13] rejects a request in another user's name in every field that names the caller", async () => {
    const edge = await openEdge(stubs());
    expect(await signedCall(edge.ana, endpoints.userInfo, { userId: 2, otherId: 1 })).toMatchObject({
      code: 403,
      data: { reason: "not_yours" },
    });
  });
});

describe("a request over the socket", () => {
  test("[SIGN-63] rejects a nonce that was used on the other transport", async () => {
    const handlers = stubs();
    const edge = await openEdge(handlers);
    const { send } = await openSocket(edge);
    const [posted, said] = [0, 1].map(() => preparedCall(edge.ana, endpoints.matchStart, search));
    expect(await sendTo(edge, posted!)).toMatchObject({ code: 200 });
    expect(await sendTo({ send }, posted!)).toMatchObject({ code: 462 });
    expect(await sendTo({ send }, said!)).toMatchObject({ code: 200 });
    expect(await sendTo(edge, said!)).toMatchObject({ code: 462 });
    expect(handlers.matchStart).toHaveBeenCalledTimes(2);
  });

  test("[SIGN-64] rejects a session of another user than the chat session's", async () => {
    const handlers = stubs();
    const edge = await openEdge(handlers);
    const { send } = await openSocket(edge, 2n);
    const call = preparedCall(edge.ana, endpoints.matchStart, search);
    expect(await sendTo({ send }, call)).toMatchObject({ code: 403, data: { reason: "not_yours" } });
    expect(handlers.matchStart).not.toHaveBeenCalled();
  });

  test("rejects unknown requests, and those not declared for the socket", async () => {
    const edge = await openEdge();
    const { send } = await openSocket(edge);
    const paths = Object.values<Endpoint>(endpoints).filter(({ overSocket }) => !overSocket);
    const others = [...paths, { path: "/api/nothing" }, { path: "" }, { path: `${endpoints.matchStart.path}?a=1` }];
    for (const endpoint of others)
      expect(await sendTo({ send }, preparedCall(edge.ana, endpoint, {}))).toMatchObject({
        code: 400,
        data: { field: "path" },
      });
    expect(Object.values<Endpoint>(endpoints).length - paths.length).toBe(7);
  });

  test("logs and counts it like a POST, without its content", async () => {
    const edge = await openEdge(stubs());
    const { send } = await openSocket(edge);
    const ana = { ...edge.ana, target: send };
    await signedCall(ana, endpoints.matchStart, search);
    await signedCall(edge.ana, endpoints.matchStart, search);
    const answered = () => edge.logged.filter((text) => text.includes("answered"));
    await vi.waitFor(() => expect(answered()).toHaveLength(2));
    const { time: _time, ...line } = JSON.parse(answered()[0] ?? "") as Record<string, unknown>;
    const { path } = endpoints.matchStart;
    expect(line).toEqual({ level: "info", path, code: 200, ms: expect.any(Number), over: "socket", msg: "answered" });
    const { body } = await edge.app.inject("/metrics");
    expect(body).toContain(`fava_calls_total{call="${path}",code="200"} 2`);
  });

  test("[SIGN-17] returns only an id for an unexpected error, and keeps code and data of a handler's refusal", async () => {
    const edge = await openEdge({
      matchStop: async () => {
        throw new Error("relation users does not exist");
      },
      startVideo: async () => {
        throw new EndpointError(402, "not enough beans", { needed: 5 });
      },
    });
    const { send } = await openSocket(edge);
    const ana = { ...edge.ana, target: send };
    expect(await signedCall(ana, endpoints.matchStop, { user_id: 1 })).toMatchObject({
      code: 500,
      data: { id: expect.stringMatching(/^[0-9a-f]{12}$/) },
      msg: "server error",
    });
    expect(await signedCall(ana, endpoints.startVideo, { user_id: 1, id: "m" })).toMatchObject({
      code: 402,
      data: { needed: 5 },
    });
  });
});
