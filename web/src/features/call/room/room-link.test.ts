import { mediaStatsMs, qualityReportIntervalMs, qualityReportsMax } from "@fava/wire/limits.ts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { RequestFailure } from "#lib/api/request-failure.ts";
import type { request as sendRequest } from "#lib/api/request.ts";
import { closeLeftConnections, Peer } from "#lib/media/peer-connection.ts";
import type { OutgoingMessage } from "#lib/socket/socket-client.ts";
import { FakeStream } from "#testing/fake-media.ts";
import { FakePeerConnection } from "#testing/fake-peer-connection.ts";
import { matchedPush } from "#testing/matched-push.ts";
import { type CachedOffer, RoomCredentials, type SpareConnection } from "./offer-cache.ts";
import { RoomLink } from "./room-link.ts";

const minuteMs = 60_000;
const request = vi.fn<typeof sendRequest>();

let stream: FakeStream;
let sent: OutgoingMessage[];
let signs: RoomCredentials;
const links: RoomLink[] = [];
const servers = (made: number) => [{ urls: ["turn:a"], username: `u${made}`, credential: "c" }];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("RTCPeerConnection", FakePeerConnection);
  vi.stubGlobal("RTCRtpReceiver", { getCapabilities: () => null });
  FakePeerConnection.all = [];
  stream = new FakeStream();
  sent = [];
  signs = new RoomCredentials(request);
  // Each set of credentials is valid for an hour and carries its number.
  let made = 0;
  request.mockImplementation(async () => {
    made += 1;
    return { token: "sign", iceServers: servers(made), policy: "relay", expiresAt: Date.now() + 60 * minuteMs };
  });
});

afterEach(() => {
  for (const link of links.splice(0)) link.close();
  closeLeftConnections();
  vi.resetAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function prepared(delivered: boolean): Promise<CachedOffer> {
  const sign = await signs.current();
  const peer = new Peer("offerer", { iceServers: sign.iceServers, policy: "all", stream: stream.asStream });
  const sdp = peer.prepareOffer();
  await vi.advanceTimersByTimeAsync(1_000);
  return { peer, sdp: await sdp, sign, stream: stream.asStream, delivered };
}

async function open(
  change: Parameters<typeof matchedPush>[1],
  offer: CachedOffer | null = null,
  spare: SpareConnection | null = null,
): Promise<RoomLink> {
  const link = new RoomLink({
    match: matchedPush("r1", change),
    stream: stream.asStream,
    prepared: offer,
    spare,
    signs,
    send: (frame) => sent.push(frame),
    listener: { remoteStream: () => undefined, flow: () => undefined, rung: () => undefined },
  });
  links.push(link);
  await vi.advanceTimersByTimeAsync(1_000);
  return link;
}

const room = { roomId: "r1", roomToken: "token-r1" };

test("sends the new track of a device that was replaced", async () => {
  const link = await open({ media: { role: "offerer" } });
  const after = new FakeStream();
  link.useStream(after.asStream);
  expect(FakePeerConnection.all[0]?.transceivers.map(({ sender }) => sender.track)).toEqual(after.tracks);
});

describe("what came through the relay", () => {
  async function receive(policy: "relay" | "all"): Promise<RoomLink> {
    const link = await open({ media: { role: "answerer", peerOffer: "their offer", policy } });
    Object.assign(FakePeerConnection.all[0]!.received, { bytes: 50_000, packets: 100, headerBytes: 2_000 });
    await vi.advanceTimersByTimeAsync(mediaStatsMs);
    sent = [];
    return link;
  }

  test("is reported once when the connection ends, with the headers of every layer", async () => {
    for (const end of ["leave", "close"] as const) {
      FakePeerConnection.all = [];
      const link = await receive("relay");
      link[end]();
      expect(sent).toEqual([]);
      link.close();
      vi.advanceTimersByTime(0);
      expect(sent).toEqual([{ type: "relayed", roomId: "r1", bytes: 50_000 + 2_000 + 100 * 42 }]);
    }
  });

  test("is not reported without a relay", async () => {
    const link = await receive("all");
    link.leave();
    vi.advanceTimersByTime(0);
    expect(sent).toEqual([]);
  });
});

describe("the offer of a match", () => {
  test("is not sent again when the match push carried it", async () => {
    const offer = await prepared(true);
    await open({ media: { role: "offerer" } }, offer);
    expect(FakePeerConnection.all).toHaveLength(1);
    expect(sent).toEqual([]);
  });

  test("is sent as a signal when it was prepared but not delivered in time", async () => {
    await open({ media: { role: "offerer" } }, await prepared(false));
    expect(FakePeerConnection.all).toHaveLength(1);
    expect(sent).toEqual([{ type: "signal", ...room, signal: { type: "offer", generation: 0, sdp: "offer 1" } }]);
  });

  test("is made when none was prepared", async () => {
    await open({ media: { role: "offerer", policy: "relay" } });
    expect(FakePeerConnection.all[0]?.config.iceTransportPolicy).toBe("relay");
    expect(sent).toEqual([{ type: "signal", ...room, signal: { type: "offer", generation: 0, sdp: "offer 1" } }]);
  });

  test("is answered by the answerer, whose own offer is closed unused", async () => {
    await open({ media: { role: "answerer", peerOffer: "their offer" } }, await prepared(true));
    const [own, answering] = FakePeerConnection.all;
    closeLeftConnections();
    expect(own?.closings).toBe(1);
    expect(answering?.remoteDescription?.sdp).toBe("their offer");
    expect(sent).toEqual([{ type: "signal", ...room, signal: { type: "answer", generation: 0, sdp: "answer 1" } }]);
  });

  test("is awaited by the answerer when it comes later", async () => {
    const link = await open({ media: { role: "answerer" } });
    expect(sent).toEqual([]);
    link.take({ type: "offer", generation: 0, sdp: "their offer" });
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toEqual([{ type: "signal", ...room, signal: { type: "answer", generation: 0, sdp: "answer 1" } }]);
  });
});

test("starts above the generations of the earlier connection when a room is announced again", async () => {
  const returned = { generation: 2_000, live_ms: 0 };
  await open({ media: { role: "offerer" }, returned });
  expect(sent).toEqual([{ type: "signal", ...room, signal: { type: "offer", generation: 2_000, sdp: "offer 1" } }]);
});

test("[CALL-67] adds the room and its token to everything that it sends", async () => {
  const link = await open({ media: { role: "answerer" } });
  link.tell("playing");
  link.say("c1", "hello");
  link.restart();
  expect(sent).toEqual([
    { type: "media", state: "playing", ...room },
    { type: "chat", clientId: "c1", text: "hello", ...room },
    { type: "signal", signal: { type: "restart", generation: 0 }, ...room },
  ]);
});

describe("the quality of the sent video", () => {
  const words = () => sent.filter((message) => message.type === "quality");
  const word = (rung: number, level: number) => ({ type: "quality", rung, level, ...room });

  test("is reported after five seconds, then on changes, at most every five seconds and only the newest", async () => {
    const link = await open({ media: { role: "answerer" } });
    link.tellRung(3);
    await vi.advanceTimersByTimeAsync(qualityReportIntervalMs - 1);
    expect(words()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(words()).toEqual([word(3, 3)]);
    await vi.advanceTimersByTimeAsync(20_000);
    link.tellRung(4);
    link.tellRung(2);
    expect(words()).toEqual([word(3, 3), word(4, 3)]);
    link.tellRung(1);
    await vi.advanceTimersByTimeAsync(qualityReportIntervalMs);
    expect(words().slice(2)).toEqual([word(1, 1)]);
    link.tellRung(0);
    link.tellRung(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(words()).toHaveLength(3);
  });

  test("is reported fifty times per call, and not after it", async () => {
    const link = await open({ media: { role: "answerer" } });
    for (let times = 0; times < 120; times += 1) {
      link.tellRung(times % 2 === 0 ? 1 : 2);
      await vi.advanceTimersByTimeAsync(qualityReportIntervalMs);
    }
    expect(words()).toHaveLength(qualityReportsMax);
    const left = await open({ media: { role: "answerer" } });
    left.tellRung(1);
    left.leave();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(words()).toHaveLength(qualityReportsMax);
  });
});

test("closes the connection of a room that is left, and keeps the local camera running", async () => {
  const link = await open({ media: { role: "offerer" } }, await prepared(true));
  link.close();
  expect(FakePeerConnection.all[0]?.closings).toBe(1);
  expect(stream.isRunning).toBe(true);
});

describe("a call that outlasts its credentials", () => {
  /** An offerer in an answered call, and its connection. */
  async function offerer(): Promise<{ link: RoomLink; connection: FakePeerConnection }> {
    const link = await open({ media: { role: "offerer", iceServers: servers(0) } }, await prepared(true));
    const [connection] = FakePeerConnection.all;
    if (!connection) throw new Error("there is no connection");
    link.take({ type: "answer", generation: 0, sdp: "their answer" });
    await vi.advanceTimersByTimeAsync(0);
    return { link, connection };
  }

  test("receives new ones before the old ones expire, however long it lasts", async () => {
    const { connection } = await offerer();
    await vi.advanceTimersByTimeAsync(58 * minuteMs);
    expect(connection.config.iceServers).toEqual(servers(1));
    await vi.advanceTimersByTimeAsync(1.5 * minuteMs);
    expect(connection.config.iceServers).toEqual(servers(2));
    await vi.advanceTimersByTimeAsync(60 * minuteMs);
    expect(connection.config.iceServers).toEqual(servers(3));
    expect(request).toHaveBeenCalledTimes(3);
    expect(connection.config).toMatchObject({ iceTransportPolicy: "all", bundlePolicy: "max-bundle" });
  });

  test("restarts ICE with new ones, also after the page slept past their end", async () => {
    const { link, connection } = await offerer();
    vi.setSystemTime(Date.now() + 2 * 60 * minuteMs);
    link.restart();
    await vi.advanceTimersByTimeAsync(0);
    expect(connection.restarts).toBe(1);
    expect(connection.gatheredWith).toEqual(servers(2));
  });

  test("answers an ICE restart with new ones too", async () => {
    const link = await open({ media: { role: "answerer", peerOffer: "their offer", iceServers: servers(0) } });
    const [connection] = FakePeerConnection.all;
    expect(connection?.gatheredWith).toEqual(servers(0));
    vi.setSystemTime(Date.now() + 2 * 60 * minuteMs);
    link.take({ type: "offer", generation: 1, sdp: "their restart" });
    await vi.advanceTimersByTimeAsync(0);
    expect(connection?.remoteDescription?.sdp).toBe("their restart");
    expect(connection?.gatheredWith).toEqual(servers(1));
  });

  test("restarts ICE with the old ones if no others are available, because a direct path needs none", async () => {
    const { link, connection } = await offerer();
    vi.setSystemTime(Date.now() + 2 * 60 * minuteMs);
    request.mockRejectedValueOnce(new RequestFailure({ code: 0, reason: "timeout" }));
    link.restart();
    await vi.advanceTimersByTimeAsync(0);
    expect(connection.restarts).toBe(1);
    expect(connection.gatheredWith).toEqual(servers(1));
    link.restart();
    await vi.advanceTimersByTimeAsync(0);
    expect(connection.gatheredWith).toEqual(servers(2));
  });

  test("requests no more after its end", async () => {
    const { link, connection } = await offerer();
    link.close();
    await vi.advanceTimersByTimeAsync(120 * minuteMs);
    expect(request).toHaveBeenCalledTimes(1);
    expect(connection.config.iceServers).toEqual(servers(1));
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a connection that was made while the search request travelled", () => {
  async function spareOf(): Promise<SpareConnection> {
    const sign = await signs.current();
    const options = { iceServers: sign.iceServers, policy: sign.policy, stream: stream.asStream, gathersAhead: true };
    return { peer: new Peer("answerer", options), sign, stream: stream.asStream };
  }
  const offered = (policy: "all" | "relay") => ({ role: "answerer", policy, peerOffer: "their offer" }) as const;

  test("answers the offer of a match at once", async () => {
    await open({ media: offered("relay") }, null, await spareOf());
    expect(FakePeerConnection.all).toHaveLength(1);
    expect(FakePeerConnection.all[0]?.config.iceCandidatePoolSize).toBe(1);
    expect(sent).toEqual([{ type: "signal", ...room, signal: { type: "answer", generation: 0, sdp: "answer 1" } }]);
  });

  test("is closed unused when the match needs another policy or an offer", async () => {
    await open({ media: offered("all") }, null, await spareOf());
    await open({ media: { role: "offerer", policy: "relay" } }, null, await spareOf());
    closeLeftConnections();
    expect(FakePeerConnection.all.map(({ closings }) => closings)).toEqual([1, 0, 1, 0]);
    expect(FakePeerConnection.all[1]?.config.iceTransportPolicy).toBe("all");
  });

  test("is not used for a continued call, whose offers start at a higher generation", async () => {
    await open({ media: offered("relay"), returned: { generation: 1_000, live_ms: 1 } }, null, await spareOf());
    closeLeftConnections();
    expect(FakePeerConnection.all.map(({ closings }) => closings)).toEqual([1, 0]);
  });
});
