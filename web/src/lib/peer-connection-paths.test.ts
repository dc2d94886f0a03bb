import { describe, expect, test, vi } from "vitest";
import { candidateBatchMs, candidatesPerSignalMax, mediaStallMs, mediaStatsMs } from "@fava/wire/limits.ts";
import { FakePeerConnection } from "#testing/fake-peer-connection.ts";
import { candidates, eachPeerWorld, lines, offer } from "#testing/peer-world.ts";

const world = eachPeerWorld();

describe("candidates", () => {
  test("that are found within 50 ms are sent together, without the end mark", async () => {
    const { connection } = await world().connectedAnswerer();
    connection.gather("a");
    await vi.advanceTimersByTimeAsync(candidateBatchMs - 1);
    connection.gather("b");
    connection.gather("");
    connection.gather(null);
    expect(world().signals).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(world().signals).toEqual([candidates(0, "a", "b")]);
    connection.gather("c");
    await vi.advanceTimersByTimeAsync(candidateBatchMs);
    expect(world().signals).toEqual([candidates(0, "a", "b"), candidates(0, "c")]);
  });

  test("are sent at most 32 in one signal", async () => {
    const { connection } = await world().connectedAnswerer();
    for (let index = 0; index < 70; index += 1) connection.gather(String(index));
    await vi.advanceTimersByTimeAsync(candidateBatchMs);
    expect(
      world()
        .signalsOf("candidates")
        .map((signal) => signal.candidates.length),
    ).toEqual([candidatesPerSignalMax, candidatesPerSignalMax, 70 - 2 * candidatesPerSignalMax]);
    expect(
      lines(
        world()
          .signalsOf("candidates")
          .flatMap((signal) => signal.candidates),
      ),
    ).toEqual(Array.from({ length: 70 }, (_, index) => String(index)));
  });

  test("that come before the description wait for it", async () => {
    const { peer, connection } = world().newPeer("answerer");
    world().begin(peer);
    peer.take(candidates(0, "a", "b"));
    await world().settle();
    expect(connection.added).toEqual([]);
    peer.take(offer(0));
    peer.take(candidates(0, "c"));
    await world().settle();
    expect(lines(connection.added)).toEqual(["a", "b", "c"]);
  });

  test("that come before the answer to a restart wait for it too, because they belong to the new path", async () => {
    const { peer, connection } = await world().connectedOfferer();
    peer.restart();
    await world().settle();
    peer.take(candidates(1, "new"));
    await world().settle();
    expect(connection.added).toEqual([]);
    peer.take({ type: "answer", generation: 1, sdp: "their answer 1" });
    await world().settle();
    expect(lines(connection.added)).toEqual(["new"]);
  });

  test("wait up to a limit", async () => {
    const { peer, connection } = world().newPeer("answerer");
    world().begin(peer);
    for (let index = 0; index < 100; index += 1) {
      peer.take(candidates(0, ...Array.from({ length: 32 }, () => `c${index}`)));
    }
    peer.take(offer(0));
    await world().settle();
    expect(connection.added.length).toBeGreaterThanOrEqual(32);
    expect(connection.added.length).toBeLessThanOrEqual(256);
  });

  test("of an older offer are dropped", async () => {
    const { peer, connection } = await world().connectedAnswerer();
    peer.take(offer(1));
    peer.take(candidates(0, "old"));
    peer.take(candidates(1, "new"));
    await world().settle();
    expect(lines(connection.added)).toEqual(["new"]);
  });

  test("that are invalid do not stop the others", async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    const { peer, connection } = await world().connectedAnswerer();
    peer.take(candidates(0, "a", "bad", "b"));
    await world().settle();
    expect(lines(connection.added)).toEqual(["a", "b"]);
  });
});

test("drops an answer to an older offer, and a second one to the same", async () => {
  const { peer, connection } = await world().connectedOfferer();
  expect(connection.remoteDescription?.sdp).toBe("their answer");
  peer.take({ type: "answer", generation: 0, sdp: "again" });
  peer.restart();
  await world().settle();
  peer.take({ type: "answer", generation: 0, sdp: "late" });
  await world().settle();
  expect(connection.remoteDescription?.sdp).toBe("their answer");
  expect(connection.signalingState).toBe("have-local-offer");
  peer.take({ type: "answer", generation: 1, sdp: "their answer 1" });
  await world().settle();
  expect(connection.remoteDescription?.sdp).toBe("their answer 1");
});

describe("a restart", () => {
  test("by the offerer is a new offer of the next generation, with new paths", async () => {
    const { peer, connection } = await world().connectedOfferer();
    peer.restart();
    await world().settle();
    expect(world().signals).toEqual([{ type: "offer", generation: 1, sdp: "offer 2" }]);
    expect(connection.restarts).toBe(1);
    connection.gather("new");
    await vi.advanceTimersByTimeAsync(candidateBatchMs);
    expect(world().signals[1]).toEqual(candidates(1, "new"));
  });

  test("by the answerer is requested from the offerer", async () => {
    const { peer, connection } = await world().connectedAnswerer();
    peer.restart();
    await world().settle();
    expect(world().signals).toEqual([{ type: "restart", generation: 0 }]);
    expect(connection.restarts).toBe(0);
  });

  test("that is requested is made, and answered with the same tracks", async () => {
    const { peer } = await world().connectedOfferer();
    peer.take({ type: "restart", generation: 0 });
    await world().settle();
    expect(world().signals).toEqual([{ type: "offer", generation: 1, sdp: "offer 2" }]);

    const other = await world().connectedAnswerer();
    other.peer.take(offer(1));
    await world().settle();
    expect(world().signals).toEqual([{ type: "answer", generation: 1, sdp: "answer 2" }]);
    expect(other.connection.transceivers).toHaveLength(2);
  });

  test("that both sides want at the same time happens once", async () => {
    const { peer, connection } = await world().connectedOfferer();
    peer.restart();
    peer.take({ type: "restart", generation: 0 });
    await world().settle();
    peer.take({ type: "answer", generation: 1, sdp: "their answer 1" });
    peer.take({ type: "restart", generation: 0 });
    await world().settle();
    expect(connection.restarts).toBe(1);
    expect(connection.signalingState).toBe("stable");
  });

  test("sends its offer again on request when it was lost with the socket", async () => {
    const { peer, connection } = await world().connectedOfferer();
    peer.restart();
    await world().settle();
    peer.take({ type: "restart", generation: 0 });
    await world().settle();
    expect(world().signals).toEqual([
      { type: "offer", generation: 1, sdp: "offer 2" },
      { type: "offer", generation: 1, sdp: "offer 2" },
    ]);
    expect(connection.restarts).toBe(1);
  });

  test("is repeated when its answer was lost, whichever side tries again", async () => {
    const { peer } = await world().connectedOfferer();
    peer.restart();
    await world().settle();
    peer.restart();
    await world().settle();
    peer.take({ type: "restart", generation: 2 });
    await world().settle();
    expect(
      world()
        .signalsOf("offer")
        .map(({ generation }) => generation),
    ).toEqual([1, 2, 3]);
    peer.take({ type: "answer", generation: 3, sdp: "their answer 3" });
    await world().settle();
    expect(FakePeerConnection.all.at(-1)?.remoteDescription?.sdp).toBe("their answer 3");
  });

  test("waits for the room's preparation, and does nothing on a closed connection", async () => {
    let done: () => void = () => undefined;
    world().beforeRestart = () => new Promise((resolve) => (done = resolve));
    const { peer, connection } = await world().connectedOfferer();
    const other = [{ urls: ["turn:b"] }];
    peer.restart();
    await world().settle();
    expect([connection.restarts, world().signals]).toEqual([0, []]);
    peer.useServers(other);
    done();
    await world().settle();
    expect([connection.restarts, connection.gatheredWith]).toEqual([1, other]);

    peer.restart();
    await world().settle();
    peer.close();
    done();
    peer.useServers([]);
    await world().settle();
    expect([connection.restarts, connection.config.iceServers]).toEqual([1, other]);
  });

  test("is ignored by an answerer", async () => {
    const { peer } = await world().connectedAnswerer();
    peer.take({ type: "restart", generation: 0 });
    await world().settle();
    expect(world().signals).toEqual([]);
  });
});

describe("the flow of media", () => {
  test("is watched from the start of the room on: first frame, stall, flowing again", async () => {
    const { connection } = await world().connectedAnswerer();
    await vi.advanceTimersByTimeAsync(5 * mediaStatsMs);
    expect(world().flow).toEqual([]);
    connection.received = { bytes: 100, framesDecoded: 1 };
    await vi.advanceTimersByTimeAsync(2 * mediaStatsMs);
    expect(world().flow).toEqual(["first-frame"]);
    await vi.advanceTimersByTimeAsync(mediaStallMs);
    expect(world().flow).toEqual(["first-frame", "stalled"]);
    connection.received = { bytes: 200, framesDecoded: 2 };
    await vi.advanceTimersByTimeAsync(mediaStatsMs);
    expect(world().flow).toEqual(["first-frame", "stalled", "flowing"]);
  });

  test("stalls at once when the browser reports that ICE failed", async () => {
    const { connection } = await world().connectedAnswerer();
    connection.ice("disconnected");
    expect(world().flow).toEqual([]);
    connection.ice("failed");
    expect(world().flow).toEqual(["stalled"]);
  });
});
