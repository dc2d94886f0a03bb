import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RequestFailure } from "#lib/api/request-failure.ts";
import type { request as sendRequest } from "#lib/api/request.ts";
import { removeStored } from "#lib/storage.ts";
import { FakeStream } from "#testing/fake-media.ts";
import { FakePeerConnection } from "#testing/fake-peer-connection.ts";
import { OfferCache, RoomCredentials } from "./offer-cache.ts";

const minuteMs = 60_000;
const request = vi.fn<typeof sendRequest>();
const iceServers = [{ urls: ["turn:a"], username: "u", credential: "c" }];

let stock: OfferCache;
let stream: FakeStream;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("RTCPeerConnection", FakePeerConnection);
  vi.stubGlobal("RTCRtpReceiver", { getCapabilities: () => null });
  FakePeerConnection.all = [];
  stock = new OfferCache(new RoomCredentials(request));
  stream = new FakeStream();
  request.mockImplementation(async () => ({
    token: "room-sign",
    iceServers,
    policy: "relay",
    expiresAt: Date.now() + 10 * minuteMs,
  }));
});

afterEach(() => {
  stock.drop();
  removeStored("agoraToken");
  vi.resetAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Prepares an offer and lets the ICE gathering time out. */
async function prepare(of: FakeStream = stream): Promise<void> {
  const done = stock.prepare(of.asStream);
  await vi.advanceTimersByTimeAsync(1_000);
  await done;
}

const openConnections = () => FakePeerConnection.all.filter((connection) => connection.closings === 0);

test("prepares an offer with the ICE servers and policy of the server", async () => {
  expect(stock.peek(stream.asStream)).toBeNull();
  await prepare();
  expect(stock.peek(stream.asStream)).toMatchObject({ sdp: "offer 1", stream, delivered: false });
  expect(openConnections()).toHaveLength(1);
  expect(openConnections()[0]?.config).toMatchObject({ iceServers, iceTransportPolicy: "relay" });
});

test("prepares one offer for any number of requests", async () => {
  await Promise.all([prepare(), stock.prepare(stream.asStream), stock.prepare(stream.asStream)]);
  await prepare();
  expect(FakePeerConnection.all).toHaveLength(1);
});

test("hands the offer over to its taker, and makes another one after that", async () => {
  await prepare();
  const taken = stock.take(stream.asStream);
  expect(taken?.sdp).toBe("offer 1");
  expect(stock.take(stream.asStream)).toBeNull();
  stock.drop();
  expect(openConnections()).toHaveLength(1);
  await prepare();
  expect(stock.peek(stream.asStream)?.peer).not.toBe(taken?.peer);
  taken?.peer.close();
});

test("returns an offer only for the stream of which it was made", async () => {
  await prepare();
  const other = new FakeStream();
  expect(stock.peek(other.asStream)).toBeNull();
  expect(stock.take(other.asStream)).toBeNull();
  await prepare(other);
  expect(stock.peek(stream.asStream)).toBeNull();
  expect(stock.peek(other.asStream)).not.toBeNull();
  expect(openConnections()).toHaveLength(1);
});

test("keeps its connections when a local track is replaced, and they send the new one", async () => {
  await prepare();
  stock.makeSpare(stream.asStream);
  const after = new FakeStream();
  stock.useStream(stream.asStream, after.asStream);
  expect([stock.peek(stream.asStream), stock.takeSpare(stream.asStream)]).toEqual([null, null]);
  const [offer, spare] = [stock.take(after.asStream), stock.takeSpare(after.asStream)];
  expect([offer?.stream, spare?.stream]).toEqual([after.asStream, after.asStream]);
  expect(FakePeerConnection.all[0]?.transceivers.map(({ sender }) => sender.track)).toEqual(after.tracks);
  offer?.peer.close();
  spare?.peer.close();
});

test("closes what is dropped, even if it is ready only afterwards", async () => {
  await prepare();
  stock.drop();
  expect(openConnections()).toEqual([]);
  const late = stock.prepare(stream.asStream);
  await vi.advanceTimersByTimeAsync(100);
  stock.drop();
  await vi.advanceTimersByTimeAsync(1_000);
  await late;
  expect(openConnections()).toEqual([]);
  expect(stock.peek(stream.asStream)).toBeNull();
});

test("keeps one connection when it is dropped and requested again in between", async () => {
  const first = stock.prepare(stream.asStream);
  await vi.advanceTimersByTimeAsync(100);
  stock.drop();
  await prepare();
  await first;
  expect(openConnections()).toHaveLength(1);
  expect(stock.peek(stream.asStream)).not.toBeNull();
});

test("makes no offer without credentials, and tries again at the next request", async () => {
  vi.spyOn(console, "info").mockReturnValue();
  request.mockRejectedValueOnce(new RequestFailure({ code: 0, reason: "network" }));
  await prepare();
  expect(stock.peek(stream.asStream)).toBeNull();
  expect(FakePeerConnection.all).toEqual([]);
  await prepare();
  expect(stock.peek(stream.asStream)).not.toBeNull();
});

test("replaces an offer whose credentials have expired", async () => {
  await prepare();
  await vi.advanceTimersByTimeAsync(9 * minuteMs);
  const old = stock.peek(stream.asStream);
  expect(old).not.toBeNull();
  await vi.advanceTimersByTimeAsync(minuteMs);
  expect(stock.peek(stream.asStream)).toBeNull();
  await prepare();
  expect(openConnections()).toHaveLength(1);
  expect(stock.peek(stream.asStream)?.peer).not.toBe(old?.peer);
});

test("hands out an offer that may have been sent even with expired credentials, because only it fits the answer", async () => {
  await prepare();
  const ready = stock.peek(stream.asStream);
  await vi.advanceTimersByTimeAsync(11 * minuteMs);
  expect(stock.take(stream.asStream)).toBe(ready);
  ready?.peer.close();
});

test("gathers candidates of a spare connection ahead, hands it out once, and closes it after a second", async () => {
  // Without credentials no spare is made, because they would be fetched for it alone.
  stock.makeSpare(stream.asStream);
  expect(FakePeerConnection.all).toHaveLength(0);
  await prepare();
  stock.makeSpare(stream.asStream);
  const [, spare] = FakePeerConnection.all;
  expect(spare?.config).toMatchObject({ iceServers, iceTransportPolicy: "relay", iceCandidatePoolSize: 1 });
  expect(stock.takeSpare(new FakeStream().asStream)).toBeNull();
  const taken = stock.takeSpare(stream.asStream);
  expect(stock.takeSpare(stream.asStream)).toBeNull();
  vi.advanceTimersByTime(2_000);
  expect(spare?.closings).toBe(0);
  taken?.peer.close();
  stock.makeSpare(stream.asStream);
  vi.advanceTimersByTime(1_000);
  expect(FakePeerConnection.all[2]?.closings).toBe(1);
  expect(stock.takeSpare(stream.asStream)).toBeNull();
});

test("keeps the spare while the next offer is made, because a search is answered before its match comes", async () => {
  await prepare();
  stock.take(stream.asStream)?.peer.close();
  stock.openSpare();
  stock.makeSpare(stream.asStream);
  const done = stock.prepare(stream.asStream);
  await vi.advanceTimersByTimeAsync(100);
  const taken = stock.takeSpare(stream.asStream);
  expect(taken).not.toBeNull();
  await vi.advanceTimersByTimeAsync(1_000);
  await done;
  expect([FakePeerConnection.all[1]?.closings, openConnections().length]).toEqual([0, 2]);
  taken?.peer.close();
});

test("closes the spare with the local stream, and when another one replaces it", async () => {
  await prepare();
  stock.makeSpare(stream.asStream);
  stock.makeSpare(stream.asStream);
  expect(FakePeerConnection.all.map(({ closings }) => closings)).toEqual([0, 1, 0]);
  stock.drop();
  expect(FakePeerConnection.all.map(({ closings }) => closings)).toEqual([1, 1, 1]);
});

test("may open the base of a spare before the local stream, and closes it after the same second", async () => {
  await prepare();
  stock.openSpare();
  const [, opened] = FakePeerConnection.all;
  expect(opened?.config).toMatchObject({ iceServers, iceTransportPolicy: "relay", iceCandidatePoolSize: 1 });
  stock.makeSpare(stream.asStream);
  expect(FakePeerConnection.all).toHaveLength(2);
  stock.takeSpare(stream.asStream)?.peer.close();
  expect(opened?.closings).toBe(1);
  stock.openSpare();
  vi.advanceTimersByTime(1_000);
  expect(FakePeerConnection.all[2]?.closings).toBe(1);
  stock.makeSpare(stream.asStream);
  expect(FakePeerConnection.all).toHaveLength(4);
});

test("opens the base of the spare for Next during a call, which gathers nothing before the search", async () => {
  await prepare();
  stock.openSpareForNext();
  stock.openSpareForNext();
  const [, opened] = FakePeerConnection.all;
  expect(FakePeerConnection.all).toHaveLength(2);
  expect(opened?.config?.iceCandidatePoolSize).toBeUndefined();
  vi.advanceTimersByTime(60_000);
  expect(opened?.closings).toBe(0);
  stock.makeSpare(stream.asStream);
  expect(FakePeerConnection.all).toHaveLength(2);
  expect(opened?.config).toMatchObject({ iceServers, iceTransportPolicy: "relay", iceCandidatePoolSize: 1 });
  stock.takeSpare(stream.asStream)?.peer.close();
  stock.openSpareForNext();
  stock.drop();
  expect(openConnections()).toEqual([]);
});
