import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { endpoint } from "@fava/wire/endpoint.ts";
import { formInteger } from "@fava/wire/form.ts";
import { requestTimeoutMs, signedAheadMsMax, smallRequestTimeoutMs } from "@fava/wire/limits.ts";
import { correctServerClock, serverNowMs } from "#lib/api/server-clock.ts";
import { keepSignKey } from "#lib/api/sign-keys.ts";
import { clearForSignOut, writeStored } from "#lib/storage.ts";
import { onRequestEvent, type RequestEvent } from "./request-events.ts";
import { type Carry, request, signAhead, smallRequest } from "./request.ts";

const follow = endpoint({
  path: "/api/user/follow",
  summary: "follow",
  access: "user",
  input: { userId: formInteger(1, 9), note: v.optional(v.string()) },
  output: v.object({ followStatus: v.number() }),
});

type Sent = { path: string; headers: Record<string, string>; body: string };
let sent: Sent[];
let events: RequestEvent[];
let stop: () => void;

/** Answers the requests one after the other; the last response repeats. */
function answer(...answers: readonly unknown[]): void {
  vi.stubGlobal(
    "fetch",
    vi.fn((path: string, init: { headers: Record<string, string>; body: Uint8Array }) => {
      sent.push({ path, headers: init.headers, body: new TextDecoder().decode(init.body) });
      const next = answers[Math.min(sent.length, answers.length) - 1];
      return next instanceof Error ? Promise.reject(next) : Promise.resolve(Response.json(next));
    }),
  );
}

beforeEach(() => {
  sent = [];
  events = [];
  stop = onRequestEvent((event) => events.push(event));
});

afterEach(() => {
  stop();
  clearForSignOut();
  correctServerClock(Date.now());
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("[SIGN-22] posts a signed multipart form with the language, and resolves to the data of the response", async () => {
  answer({ code: 200, data: { followStatus: 1 } });
  expect(await request(follow, { userId: 1 })).toEqual({ followStatus: 1 });
  expect(sent[0]?.path).toBe("/api/user/follow");
  expect(sent[0]?.headers["token"]).toBe("");
  expect(sent[0]?.headers["signature"]).toMatch(/^[0-9a-f]{64}$/);
  expect(sent[0]?.body).toContain('name="userId"\r\n\r\n1\r\n');
  expect(sent[0]?.body).toContain('name="language"\r\n\r\nen\r\n');
  expect(sent[0]?.body).not.toContain("note");
});

test("[SIGN-2] sends the token and signs with the key of the session", async () => {
  await keepSignKey("tok", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
  writeStored("loginToken", "tok");
  answer({ code: 200, data: { followStatus: 1 } });
  await request(follow, { userId: 1 });
  expect(sent[0]?.headers["token"]).toBe("tok");
});

test("corrects the clock on code 460 and signs again, once", async () => {
  const serverTime = Date.now() + 3_600_000;
  answer({ code: 460, data: { server_time: serverTime } }, { code: 200, data: { followStatus: 0 } });
  await request(follow, { userId: 1 });
  expect(sent).toHaveLength(2);
  expect(Number(sent[1]?.headers["timestamp"])).toBeGreaterThanOrEqual(serverTime);
  expect(serverNowMs()).toBeGreaterThanOrEqual(serverTime);
  answer({ code: 460, data: { server_time: serverTime } });
  sent = [];
  await expect(request(follow, { userId: 1 })).rejects.toMatchObject({ code: 460 });
  expect(sent).toHaveLength(2);
});

test("retries once with another nonce on code 462", async () => {
  answer({ code: 462, data: {} }, { code: 200, data: { followStatus: 0 } });
  await request(follow, { userId: 1 });
  expect(sent[1]?.headers["nonce"]).not.toBe(sent[0]?.headers["nonce"]);
});

test("[SIGN-66] signs, corrects and retries a request with its own carrier like one by POST", async () => {
  const serverTime = Date.now() + 3_600_000;
  answer({ code: 200, data: {} });
  const answers = [
    { code: 460, data: { server_time: serverTime } },
    { code: 200, data: { followStatus: 1 } },
  ];
  const carry = vi.fn<Carry>(async () => answers.shift());
  expect(await request(follow, { userId: 1 }, { carry })).toEqual({ followStatus: 1 });
  const [first, second] = carry.mock.calls.map(([one]) => one);
  expect([first?.path, first?.headers["content-type"]]).toEqual([
    "/api/user/follow",
    expect.stringMatching(/^multipart\/form-data; boundary=/),
  ]);
  expect(Number(second?.headers["timestamp"])).toBeGreaterThanOrEqual(serverTime);
  expect(second?.headers["nonce"]).not.toBe(first?.headers["nonce"]);
  expect(sent).toEqual([]);
});

test("[ERR-1] reports on code 404 that the session has ended, and why", async () => {
  answer({ code: 404, data: { reason: "kicked" } });
  await expect(request(follow, { userId: 1 })).rejects.toMatchObject({ code: 404, reason: "kicked" });
  expect(events).toEqual([{ type: "session-ended", token: "", reason: "kicked" }]);
});

test("[ERR-1] ends a session whose key the browser has lost", async () => {
  writeStored("loginToken", "tok-without-key");
  answer({ code: 200, data: {} });
  await expect(request(follow, { userId: 1 })).rejects.toMatchObject({ code: 404 });
  expect(sent).toEqual([]);
  expect(events).toEqual([{ type: "session-ended", token: "tok-without-key", reason: "expired" }]);
});

test("keeps the session on code 404 for an unknown endpoint", async () => {
  answer({ code: 404, data: { reason: "unknown_call" } });
  await expect(request(follow, { userId: 1 })).rejects.toMatchObject({ code: 404, reason: "unknown_call" });
  expect(events).toEqual([]);
});

test("[ERR-2] reports the ban notice of code 408", async () => {
  const notice = { id: "1048", reason_id: 1, reason: "x", time: null, appeal_token: "a" };
  answer({ code: 408, data: notice });
  await expect(request(follow, { userId: 1 })).rejects.toMatchObject({ code: 408 });
  expect(events).toEqual([{ type: "banned", token: "", notice }]);
});

test("[ERR-3] reports a missing network as a server error, unless the request is quiet", async () => {
  answer(new TypeError("Failed to fetch"));
  await expect(request(follow, { userId: 1 })).rejects.toMatchObject({ code: 0, reason: "network" });
  expect(events).toEqual([{ type: "server-error" }]);
  await expect(smallRequest(follow, { userId: 1 })).rejects.toMatchObject({ reason: "network" });
  expect(events).toHaveLength(1);
});

test("[ERR-3] reports an invalid response as a server error, but not a rejection by the server", async () => {
  answer({ code: 200, data: { followStatus: "yes" } });
  await expect(request(follow, { userId: 1 })).rejects.toMatchObject({ reason: "bad_answer" });
  answer({ code: 406, data: {}, msg: "not now" });
  await expect(request(follow, { userId: 1 })).rejects.toMatchObject({ code: 406, message: "not now" });
  expect(events).toEqual([{ type: "server-error" }]);
});

test("[SIGN-20] times out after 30 s, small requests after 10 s", async () => {
  const timeout = vi.spyOn(AbortSignal, "timeout");
  answer({ code: 200, data: { followStatus: 0 } });
  await request(follow, { userId: 1 });
  await smallRequest(follow, { userId: 1 });
  await smallRequest(follow, { userId: 1 }, { timeoutMs: 5_000 });
  expect(timeout.mock.calls.flat()).toEqual([requestTimeoutMs, smallRequestTimeoutMs, 5_000]);
});

test("[SIGN-20] reports a timeout as such, and an aborted request to nobody", async () => {
  answer(new DOMException("late", "TimeoutError"));
  await expect(request(follow, { userId: 1 })).rejects.toMatchObject({ reason: "timeout" });
  const controller = new AbortController();
  controller.abort();
  answer(new DOMException("gone", "AbortError"));
  await expect(request(follow, { userId: 1 }, { signal: controller.signal })).rejects.toMatchObject({
    reason: "aborted",
  });
  expect(events).toEqual([{ type: "server-error" }]);
});

test("fails at once without Web Crypto, and tells the page", async () => {
  vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
  answer({ code: 200, data: { followStatus: 0 } });
  await expect(request(follow, { userId: 1 })).rejects.toMatchObject({ code: 0, reason: "insecure" });
  expect(sent).toEqual([]);
  expect(events).toEqual([{ type: "insecure" }]);
});

describe("a request that was signed ahead", () => {
  const ok = { code: 200, data: { followStatus: 1 } };
  const signedIn = async () => {
    writeStored("loginToken", "token-1");
    await keepSignKey("token-1", "a2V5a2V5a2V5a2V5");
  };

  test("leaves in the turn that makes it, with that signature", async () => {
    answer(ok);
    await signedIn();
    const ahead = await signAhead(follow, { userId: 1 });
    const made = request(follow, { userId: 1 }, { ahead });
    expect(sent).toHaveLength(1);
    expect(sent[0]?.headers["signature"]).toBe(ahead?.headers["signature"]);
    expect(await made).toEqual({ followStatus: 1 });
  });

  test("is signed again when anything of it has changed", async () => {
    answer(ok);
    await signedIn();
    const ahead = await signAhead(follow, { userId: 1 });
    await request(follow, { userId: 2 }, { ahead });
    await request(follow, { userId: 1, note: "x" }, { ahead });
    writeStored("loginToken", "token-2");
    await keepSignKey("token-2", "a2V5a2V5a2V5a2V6");
    await request(follow, { userId: 1 }, { ahead });
    const used = ahead?.headers["signature"];
    expect(sent.map(({ headers }) => headers["signature"] === used)).toEqual([false, false, false]);
    expect(sent[2]?.headers["token"]).toBe("token-2");
  });

  test("is signed again when it is old, and when the server rejects its time or nonce", async () => {
    await signedIn();
    // Whole milliseconds: with fractions, a sum minus one part is not always exactly the other.
    const now = vi.spyOn(performance, "now").mockReturnValue(1_000);
    const ahead = await signAhead(follow, { userId: 1 });
    const used = ahead?.headers["signature"];
    answer({ code: 460, data: { server_time: Date.now() } }, ok);
    await request(follow, { userId: 1 }, { ahead });
    now.mockReturnValue(1_000 + signedAheadMsMax);
    await request(follow, { userId: 1 }, { ahead });
    expect(sent.map(({ headers }) => headers["signature"] === used)).toEqual([true, false, false]);
  });

  test("does not exist without a session", async () => {
    expect(await signAhead(follow, { userId: 1 })).toBeNull();
  });
});
