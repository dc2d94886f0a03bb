import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  socketHelloMs,
  socketOutboxMax,
  socketRequestsMax,
  socketResumeMs,
  socketSilenceMs,
} from "@fava/wire/limits.ts";
import { type Push, pushCodes } from "@fava/wire/pushes.ts";
import { socketCloseCodes } from "@fava/wire/socket.ts";
import type { SocketRequest } from "#ports/hub-listener.ts";
import { HubWorld } from "#test/fixtures/hub-world.ts";
import { SocketClient } from "#test/fixtures/socket-client.ts";

const sweepMs = 500;
const socketsMax = 4;
const notice = (text: string): Push => ({ code: pushCodes.reportNotice, text, outcome: "acted", reason_id: 4 });

let world: HubWorld;
beforeEach(async () => {
  world = await HubWorld.start({ socketsMax });
});
afterEach(() => world[Symbol.asyncDispose]());

describe("the upgrade", () => {
  test("[SOCKET-70] rejects a page of another host, and accepts our own pages and programs", async () => {
    const { host } = new URL(world.url);
    expect(await world.upgrade({ origin: "https://evil.example" })).toBe(403);
    expect(await world.upgrade({ origin: "null" })).toBe(403);
    expect(await world.upgrade({ origin: `http://${host}` })).toBe(101);
    expect(await world.upgrade({})).toBe(101);
  });

  test("[SOCKET-70] answers 404 at another path", async () => {
    expect(await world.upgrade({}, world.url.replace(/\/ws$/, "/other"))).toBe(404);
  });

  test("keeps no request in memory once the socket is open", async () => {
    await world.signedIn("ana");
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const isForgotten = () => {
      collect();
      return world.upgrades.every((request) => request.deref() === undefined);
    };
    await vi.waitUntil(isForgotten, { timeout: 10_000 });
    expect([world.upgrades.length, world.hub.presentCount()]).toEqual([1, 1]);
  });

  test("answers 503 beyond the maximum of sockets", async () => {
    for (let count = 0; count < socketsMax; count += 1) await world.connect();
    expect(await world.upgrade({})).toBe(503);
  });
});

test("[PEER-11] ends the chat session of an ended sign-in session, and no later one of the user", async () => {
  world.signInIds.set("ana", "first");
  const ana = await world.signedIn("ana");
  world.hub.signInEnded(1n, "another", socketCloseCodes.kicked);
  expect([world.hub.signInIds(), world.hub.isHere(1n)]).toEqual([["first"], true]);
  world.hub.signInEnded(1n, "first", socketCloseCodes.kicked);
  expect(await ana.closed).toBe(socketCloseCodes.kicked);
  expect([world.hub.signInIds(), world.hub.isHere(1n)]).toEqual([[], false]);
});

test("has received everything of a moving page once its last message is a ping", async () => {
  const [ana, bo, cem] = [await world.signedIn("ana"), await world.signedIn("bo"), await world.signedIn("cem")];
  for (const userId of [1n, 2n]) world.hub.move(userId);
  for (const page of [ana, bo, cem]) await page.settled();
  bo.send({ type: "search-media", state: "camera_off" });
  await world.untilHappened("search-media 2 camera_off");
  const released = [ana, bo, cem].map(({ sessionId }, index) =>
    world.hub.release(BigInt(index + 1), { sessionId, lastSequence: 0 }),
  );
  expect(released.map((session) => session?.hasSaidAll)).toEqual([true, false, false]);
});

describe("the hello", () => {
  test("[SOCKET-61] welcomes a user with a fresh session", async () => {
    const ana = await world.connect();
    expect(await ana.hello("ana")).toMatchObject({ resumed: false, sequence: 0 });
    expect([world.hub.isHere(1n), world.hub.isHere(2n), world.hub.presentCount()]).toEqual([true, false, 1]);
    expect(world.happened).toEqual(["arrived 1"]);
  });

  test("[SOCKET-61] rejects a wrong signature and closes", async () => {
    const ana = await world.connect();
    ana.send({ type: "hello", tencentId: "ana", tencentSign: "forged", resume: null });
    expect(await ana.closed).toBe(socketCloseCodes.badHello);
    expect(ana.received).toMatchObject([{ type: "error", reason: "bad_hello" }]);
    expect(world.hub.presentCount()).toBe(0);
  });

  test("[SOCKET-61] comes first, and comes once", async () => {
    const early = await world.connect();
    early.send({ type: "ping" });
    expect(await early.closed).toBe(socketCloseCodes.badHello);
    const twice = await world.signedIn("ana");
    twice.send({ type: "hello", tencentId: "bo", tencentSign: "sign-bo", resume: null });
    expect(await twice.next("error")).toMatchObject({ reason: "bad_frame" });
    expect([world.hub.isHere(1n), world.hub.isHere(2n)]).toEqual([true, false]);
  });

  test("[SOCKET-67] must come in time", async () => {
    const client = await world.connect();
    world.clock.advance(socketHelloMs + sweepMs);
    expect(await client.closed).toBe(socketCloseCodes.badHello);
  });

  describe("while it is verified", () => {
    /** Ana's hello, whose first verification waits for `letGo`; `checks` counts all verifications. */
    async function heldHello() {
      const held = { letGo: () => {}, checks: 0, ana: await world.connect() };
      const gate = new Promise<void>((resolve) => (held.letGo = resolve));
      world.verifying = async () => {
        held.checks += 1;
        if (held.checks === 1) await gate;
      };
      held.ana.send({ type: "hello", tencentId: "ana", tencentSign: "sign-ana", resume: null });
      await vi.waitUntil(() => held.checks === 1);
      return held;
    }

    test("rejects a user who is signed out meanwhile", async () => {
      const { ana, letGo } = await heldHello();
      world.people.delete("ana");
      world.hub.disconnect(1n, socketCloseCodes.kicked);
      letGo();
      expect(await ana.closed).toBe(socketCloseCodes.badHello);
      expect(world.hub.isHere(1n)).toBe(false);
    });

    test("rejects a user after whom thousands of others are signed out", async () => {
      const { ana, letGo } = await heldHello();
      world.people.delete("ana");
      world.hub.signInEnded(1n, "first", socketCloseCodes.kicked);
      for (let id = 100n; id < 10_200n; id += 1n) world.hub.disconnect(id, socketCloseCodes.kicked);
      letGo();
      expect(await ana.closed).toBe(socketCloseCodes.badHello);
      expect(world.hub.isHere(1n)).toBe(false);
    });

    test("is not verified again because other users are signed out", async () => {
      const held = await heldHello();
      world.hub.disconnect(2n, socketCloseCodes.kicked);
      world.hub.signInEnded(3n, "third", socketCloseCodes.signedOut);
      held.letGo();
      await held.ana.next("welcome");
      expect([held.checks, world.hub.isHere(1n)]).toEqual([1, true]);
    });
  });
});

describe("a request", () => {
  const request = (id: number) =>
    ({
      type: "request",
      id,
      path: "/api/video/match/stop",
      timestamp: "1",
      nonce: "n",
      signature: "s",
      token: "t",
      contentType: "c",
      body: "b",
    }) as const;

  let letGo = () => {};
  afterEach(() => letGo());

  /** Answers wait until the test releases them. */
  function hold(): { asked: SocketRequest[]; letGo: () => void } {
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    const held = { asked: [] as SocketRequest[], letGo };
    world.answering = async (asked) => {
      held.asked.push(asked);
      await gate;
      return { code: 200, data: asked.message.id };
    };
    return held;
  }

  test("[SIGN-60] is handled with its user and address, and its response has its id", async () => {
    const { asked, letGo } = hold();
    letGo();
    const ana = await world.connect({ "x-address": "203.0.113.9", "user-agent": "a browser" });
    await ana.hello("ana");
    ana.send(request(7));
    expect(await ana.next("response")).toEqual({ type: "response", id: 7, answer: { code: 200, data: 7 } });
    expect(asked).toEqual([{ userId: 1n, ip: "203.0.113.9", userAgent: "a browser", message: request(7) }]);
  });

  test("[SIGN-60] is rejected before the hello", async () => {
    const { asked } = hold();
    const early = await world.connect();
    early.send(request(1));
    expect(await early.closed).toBe(socketCloseCodes.badHello);
    expect(asked).toEqual([]);
  });

  test("is rejected beyond eight pending ones, for each socket separately", async () => {
    const { asked, letGo } = hold();
    const [ana, bo] = [await world.signedIn("ana"), await world.signedIn("bo")];
    for (let id = 1; id <= socketRequestsMax + 1; id += 1) ana.send(request(id));
    const refused = await ana.next("response");
    expect(refused).toMatchObject({ id: socketRequestsMax + 1, answer: { code: 429, data: { retry_after: 1 } } });
    bo.send(request(1));
    await bo.settled();
    expect(asked).toHaveLength(socketRequestsMax + 1);
    letGo();
    for (let id = 1; id <= socketRequestsMax; id += 1) expect(await ana.next("response")).toMatchObject({ id });
    ana.send(request(20));
    expect(await ana.next("response")).toMatchObject({ id: 20, answer: { code: 200 } });
  });

  test("is never answered if its socket is lost", async () => {
    const { letGo } = hold();
    const ana = await world.signedIn("ana");
    ana.send(request(1));
    await ana.settled();
    const back = await world.connect();
    await back.hello("ana", { sessionId: ana.sessionId, lastSequence: 0 });
    letGo();
    await back.settled();
    await back.settled();
    expect(back.received).toEqual([]);
    back.send(request(2));
    expect(await back.next("response")).toMatchObject({ id: 2 });
  });

  test("[SIGN-66] is known to have arrived by the pong behind it, before its response", async () => {
    const { asked, letGo } = hold();
    const ana = await world.signedIn("ana");
    ana.send(request(1));
    ana.send({ type: "ping" });
    await ana.next("pong");
    expect([asked.length, ana.received]).toEqual([1, []]);
    letGo();
  });

  test("[SIGN-60] is answered before a stopping server ends", async () => {
    const { letGo } = hold();
    const ana = await world.signedIn("ana");
    ana.send(request(1));
    await ana.settled();
    let hasStopped = false;
    const stopping = world.hub[Symbol.asyncDispose]().then(() => (hasStopped = true));
    await ana.closed;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(hasStopped).toBe(false);
    letGo();
    await stopping;
  });
});

describe("delivery", () => {
  test("[SOCKET-63] delivers an unacknowledged push once, over a broken socket", async () => {
    const ana = await world.signedIn("ana");
    world.hub.push(1n, notice("first"));
    world.hub.push(1n, notice("second"));
    const first = await ana.next("push");
    ana.send({ type: "ack", sequence: first.sequence });
    await ana.settled();
    ana.socket.terminate();
    await world.untilHappened("dropped 1");
    expect(world.hub.push(1n, notice("third"))).toBe(true);
    const back = await world.connect();
    const resume = { sessionId: ana.sessionId, lastSequence: first.sequence };
    expect(await back.hello("ana", resume)).toMatchObject({ resumed: true, sequence: 1, sessionId: ana.sessionId });
    const replayed = [await back.next("push"), await back.next("push")];
    expect(replayed.map(({ sequence, push }) => [sequence, push])).toEqual([
      [2, notice("second")],
      [3, notice("third")],
    ]);
    expect(world.happened).toEqual(["arrived 1", "dropped 1", "resumed 1"]);
  });

  test("accepts an acknowledgement on any message like one that comes alone", async () => {
    const ana = await world.signedIn("ana");
    const room = { roomId: "r", roomToken: "t" };
    const messages = [
      { type: "ping" },
      { type: "media", ...room, state: "playing" },
      { type: "chat", ...room, clientId: "c", text: "hi" },
      { type: "signal", ...room, signal: { type: "restart", generation: 0 } },
      { type: "search-media", state: "back" },
      { type: "typing", externalId: "x" },
    ] as const;
    // Twice the size of the outbox: the session lives only because the page acknowledged each message.
    for (let count = 0; count < 2 * socketOutboxMax; count += 1) {
      world.hub.push(1n, notice("more"));
      const { sequence } = await ana.next("push");
      if (sequence % 50 !== 0) continue;
      world.clock.advance(1_000);
      const message = messages[(sequence / 50) % messages.length]!;
      ana.send({ ...message, ack: sequence });
      if (message.type === "ping") await ana.next("pong");
      await ana.settled();
    }
    ana.socket.terminate();
    await world.untilHappened("dropped 1");
    const back = await world.connect();
    const tooEarly = { sessionId: ana.sessionId, lastSequence: 2 * socketOutboxMax - 1 };
    expect(await back.hello("ana", tooEarly)).toMatchObject({ resumed: false });
  });

  test("[SOCKET-63] gives the session to a new socket although the server considers the old one open", async () => {
    const ana = await world.signedIn("ana");
    const back = await world.connect();
    expect(await back.hello("ana", { sessionId: ana.sessionId, lastSequence: 0 })).toMatchObject({ resumed: true });
    await ana.closed;
    world.hub.push(1n, notice("hello"));
    expect((await back.next("push")).push).toEqual(notice("hello"));
    expect(world.happened).toEqual(["arrived 1", "resumed 1"]);
  });

  test("[SOCKET-64] does not continue another user's session, or one with a hole", async () => {
    const ana = await world.signedIn("ana");
    const bo = await world.connect();
    expect(await bo.hello("bo", { sessionId: ana.sessionId, lastSequence: 0 })).toMatchObject({ resumed: false });
    const again = await world.connect();
    expect(await again.hello("ana", { sessionId: ana.sessionId, lastSequence: 7 })).toMatchObject({ resumed: false });
    expect(await ana.closed).toBe(socketCloseCodes.replaced);
    expect(world.hub.presentCount()).toBe(2);
  });

  test("[SOCKET-64] ends a session that was dropped for too long", async () => {
    const ana = await world.signedIn("ana");
    ana.socket.terminate();
    await world.untilHappened("dropped 1");
    world.clock.advance(socketResumeMs + sweepMs);
    expect(world.happened.at(-1)).toBe("gone 1 timed_out");
    expect(world.hub.push(1n, notice("nobody"))).toBe(false);
    const back = await world.connect();
    expect(await back.hello("ana", { sessionId: ana.sessionId, lastSequence: 0 })).toMatchObject({ resumed: false });
  });

  test("[SOCKET-114] reports unacknowledged messages after the end of a session", async () => {
    const unheard: unknown[] = [];
    world.listeners.push({
      unheard: (userId, messages) => unheard.push([world.happened.at(-1), userId, messages]),
    });
    const ana = await world.signedIn("ana");
    world.hub.push(1n, notice("heard"));
    ana.send({ type: "ack", sequence: (await ana.next("push")).sequence });
    await ana.settled();
    ana.socket.terminate();
    await world.untilHappened("dropped 1");
    world.hub.push(1n, notice("not heard"));
    world.clock.advance(socketResumeMs + sweepMs);
    const kept = { type: "push", push: notice("not heard"), sequence: 2 };
    expect(unheard).toEqual([["gone 1 timed_out", 1n, [kept]]]);
  });

  test("[SOCKET-67] drops the session after silence, and keeps it with pings", async () => {
    const ana = await world.signedIn("ana");
    world.clock.advance(socketSilenceMs - sweepMs);
    await ana.settled();
    world.clock.advance(socketSilenceMs - sweepMs);
    expect(world.happened).toEqual(["arrived 1"]);
    world.clock.advance(2 * sweepMs);
    expect(world.happened).toEqual(["arrived 1", "dropped 1"]);
    await ana.closed;
  });

  test.each([
    [1000, "closed"],
    [1001, "page_gone"],
    [socketCloseCodes.pageGone, "page_gone"],
  ])("[SOCKET-66] ends the session at once by a goodbye with %i: %s", async (code, how) => {
    const ana = await world.signedIn("ana");
    ana.socket.close(code);
    await world.untilHappened(`gone 1 ${how}`);
    expect(world.hub.isHere(1n)).toBe(false);
  });

  test("ends the session with a full, unacknowledged outbox", async () => {
    const ana = await world.signedIn("ana");
    for (let count = 0; count <= socketOutboxMax; count += 1) world.hub.push(1n, notice("more"));
    expect(await ana.closed).toBe(1013);
    expect(world.happened.at(-1)).toBe("gone 1 timed_out");
  });
});

test("cuts a socket that accepts no data, whose session can be resumed", async () => {
  const ana = await world.signedIn("ana");
  ana.socket.pause();
  const signal = { type: "answer", generation: 0, sdp: "x".repeat(20_000) } as const;
  for (let count = 0; count < 2_000 && world.hub.pass(1n, { type: "signal", roomId: "r", signal }); count += 1) {
    if (count % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await world.untilHappened("dropped 1");
  const back = await world.connect();
  expect(await back.hello("ana", { sessionId: ana.sessionId, lastSequence: 0 })).toMatchObject({ resumed: true });
});

describe("one session a user", () => {
  test("[SOCKET-73] replaces the session by a new hello, and tells the old socket", async () => {
    const first = await world.signedIn("ana");
    const second = await world.signedIn("ana");
    expect(await first.closed).toBe(socketCloseCodes.replaced);
    expect(world.happened).toEqual(["arrived 1", "gone 1 replaced", "arrived 1"]);
    world.hub.push(1n, notice("to the second"));
    expect((await second.next("push")).push).toEqual(notice("to the second"));
  });

  test("closes a kicked user's socket with 4001 and ends the session for good", async () => {
    const ana = await world.signedIn("ana");
    world.hub.disconnect(1n, socketCloseCodes.kicked);
    expect(await ana.closed).toBe(socketCloseCodes.kicked);
    expect(world.happened.at(-1)).toBe("gone 1 kicked");
    const back = await world.connect();
    expect(await back.hello("ana", { sessionId: ana.sessionId, lastSequence: 0 })).toMatchObject({ resumed: false });
  });
});

describe("the stop", () => {
  test("closes every socket as going away, and waits until all are closed", async () => {
    const ana = await world.signedIn("ana");
    const guest = await world.connect();
    await world.hub[Symbol.asyncDispose]();
    expect(await Promise.all([ana.closed, guest.closed])).toEqual([1001, 1001]);
    expect(world.happened.at(-1)).toBe("gone 1 closed");
    expect(world.hub.presentCount()).toBe(0);
    expect(await world.upgrade({})).toBe(503);
    expect(world.clock.pendingCount).toBe(0);
  });
});

test("passes messages of a room on with their sender", async () => {
  const ana = await world.signedIn("ana");
  const message = { type: "media", roomId: "r", roomToken: "t", state: "playing" } as const;
  ana.send(message);
  await ana.settled();
  expect(world.roomMessages).toEqual([{ userId: 1n, message }]);
});

test("passes the camera state of a searching user on with its sender", async () => {
  const ana = await world.signedIn("ana");
  ana.send({ type: "search-media", state: "camera_off" });
  ana.send({ type: "search-media", state: "back" });
  await ana.settled();
  expect(world.happened.slice(1)).toEqual(["search-media 1 camera_off", "search-media 1 back"]);
});

/** Homes that answer with `place` and record the requests. */
function homesOfPlace(place: () => string | null, asked: unknown[] = []) {
  return {
    claim: async (...question: unknown[]) => (asked.push(question), place()),
    unclaim: (userId: bigint) => void asked.push(["unclaim", userId]),
  };
}

describe("a user whose call may be at another server", () => {
  const hello = { type: "hello", tencentId: "ana", tencentSign: "sign-ana", resume: null } as const;

  test("is sent to that server instead of a welcome, and told to retry if that server was not reached", async () => {
    const asked: unknown[] = [];
    await using world = await HubWorld.start({ socketsMax: 2, homes: homesOfPlace(() => "other", asked) });
    const ana = await world.connect();
    ana.send({ ...hello, ticket: "t" });
    expect(await ana.next("move")).toEqual({ type: "move", to: "other" });
    expect([await ana.closed, world.happened]).toEqual([socketCloseCodes.moved, []]);
    await using back = new SocketClient(`${world.url}?to=other`);
    await back.opened();
    back.send(hello);
    expect([await back.closed, back.received]).toEqual([1013, []]);
    expect(asked).toEqual([
      [1n, { resume: null, ticket: "t" }],
      [1n, { resume: null, ticket: null }],
    ]);
  });

  test("is not looked for if their chat session is at this server, and joins the call of their ticket", async () => {
    const returned: unknown[] = [];
    let place: string | null = null;
    await using world = await HubWorld.start({ socketsMax: 2, homes: homesOfPlace(() => place) });
    world.listeners.push({ returned: (...what) => void returned.push(what) });
    const ana = await world.signedIn("ana");
    place = "other";
    const again = await world.connect();
    const resume = { sessionId: ana.sessionId, lastSequence: 0 };
    again.send({ ...hello, resume, ticket: "t" });
    expect(await again.next("welcome")).toMatchObject({ resumed: true });
    expect(returned).toEqual([[1n, "t"]]);
  });

  test("resumes a chat session that came from another server with the claim", async () => {
    const claim = async (userId: bigint) => {
      world.hub.adopt(userId, "s", { sequence: 0, outbox: [] });
      return null;
    };
    await using world = await HubWorld.start({ socketsMax: 2, homes: { claim, unclaim: () => undefined } });
    const ana = await world.connect();
    expect(await ana.hello("ana", { sessionId: "s", lastSequence: 0 })).toMatchObject({ resumed: true });
  });

  test("is released if the page goes while this server becomes their home", async () => {
    const asked: unknown[] = [];
    let claimed: () => void = () => undefined;
    let isAsked = false;
    const claim = () => {
      isAsked = true;
      return new Promise<null>((resolve) => (claimed = () => resolve(null)));
    };
    const homes = { ...homesOfPlace(() => null, asked), claim };
    await using world = await HubWorld.start({ socketsMax: 1, homes });
    const ana = await world.connect();
    ana.send(hello);
    await expect.poll(() => isAsked).toBe(true);
    ana.socket.terminate();
    // The limit is one socket: once the server accepts another, it has handled the close of the first.
    await expect.poll(async () => new SocketClient(world.url).opened()).toBe(101);
    claimed();
    await expect.poll(() => asked).toEqual([["unclaim", 1n]]);
  });
});

describe("a page asked to move", () => {
  test("moves if the URL of its socket has the field `to`, and no other one is asked", async () => {
    await using world = await HubWorld.start({ socketsMax: 2 });
    const ana = await world.signedIn("ana");
    await using bo = new SocketClient(world.url);
    await bo.opened();
    await bo.hello("bo");
    expect([world.hub.canMove(1n), world.hub.canMove(2n), world.hub.canMove(3n)]).toEqual([true, false, false]);
    expect([world.hub.move(1n, "other"), world.hub.move(2n, "other")]).toEqual([true, false]);
    expect(await ana.next("move")).toEqual({ type: "move", to: "other" });
  });
});

describe("a socket that another server passed on", () => {
  let passed: HubWorld;
  let counted: string[];

  beforeEach(async () => {
    counted = [];
    passed = await HubWorld.start({
      socketsMax,
      server: "self",
      door: {
        pass: async () => false,
        passedBy: ({ headers }) => (headers["x-via"] ? { server: String(headers["x-via"]), address: "a" } : null),
      },
      limits: { take: async (_limit, address) => (counted.push(address), null) },
    });
  });
  afterEach(() => passed[Symbol.asyncDispose]());

  test("counts for the client's address, and its welcome names this server", async () => {
    const through = await passed.connect({ "x-via": "other" });
    expect(await through.hello("ana")).toMatchObject({ server: "self" });
    await passed.connect();
    expect(counted).toEqual(["a", "127.0.0.1"]);
  });

  test("moves to this server when the other one stops, and no other socket does", async () => {
    const through = await passed.connect({ "x-via": "stopping" });
    await through.hello("ana");
    const bo = await passed.signedIn("bo");
    passed.hub.moveThrough("other");
    passed.hub.moveThrough("stopping");
    expect(await through.next("move")).toEqual({ type: "move", to: "self" });
    await bo.settled();
    expect(bo.received).toEqual([]);
  });

  test("is refused with 503 by a server that stops, before its address is counted", async () => {
    passed.hub.refuseMore();
    expect([await passed.upgrade({ "x-via": "other" }), await passed.upgrade({})]).toEqual([503, 503]);
    expect(counted).toEqual([]);
  });
});
