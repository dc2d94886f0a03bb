import { describe, expect, test, vi } from "vitest";
import { candidateBatchMs, leftConnectionMsMax, mediaStatsMs } from "@fava/wire/limits.ts";
import { closeLeftConnections } from "#lib/media/peer-connection.ts";
import { FakeStream } from "#testing/fake-media.ts";
import { candidates, eachPeerWorld, offer } from "#testing/peer-world.ts";

const world = eachPeerWorld();

test("creates a connection with the servers and policy of its match, on one transport", () => {
  const iceServers = [{ urls: ["turn:a"], username: "u", credential: "c" }, { urls: ["stun:b"] }];
  const { connection } = world().newPeer("offerer", { iceServers, policy: "relay" });
  expect(connection.config).toEqual({ iceServers, iceTransportPolicy: "relay", bundlePolicy: "max-bundle" });
});

describe("a prepared offer", () => {
  test("sends both local tracks, prefers VP8, and contains the candidates found so far", async () => {
    const { peer, connection } = world().newPeer("offerer");
    const prepared = peer.prepareOffer();
    await world().settle();
    connection.gather("one");
    connection.gatherAll();
    expect(await prepared).toBe("offer 1");
    expect(connection.transceivers.map(({ direction, sender }) => [direction, sender.track, sender.streams])).toEqual(
      world().stream.tracks.map((track) => ["sendrecv", track, [world().stream]]),
    );
    expect(connection.transceivers.map(({ preferences }) => preferences)).toEqual([null, [{ mimeType: "video/VP8" }]]);
    world().begin(peer);
    await vi.advanceTimersByTimeAsync(candidateBatchMs);
    // The description contains the candidates, so the peer does not send them again.
    expect(world().signals).toEqual([]);
  });

  test("waits 400 ms for candidates; later ones are sent when the room starts", async () => {
    const { peer, connection } = world().newPeer("offerer");
    let sdp: string | null = null;
    void peer.prepareOffer().then((made) => (sdp = made));
    await vi.advanceTimersByTimeAsync(399);
    expect(sdp).toBeNull();
    await vi.advanceTimersByTimeAsync(1);
    expect(sdp).toBe("offer 1");
    connection.gather("late");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(world().signals).toEqual([]);
    world().begin(peer);
    expect(world().signals).toEqual([candidates(0, "late")]);
  });

  test("is sent as a signal when the match push did not carry it, and made when there is none", async () => {
    const ready = world().newPeer("offerer");
    const prepared = ready.peer.prepareOffer();
    await world().settle();
    ready.connection.gatherAll();
    await prepared;
    world().begin(ready.peer);
    ready.peer.offer();
    await world().settle();
    expect(world().signals).toEqual([{ type: "offer", generation: 0, sdp: "offer 1" }]);

    world().signals = [];
    const fresh = world().newPeer("offerer");
    world().begin(fresh.peer);
    fresh.peer.offer();
    await world().settle();
    fresh.connection.gatherAll();
    await world().settle();
    expect(world().signals).toEqual([{ type: "offer", generation: 0, sdp: "offer 1" }]);
  });
});

describe("another local stream", () => {
  test("is sent over the same transceivers, without another offer", async () => {
    for (const { peer, connection } of [await world().connectedOfferer(), await world().connectedAnswerer()]) {
      world().signals = [];
      const [sound] = world().stream.tracks;
      const after = new FakeStream([...world().stream.getAudioTracks(), ...new FakeStream().getVideoTracks()]);
      peer.useStream(after.asStream);
      await world().settle();
      expect(connection.transceivers.map(({ sender }) => sender.track)).toEqual([sound, after.tracks[1]]);
      expect(world().signals).toEqual([]);
    }
  });

  test("is the one that an answer sends later", async () => {
    const { peer, connection } = world().newPeer("answerer");
    const after = new FakeStream();
    peer.useStream(after.asStream);
    world().begin(peer);
    peer.take(offer(0));
    await world().settle();
    expect(connection.transceivers.map(({ sender }) => sender.track)).toEqual(after.tracks);
  });

  test("is not sent once the room was left", async () => {
    const { peer, connection } = await world().connectedOfferer();
    peer.leave();
    peer.useStream(new FakeStream().asStream);
    await world().settle();
    expect(connection.transceivers.map(({ sender }) => sender.track)).toEqual([null, null]);
    closeLeftConnections();
  });
});

describe("an offer", () => {
  test("is answered in its own transceivers, with the local tracks", async () => {
    const { peer, connection } = world().newPeer("answerer");
    world().begin(peer);
    peer.take(offer(0));
    await world().settle();
    expect(connection.remoteDescription).toEqual({ type: "offer", sdp: "their offer 0" });
    expect(world().signals).toEqual([{ type: "answer", generation: 0, sdp: "answer 1" }]);
    expect(connection.transceivers).toHaveLength(2);
    expect(connection.transceivers.map(({ direction, sender }) => [direction, sender.track, sender.streams])).toEqual(
      world().stream.tracks.map((track) => ["sendrecv", track, [world().stream]]),
    );
    expect(connection.transceivers[1]?.preferences).toEqual([{ mimeType: "video/VP8" }]);
  });

  test("is handled in the turn that brought it", () => {
    const { peer, connection } = world().newPeer("answerer");
    world().begin(peer);
    peer.take(offer(0));
    expect(connection.offersTaken).toBe(1);
  });

  test("is answered once, though it may come in the match push and again as a signal", async () => {
    const { peer, connection } = world().newPeer("answerer");
    world().begin(peer);
    peer.take(offer(0));
    peer.take(offer(0));
    await world().settle();
    peer.take(offer(0));
    await world().settle();
    expect(world().signalsOf("answer")).toHaveLength(1);
    expect(connection.offersTaken).toBe(1);
  });

  test("is ignored by the offerer, so that there is no glare", async () => {
    const { peer, connection } = await world().connectedOfferer();
    peer.take(offer(1));
    await world().settle();
    expect(connection.offersTaken).toBe(0);
    expect(world().signalsOf("answer")).toEqual([]);
  });

  test("of an earlier connection of the room is dropped, with its candidates and its answer", async () => {
    const { peer, connection } = world().newPeer("answerer", { firstGeneration: 1_000 });
    world().begin(peer);
    peer.take(offer(3));
    peer.take(candidates(3, "old"));
    await world().settle();
    expect([connection.offersTaken, world().signals]).toEqual([0, []]);
    peer.take(offer(1_000));
    await world().settle();
    expect(world().signalsOf("answer")).toEqual([{ type: "answer", generation: 1_000, sdp: "answer 1" }]);
  });

  test("that is invalid does not stop the next one", async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    const { peer, connection } = world().newPeer("answerer");
    world().begin(peer);
    vi.spyOn(connection, "setRemoteDescription").mockRejectedValueOnce(new Error("unreadable"));
    peer.take(offer(0));
    peer.take(offer(1));
    await world().settle();
    expect(world().signals).toEqual([{ type: "answer", generation: 1, sdp: "answer 1" }]);
  });
});

test("passes the remote stream on when its first track arrives", async () => {
  const { connection } = await world().connectedAnswerer();
  const remote = new FakeStream().asStream;
  connection.arrive();
  connection.arrive(remote);
  expect(world().remotes).toEqual([remote]);
});

describe("closing a connection", () => {
  test("closes it once, ends every timer, and never stops the local tracks", async () => {
    const { peer, connection } = await world().connectedAnswerer();
    connection.gather("a");
    peer.close();
    peer.close();
    expect(connection.closings).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
    expect(world().stream.isRunning).toBe(true);
  });

  test("ends pending steps: nothing is signalled, handled or reported after it", async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    const { peer, connection } = await world().connectedAnswerer();
    connection.received = { bytes: 100, framesDecoded: 1 };
    vi.advanceTimersByTime(mediaStatsMs);
    peer.take(offer(1));
    peer.close();
    peer.restart();
    connection.gather("late");
    connection.ice("failed");
    connection.arrive(new FakeStream().asStream);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([world().signals, world().flow, world().remotes]).toEqual([[], [], []]);
    expect(connection.offersTaken).toBe(1);
  });

  test("leaves no timer behind while an offer is prepared", async () => {
    const { peer } = world().newPeer("offerer");
    void peer.prepareOffer();
    await world().settle();
    peer.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("[CALL-105] leaving a connection", () => {
  test("sends nothing from that turn on, and closes the connection later", async () => {
    const { peer, connection } = await world().connectedAnswerer();
    expect(connection.transceivers.map(({ sender }) => sender.track)).toEqual(world().stream.tracks);
    peer.leave();
    expect(connection.transceivers.map(({ sender }) => sender.track)).toEqual([null, null]);
    expect([connection.closings, world().stream.isRunning]).toEqual([0, true]);
    closeLeftConnections();
    expect([connection.closings, vi.getTimerCount()]).toEqual([1, 0]);
  });

  test("touches no track of a connection that was only prepared, and closes it later as well", async () => {
    const { peer, connection } = world().newPeer("offerer");
    const prepared = peer.prepareOffer();
    await world().settle();
    connection.gatherAll();
    await prepared;
    peer.leave();
    expect(connection.transceivers.map(({ sender }) => sender.track)).toEqual(world().stream.tracks);
    expect(connection.closings).toBe(0);
    closeLeftConnections();
    expect(connection.closings).toBe(1);
  });

  test("closes it after a few seconds at most, once", async () => {
    const { peer, connection } = await world().connectedAnswerer();
    peer.leave();
    vi.advanceTimersByTime(leftConnectionMsMax - 1);
    expect(connection.closings).toBe(0);
    vi.advanceTimersByTime(1);
    expect(connection.closings).toBe(1);
    peer.leave();
    peer.close();
    closeLeftConnections();
    expect([connection.closings, vi.getTimerCount()]).toEqual([1, 0]);
  });

  test("closes it at once during an answer, whose other steps would send the local video", async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    const { peer, connection } = world().newPeer("answerer");
    world().begin(peer);
    peer.take(offer(0));
    peer.leave();
    expect(connection.closings).toBe(1);
    await world().settle();
    expect(connection.transceivers.every(({ sender }) => sender.track === null)).toBe(true);
    expect(world().signals).toEqual([]);
  });

  test("ends pending steps, as closing does", async () => {
    const { peer, connection } = await world().connectedAnswerer();
    connection.gather("a");
    peer.leave();
    connection.gather("late");
    connection.arrive(new FakeStream().asStream);
    await vi.advanceTimersByTimeAsync(mediaStatsMs);
    expect([world().signals, world().flow, world().remotes]).toEqual([[], [], []]);
    closeLeftConnections();
  });
});
