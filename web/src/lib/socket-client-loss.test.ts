import { describe, expect, test, vi } from "vitest";
import { socketAnswerMs, socketHeartbeatMs, socketSilenceMs } from "@fava/wire/limits.ts";
import { socketCloseCodes } from "@fava/wire/socket.ts";
import type { ChatIdentity } from "#lib/socket/socket-move.ts";
import { eachSocketWorld, identity, push, welcome } from "#testing/socket-world.ts";

const world = eachSocketWorld();

describe("a dead socket", () => {
  test("is detected by its silence: pings go out, and without a pong another socket is opened", async () => {
    await world().liveClient();
    await vi.advanceTimersByTimeAsync(socketHeartbeatMs);
    expect(world().socketAt(0).sentOf("ping")).toHaveLength(1);
    world().socketAt(0).deliver({ type: "pong" });
    // The client checks for silence at each heartbeat, so it notices up to one heartbeat later.
    await vi.advanceTimersByTimeAsync(socketSilenceMs - socketHeartbeatMs);
    expect(world().sockets).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2 * socketHeartbeatMs);
    expect(world().sockets).toHaveLength(2);
    expect(world().told).toEqual(["quiet", "dropped"]);
    // Not a clean close: the server has to keep the session.
    expect(world().socketAt(0).closedWith).toBe(4_000);
    world().socketAt(1).open();
    expect(world().socketAt(1).sent[0]).toMatchObject({ resume: { sessionId: "s1", lastSequence: 0 } });
  });

  test("is reported as quiet when a ping has no pong, until a message arrives", async () => {
    await world().liveClient();
    await vi.advanceTimersByTimeAsync(socketHeartbeatMs + socketAnswerMs - 1);
    expect(world().told).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(world().told).toEqual(["quiet"]);
    world().socketAt(0).deliver({ type: "pong" });
    expect(world().told).toEqual(["quiet", "heard"]);
    expect(world().sockets).toHaveLength(1);
  });

  test("reconnects without a delay when the owner knows that the server responds", async () => {
    const client = await world().liveClient();
    client.hurry();
    await world().settle();
    expect(world().sockets).toHaveLength(1);
    for (const index of [0, 1, 2]) {
      world().socketAt(index).lose();
      await vi.advanceTimersByTimeAsync(300);
    }
    const tried = world().sockets.length;
    client.hurry();
    await world().settle();
    expect(world().sockets).toHaveLength(tried + 1);
  });

  test("is probed at once when the page wakes up, and reconnects without a delay if it is gone", async () => {
    const client = await world().liveClient();
    client.wake();
    expect(world().socketAt(0).sentOf("ping")).toEqual([]);
    await vi.advanceTimersByTimeAsync(2_000);
    client.wake();
    expect(world().socketAt(0).sentOf("ping")).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(socketAnswerMs);
    expect(world().told).toEqual(["quiet"]);
    world().socketAt(0).deliver({ type: "pong" });
    // A frozen page runs no timers.
    vi.spyOn(performance, "now").mockReturnValue(performance.now() + 2 * socketSilenceMs);
    client.wake();
    await world().settle();
    expect(world().sockets).toHaveLength(2);
  });

  test("is kept as long as it responds", async () => {
    await world().liveClient();
    for (let beat = 0; beat < 20; beat += 1) {
      await vi.advanceTimersByTimeAsync(socketHeartbeatMs);
      world().socketAt(0).deliver({ type: "pong" });
    }
    expect(world().sockets).toHaveLength(1);
    expect(world().told).toEqual([]);
  });

  test("is given up the same way when it never opened", async () => {
    await world().newClient();
    await vi.advanceTimersByTimeAsync(socketSilenceMs + socketHeartbeatMs);
    expect(world().sockets).toHaveLength(2);
    expect(world().told).toEqual([]);
  });

  test("is left at once when the network comes back", async () => {
    await world().liveClient();
    world().page.dispatchEvent(new Event("online"));
    await world().settle();
    expect(world().sockets).toHaveLength(2);
    expect(world().socketAt(0).closedWith).toBe(4_000);
    world().socketAt(1).open();
    expect(world().socketAt(1).sent[0]).toMatchObject({ resume: { sessionId: "s1" } });
  });

  test("changes nothing once another socket has replaced it", async () => {
    const client = await world().liveClient();
    world().page.dispatchEvent(new Event("online"));
    await world().settle();
    world().told = [];
    world().socketAt(0).deliver(push(5));
    world()
      .socketAt(0)
      .deliver(welcome({ sessionId: "old" }));
    world().socketAt(0).lose(socketCloseCodes.kicked);
    await world().settle();
    expect(world().told).toEqual([]);
    expect(client.isLive).toBe(false);
    expect(world().sockets).toHaveLength(2);
    expect(world().socketAt(0).sentOf("ack")).toEqual([]);
  });
});

describe("a lost socket", () => {
  test("reconnects, soon at first and later with growing delays, until one is live", async () => {
    await world().liveClient();
    const pausesMs: number[] = [];
    for (let tries = 0; tries < 7; tries += 1) {
      world().socketAt(tries).lose();
      const lostAtMs = Date.now();
      await vi.advanceTimersToNextTimerAsync();
      expect(world().sockets).toHaveLength(tries + 2);
      pausesMs.push(Date.now() - lostAtMs);
    }
    expect(pausesMs).toEqual([0, 300, 1_200, 2_700, 4_800, 7_000, 7_000]);
    expect(world().told).toEqual(["dropped"]);
    const last = world().socketAt(7);
    last.open();
    last.deliver(welcome({ resumed: true }));
    last.lose();
    await world().settle();
    expect(world().sockets).toHaveLength(9);
  });

  test("reconnects after a random delay when the server stops, so that a crowd does not return at once", async () => {
    await world().liveClient();
    world().socketAt(0).lose(socketCloseCodes.goingAway);
    await vi.advanceTimersByTimeAsync(1_199);
    expect(world().sockets).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(world().sockets).toHaveLength(2);
  });

  test("does not reconnect while no user is known, and tries again later", async () => {
    world().identities = async () => null;
    await world().newClient();
    expect(world().sockets).toHaveLength(0);
    world().identities = () => Promise.reject(new Error("no network"));
    await vi.advanceTimersByTimeAsync(300);
    expect(world().sockets).toHaveLength(0);
    world().identities = async () => identity;
    await vi.advanceTimersByTimeAsync(1_200);
    expect(world().sockets).toHaveLength(1);
  });

  test("opens one socket however often the network returns while the identity loads", async () => {
    let answer: (found: ChatIdentity) => void = () => undefined;
    world().identities = () =>
      new Promise((resolve) => {
        const before = answer;
        answer = (found) => {
          before(found);
          resolve(found);
        };
      });
    await world().newClient();
    world().page.dispatchEvent(new Event("online"));
    world().page.dispatchEvent(new Event("online"));
    answer(identity);
    await world().settle();
    expect(world().sockets).toHaveLength(1);
  });

  test("starts a new session with a fresh signature after a rejected hello", async () => {
    const asked: boolean[] = [];
    await world().liveClient();
    world().identities = async (refused) => {
      asked.push(refused);
      return { ...identity, tencentSign: refused ? "fresh" : "sign" };
    };
    world().socketAt(0).lose(socketCloseCodes.badHello);
    await world().settle();
    world().socketAt(1).open();
    expect(world().socketAt(1).sent).toEqual([
      { type: "hello", tencentId: "x-ana", tencentSign: "fresh", resume: null },
    ]);
    world()
      .socketAt(1)
      .deliver(welcome({ sessionId: "s2" }));
    world().socketAt(1).lose();
    await world().settle();
    expect(asked).toEqual([true, false]);
  });
});
