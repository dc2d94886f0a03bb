import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { candidateBatchMs, candidatesPerSignalMax, mediaStallMs, mediaStatsMs } from "@fava/wire/limits.ts";
import type { Signal } from "@fava/wire/signals.ts";
import { FakeStream } from "#testing/fake-media.ts";
import { FakePeerConnection } from "#testing/fake-peer-connection.ts";
import { Peer, type PeerOptions } from "#lib/peer-connection.ts";

let stream: FakeStream;
let signals: Signal[];
let flow: string[];
let remotes: MediaStream[];
const peers: Peer[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("RTCPeerConnection", FakePeerConnection);
  vi.stubGlobal("RTCRtpReceiver", { getCapabilities: () => ({ codecs: [{ mimeType: "video/VP8" }] }) });
  FakePeerConnection.all = [];
  stream = new FakeStream();
  [signals, flow, remotes] = [[], [], []];
});

afterEach(() => {
  for (const peer of peers.splice(0)) peer.close();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Lets promises that are due run, and no time pass. */
const settle = () => vi.advanceTimersByTimeAsync(0);

function newPeer(
  role: "offerer" | "answerer",
  options: Partial<PeerOptions> = {},
): { peer: Peer; connection: FakePeerConnection } {
  const peer = new Peer(role, { iceServers: [], policy: "all", stream: stream.asStream, ...options });
  peers.push(peer);
  const connection = FakePeerConnection.all.at(-1);
  if (!connection) throw new Error("the peer made no connection");
  return { peer, connection };
}

function begin(peer: Peer): void {
  peer.begin({
    signal: (signal) => signals.push(signal),
    remoteStream: (remote) => remotes.push(remote),
    flow: (change) => flow.push(change),
  });
}

/** An offerer in its room whose offer of generation 0 was answered. */
async function connectedOfferer(): Promise<ReturnType<typeof newPeer>> {
  const made = newPeer("offerer");
  const prepared = made.peer.prepareOffer();
  await settle();
  made.connection.gatherAll();
  await prepared;
  begin(made.peer);
  made.peer.take({ type: "answer", generation: 0, sdp: "their answer" });
  await settle();
  return made;
}

/** An answerer in its room that has answered generation 0. */
async function connectedAnswerer(): Promise<ReturnType<typeof newPeer>> {
  const made = newPeer("answerer");
  begin(made.peer);
  made.peer.take(offer(0));
  await settle();
  signals = [];
  return made;
}

const offer = (generation: number): Signal => ({ type: "offer", generation, sdp: `their offer ${generation}` });
const candidates = (generation: number, ...lines: string[]): Signal => ({
  type: "candidates",
  generation,
  candidates: lines.map((line) => ({ candidate: line, sdpMid: "0", sdpMLineIndex: 0, usernameFragment: "u" })),
});
const lines = (added: readonly { candidate?: string }[]) => added.map(({ candidate }) => candidate);
const ofType = <Type extends Signal["type"]>(type: Type) =>
  signals.filter((signal): signal is Extract<Signal, { type: Type }> => signal.type === type);

test("[MEDIA-1] a connection gets the servers and the policy of its match, on one transport", () => {
  const iceServers = [{ urls: ["turn:a"], username: "u", credential: "c" }, { urls: ["stun:b"] }];
  const { connection } = newPeer("offerer", { iceServers, policy: "relay" });
  expect(connection.config).toEqual({ iceServers, iceTransportPolicy: "relay", bundlePolicy: "max-bundle" });
});

describe("[MEDIA-2] a prepared offer", () => {
  test("sends both own tracks, prefers VP8, and holds the candidates found by then", async () => {
    const { peer, connection } = newPeer("offerer");
    const prepared = peer.prepareOffer();
    await settle();
    connection.gather("one");
    connection.gatherAll();
    expect(await prepared).toBe("offer 1");
    expect(connection.transceivers.map(({ direction, sender }) => [direction, sender.track, sender.streams])).toEqual(
      stream.tracks.map((track) => ["sendrecv", track, [stream]]),
    );
    expect(connection.transceivers.map(({ preferences }) => preferences)).toEqual([null, [{ mimeType: "video/VP8" }]]);
    begin(peer);
    await vi.advanceTimersByTimeAsync(candidateBatchMs);
    // They travel inside the description, and not a second time.
    expect(signals).toEqual([]);
  });

  test("waits 400 ms for candidates and no longer; later ones are sent when the room begins", async () => {
    const { peer, connection } = newPeer("offerer");
    let sdp: string | null = null;
    void peer.prepareOffer().then((made) => (sdp = made));
    await vi.advanceTimersByTimeAsync(399);
    expect(sdp).toBeNull();
    await vi.advanceTimersByTimeAsync(1);
    expect(sdp).toBe("offer 1");
    connection.gather("late");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(signals).toEqual([]);
    begin(peer);
    expect(signals).toEqual([candidates(0, "late")]);
  });

  test("is sent as a signal when it did not travel with the match, and made when there is none", async () => {
    const ready = newPeer("offerer");
    const prepared = ready.peer.prepareOffer();
    await settle();
    ready.connection.gatherAll();
    await prepared;
    begin(ready.peer);
    ready.peer.offer();
    await settle();
    expect(signals).toEqual([{ type: "offer", generation: 0, sdp: "offer 1" }]);

    signals = [];
    const fresh = newPeer("offerer");
    begin(fresh.peer);
    fresh.peer.offer();
    await settle();
    fresh.connection.gatherAll();
    await settle();
    expect(signals).toEqual([{ type: "offer", generation: 0, sdp: "offer 1" }]);
  });
});

describe("[MEDIA-3] an offer", () => {
  test("is answered in its own transceivers, with the own tracks", async () => {
    const { peer, connection } = newPeer("answerer");
    begin(peer);
    peer.take(offer(0));
    await settle();
    expect(connection.remoteDescription).toEqual({ type: "offer", sdp: "their offer 0" });
    expect(signals).toEqual([{ type: "answer", generation: 0, sdp: "answer 1" }]);
    expect(connection.transceivers).toHaveLength(2);
    expect(connection.transceivers.map(({ direction, sender }) => [direction, sender.track, sender.streams])).toEqual(
      stream.tracks.map((track) => ["sendrecv", track, [stream]]),
    );
    expect(connection.transceivers[1]?.preferences).toEqual([{ mimeType: "video/VP8" }]);
  });

  test("is answered once, though it may come in the match push and again as a signal", async () => {
    const { peer, connection } = newPeer("answerer");
    begin(peer);
    peer.take(offer(0));
    peer.take(offer(0));
    await settle();
    peer.take(offer(0));
    await settle();
    expect(ofType("answer")).toHaveLength(1);
    expect(connection.offersTaken).toBe(1);
  });

  test("is not taken by the one who offers, so there is no glare", async () => {
    const { peer, connection } = await connectedOfferer();
    peer.take(offer(1));
    await settle();
    expect(connection.offersTaken).toBe(0);
    expect(ofType("answer")).toEqual([]);
  });

  test("that cannot be read leaves the next one its chance", async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    const { peer, connection } = newPeer("answerer");
    begin(peer);
    vi.spyOn(connection, "setRemoteDescription").mockRejectedValueOnce(new Error("unreadable"));
    peer.take(offer(0));
    peer.take(offer(1));
    await settle();
    expect(signals).toEqual([{ type: "answer", generation: 1, sdp: "answer 1" }]);
  });
});

describe("[MEDIA-4] candidates", () => {
  test("found within 50 ms travel together, the end mark not at all", async () => {
    const { connection } = await connectedAnswerer();
    connection.gather("a");
    await vi.advanceTimersByTimeAsync(candidateBatchMs - 1);
    connection.gather("b");
    connection.gather("");
    connection.gather(null);
    expect(signals).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(signals).toEqual([candidates(0, "a", "b")]);
    connection.gather("c");
    await vi.advanceTimersByTimeAsync(candidateBatchMs);
    expect(signals).toEqual([candidates(0, "a", "b"), candidates(0, "c")]);
  });

  test("travel at most 32 in one signal", async () => {
    const { connection } = await connectedAnswerer();
    for (let index = 0; index < 70; index += 1) connection.gather(String(index));
    await vi.advanceTimersByTimeAsync(candidateBatchMs);
    expect(ofType("candidates").map((signal) => signal.candidates.length)).toEqual([
      candidatesPerSignalMax,
      candidatesPerSignalMax,
      70 - 2 * candidatesPerSignalMax,
    ]);
    expect(lines(ofType("candidates").flatMap((signal) => signal.candidates))).toEqual(
      Array.from({ length: 70 }, (_, index) => String(index)),
    );
  });

  test("that come before the description wait for it", async () => {
    const { peer, connection } = newPeer("answerer");
    begin(peer);
    peer.take(candidates(0, "a", "b"));
    await settle();
    expect(connection.added).toEqual([]);
    peer.take(offer(0));
    peer.take(candidates(0, "c"));
    await settle();
    expect(lines(connection.added)).toEqual(["a", "b", "c"]);
  });

  test("that come before the answer to a restart wait for it too: they belong to the new path", async () => {
    const { peer, connection } = await connectedOfferer();
    peer.restart();
    await settle();
    peer.take(candidates(1, "new"));
    await settle();
    expect(connection.added).toEqual([]);
    peer.take({ type: "answer", generation: 1, sdp: "their answer 1" });
    await settle();
    expect(lines(connection.added)).toEqual(["new"]);
  });

  test("that wait are bounded", async () => {
    const { peer, connection } = newPeer("answerer");
    begin(peer);
    for (let index = 0; index < 100; index += 1) {
      peer.take(candidates(0, ...Array.from({ length: 32 }, () => `c${index}`)));
    }
    peer.take(offer(0));
    await settle();
    expect(connection.added.length).toBeGreaterThanOrEqual(32);
    expect(connection.added.length).toBeLessThanOrEqual(256);
  });

  test("of an older offer are dropped", async () => {
    const { peer, connection } = await connectedAnswerer();
    peer.take(offer(1));
    peer.take(candidates(0, "old"));
    peer.take(candidates(1, "new"));
    await settle();
    expect(lines(connection.added)).toEqual(["new"]);
  });

  test("that cannot be read cost only themselves", async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    const { peer, connection } = await connectedAnswerer();
    peer.take(candidates(0, "a", "bad", "b"));
    await settle();
    expect(lines(connection.added)).toEqual(["a", "b"]);
  });
});

test("[MEDIA-5] an answer to an older offer, and a second one to the same, are dropped", async () => {
  const { peer, connection } = await connectedOfferer();
  expect(connection.remoteDescription?.sdp).toBe("their answer");
  peer.take({ type: "answer", generation: 0, sdp: "again" });
  peer.restart();
  await settle();
  peer.take({ type: "answer", generation: 0, sdp: "late" });
  await settle();
  expect(connection.remoteDescription?.sdp).toBe("their answer");
  expect(connection.signalingState).toBe("have-local-offer");
  peer.take({ type: "answer", generation: 1, sdp: "their answer 1" });
  await settle();
  expect(connection.remoteDescription?.sdp).toBe("their answer 1");
});

describe("[CALL-9] a restart", () => {
  test("by the offerer is a new offer of the next generation, with new paths", async () => {
    const { peer, connection } = await connectedOfferer();
    peer.restart();
    await settle();
    expect(signals).toEqual([{ type: "offer", generation: 1, sdp: "offer 2" }]);
    expect(connection.restarts).toBe(1);
    connection.gather("new");
    await vi.advanceTimersByTimeAsync(candidateBatchMs);
    expect(signals[1]).toEqual(candidates(1, "new"));
  });

  test("by the answerer is asked of the offerer", async () => {
    const { peer, connection } = await connectedAnswerer();
    peer.restart();
    await settle();
    expect(signals).toEqual([{ type: "restart", generation: 0 }]);
    expect(connection.restarts).toBe(0);
  });

  test("that is asked for is made, and answered with the same tracks", async () => {
    const { peer } = await connectedOfferer();
    peer.take({ type: "restart", generation: 0 });
    await settle();
    expect(signals).toEqual([{ type: "offer", generation: 1, sdp: "offer 2" }]);

    const other = await connectedAnswerer();
    other.peer.take(offer(1));
    await settle();
    expect(signals).toEqual([{ type: "answer", generation: 1, sdp: "answer 2" }]);
    expect(other.connection.transceivers).toHaveLength(2);
  });

  test("that both sides want at once is one", async () => {
    const { peer, connection } = await connectedOfferer();
    peer.restart();
    peer.take({ type: "restart", generation: 0 });
    await settle();
    peer.take({ type: "answer", generation: 1, sdp: "their answer 1" });
    peer.take({ type: "restart", generation: 0 });
    await settle();
    expect(connection.restarts).toBe(1);
    expect(connection.signalingState).toBe("stable");
  });

  test("whose offer was lost with the socket is sent again when the other asks", async () => {
    const { peer, connection } = await connectedOfferer();
    peer.restart();
    await settle();
    peer.take({ type: "restart", generation: 0 });
    await settle();
    expect(signals).toEqual([
      { type: "offer", generation: 1, sdp: "offer 2" },
      { type: "offer", generation: 1, sdp: "offer 2" },
    ]);
    expect(connection.restarts).toBe(1);
  });

  test("whose answer was lost is made anew, by whichever side tries again", async () => {
    const { peer } = await connectedOfferer();
    peer.restart();
    await settle();
    peer.restart();
    await settle();
    peer.take({ type: "restart", generation: 2 });
    await settle();
    expect(ofType("offer").map(({ generation }) => generation)).toEqual([1, 2, 3]);
    peer.take({ type: "answer", generation: 3, sdp: "their answer 3" });
    await settle();
    expect(FakePeerConnection.all.at(-1)?.remoteDescription?.sdp).toBe("their answer 3");
  });

  test("asked of an answerer is nothing it can do", async () => {
    const { peer } = await connectedAnswerer();
    peer.take({ type: "restart", generation: 0 });
    await settle();
    expect(signals).toEqual([]);
  });
});

describe("[CALL-9] the flow of media", () => {
  test("is watched from the begin of the room on: first frame, stall, flowing again", async () => {
    const { connection } = await connectedAnswerer();
    await vi.advanceTimersByTimeAsync(5 * mediaStatsMs);
    expect(flow).toEqual([]);
    connection.received = { bytes: 100, framesDecoded: 1 };
    await vi.advanceTimersByTimeAsync(mediaStatsMs);
    expect(flow).toEqual(["first-frame"]);
    await vi.advanceTimersByTimeAsync(mediaStallMs + mediaStatsMs);
    expect(flow).toEqual(["first-frame", "stalled"]);
    connection.received = { bytes: 200, framesDecoded: 2 };
    await vi.advanceTimersByTimeAsync(mediaStatsMs);
    expect(flow).toEqual(["first-frame", "stalled", "flowing"]);
  });

  test("stalls at once when the browser says that the path failed", async () => {
    const { connection } = await connectedAnswerer();
    connection.ice("disconnected");
    expect(flow).toEqual([]);
    connection.ice("failed");
    expect(flow).toEqual(["stalled"]);
  });
});

test("[MEDIA-1] the other side's stream is handed on when its first track arrives", async () => {
  const { connection } = await connectedAnswerer();
  const remote = new FakeStream().asStream;
  connection.arrive();
  connection.arrive(remote);
  expect(remotes).toEqual([remote]);
});

describe("[MEDIA-6] closing a connection", () => {
  test("closes it once, ends every timer, and never stops the own tracks", async () => {
    const { peer, connection } = await connectedAnswerer();
    connection.gather("a");
    peer.close();
    peer.close();
    expect(connection.closings).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
    expect(stream.isRunning).toBe(true);
  });

  test("ends what was on its way: nothing is signalled, taken or told any more", async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    const { peer, connection } = await connectedAnswerer();
    connection.received = { bytes: 100, framesDecoded: 1 };
    vi.advanceTimersByTime(mediaStatsMs);
    peer.take(offer(1));
    peer.close();
    peer.restart();
    connection.gather("late");
    connection.ice("failed");
    connection.arrive(new FakeStream().asStream);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([signals, flow, remotes]).toEqual([[], [], []]);
    expect(connection.offersTaken).toBe(1);
  });

  test("in the middle of preparing leaves no timer behind", async () => {
    const { peer } = newPeer("offerer");
    void peer.prepareOffer();
    await settle();
    peer.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});
