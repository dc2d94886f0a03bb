import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Peer } from "#lib/peer-connection.ts";
import type { OutgoingFrame } from "#lib/socket-client.ts";
import { FakeStream } from "#testing/fake-media.ts";
import { FakePeerConnection } from "#testing/fake-peer-connection.ts";
import { matchedPush } from "#testing/matched-push.ts";
import type { PreparedOffer } from "./offer-stock.ts";
import { RoomLink } from "./room-link.ts";

let stream: FakeStream;
let sent: OutgoingFrame[];
const links: RoomLink[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("RTCPeerConnection", FakePeerConnection);
  vi.stubGlobal("RTCRtpReceiver", { getCapabilities: () => null });
  FakePeerConnection.all = [];
  stream = new FakeStream();
  sent = [];
});

afterEach(() => {
  for (const link of links.splice(0)) link.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function prepared(delivered: boolean): Promise<PreparedOffer> {
  const peer = new Peer("offerer", { iceServers: [], policy: "all", stream: stream.asStream });
  const sdp = peer.prepareOffer();
  await vi.advanceTimersByTimeAsync(1_000);
  return { peer, sdp: await sdp, stream: stream.asStream, delivered };
}

async function open(change: Parameters<typeof matchedPush>[1], offer: PreparedOffer | null = null): Promise<RoomLink> {
  const link = new RoomLink({
    match: matchedPush("r1", change),
    stream: stream.asStream,
    prepared: offer,
    send: (frame) => sent.push(frame),
    listener: { remoteStream: () => undefined, flow: () => undefined },
  });
  links.push(link);
  await vi.advanceTimersByTimeAsync(1_000);
  return link;
}

const room = { roomId: "r1", roomToken: "token-r1" };

describe("[MATCH-10] the offer of a match", () => {
  test("that travelled with it is not sent a second time", async () => {
    const offer = await prepared(true);
    await open({ media: { role: "offerer" } }, offer);
    expect(FakePeerConnection.all).toHaveLength(1);
    expect(sent).toEqual([]);
  });

  test("that was prepared but not in time is sent as a signal", async () => {
    await open({ media: { role: "offerer" } }, await prepared(false));
    expect(FakePeerConnection.all).toHaveLength(1);
    expect(sent).toEqual([{ type: "signal", ...room, signal: { type: "offer", generation: 0, sdp: "offer 1" } }]);
  });

  test("that nobody has prepared is made", async () => {
    await open({ media: { role: "offerer", policy: "relay" } });
    expect(FakePeerConnection.all[0]?.config.iceTransportPolicy).toBe("relay");
    expect(sent).toEqual([{ type: "signal", ...room, signal: { type: "offer", generation: 0, sdp: "offer 1" } }]);
  });

  test("is answered by the newcomer, whose own offer is closed unused", async () => {
    await open({ media: { role: "answerer", peerOffer: "their offer" } }, await prepared(true));
    const [own, answering] = FakePeerConnection.all;
    expect(own?.closings).toBe(1);
    expect(answering?.remoteDescription?.sdp).toBe("their offer");
    expect(sent).toEqual([{ type: "signal", ...room, signal: { type: "answer", generation: 0, sdp: "answer 1" } }]);
  });

  test("is waited for by the newcomer when it comes later", async () => {
    const link = await open({ media: { role: "answerer" } });
    expect(sent).toEqual([]);
    link.take({ type: "offer", generation: 0, sdp: "their offer" });
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toEqual([{ type: "signal", ...room, signal: { type: "answer", generation: 0, sdp: "answer 1" } }]);
  });
});

test("[CALL-67] everything that is sent carries the room and its token", async () => {
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

test("[MEDIA-6] leaving a room closes its connection and leaves the own camera running", async () => {
  const link = await open({ media: { role: "offerer" } }, await prepared(true));
  link.close();
  expect(FakePeerConnection.all[0]?.closings).toBe(1);
  expect(stream.isRunning).toBe(true);
});
