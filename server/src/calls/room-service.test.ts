import { Registry } from "prom-client";
import { beforeEach, describe, expect, test } from "vitest";
import { qualityMetrics } from "./call-metrics.ts";
import { qualityReportsMax, reconnectGiveUpMs } from "@fava/wire/limits.ts";
import { socketCloseCodes } from "@fava/wire/socket.ts";
import type { MediaRelay } from "#ports/media.ts";
import { MatchWorld } from "#test/fixtures/match-world.ts";

const [ana, bo, cem, eve] = [1n, 2n, 3n, 4n];
const peerIs = (roomId: string, state: string) => ({ type: "peer-media", roomId, state });
const left = (roomId: string, reason = "left") => ({ code: 100_002, roomId, reason });

let world: MatchWorld;
beforeEach(async () => {
  world = new MatchWorld();
  for (const userId of [ana, bo, cem, eve]) await world.arrive(userId, { sex: userId === ana ? 2 : 1 });
});

describe("the match push", () => {
  test("[PUSH-61] tells both of the room, each with the partner's card, the own price and an own token", async () => {
    world.beans.set(bo, 1_600n);
    await world.start(ana, { sex: 0, country: 0 }, "v=0 prepared by ana");
    world.clock.advance(1);
    await world.start(bo, { sex: 2, country: 0 });
    const [toAna, toBo] = [world.takeMatch(ana), world.takeMatch(bo)];
    expect(toAna).toMatchObject({
      code: 100_001,
      user_Id: 2,
      externalId: "ext-2",
      is_enough: 1,
      remote: { user_id: 2, price: 0, sex: 1, country_name: "18 in en" },
      media: { kind: "p2p", role: "offerer", peerOffer: null, policy: "all" },
    });
    expect(toBo).toMatchObject({
      user_Id: 1,
      externalId: "ext-1",
      // The user can pay for the first minute only.
      is_enough: 0,
      remote: { user_id: 1, price: 1_600, sex: 2 },
      media: { role: "answerer", peerOffer: "v=0 prepared by ana" },
    });
    expect(toAna.roomId).toBe(toBo.roomId);
    expect(toAna.token).not.toBe(toBo.token);
  });
});

describe("the room", () => {
  test("[CALL-62] is live when both have reported video, and every step is stored", async () => {
    const room = await world.live(ana, bo);
    expect([world.calls.current(ana)?.status, world.calls.current(bo)?.status]).toEqual([3, 3]);
    expect(world.log.kindsOf(room.id)).toEqual(["matched", "joined", "playing", "joined", "playing", "live"]);
    expect(world.log.calls.get(room.id)).toMatchObject({ connectedAtMs: world.clock.nowMs(), endReason: null });
    world.clock.advance(3_600_000);
    expect(world.calls.isIn(ana, room.id)).toBe(true);
  });

  test("is open to a user only while the user is in it", async () => {
    const room = await world.live(ana, bo);
    expect([world.calls.isIn(ana, room.id), world.calls.isIn(cem, room.id), world.calls.isIn(ana, "other")]).toEqual([
      true,
      false,
      false,
    ]);
    world.matches.stop(bo);
    expect([world.calls.isIn(ana, room.id), world.calls.isIn(bo, room.id)]).toEqual([false, false]);
  });

  test("[CALL-63] can be joined by its two users only", async () => {
    const room = await world.matched(ana, bo);
    expect(world.calls.join(ana, room.id)).toEqual({ is_enough: 1 });
    for (const [userId, id] of [
      [cem, room.id],
      [ana, "other"],
    ] as const) {
      expect(() => world.calls.join(userId, id)).toThrow(expect.objectContaining({ data: { reason: "not_in_room" } }));
    }
  });

  test("is joined by a user who reports playing video, or signals, without a request", async () => {
    const { id: roomId, tokens } = await world.matched(ana, bo);
    const joined = () => [ana, bo].map((userId) => world.calls.current(userId)?.joined);
    expect(joined()).toEqual([false, false]);
    world.calls.roomMessage(bo, { type: "media", roomId, roomToken: tokens.get(bo)!, state: "playing" });
    expect(joined()).toEqual([false, true]);
    const signal = { type: "candidates" as const, generation: 0, candidates: [] };
    world.calls.roomMessage(ana, { type: "signal", roomId, roomToken: tokens.get(ana)!, signal });
    expect(joined()).toEqual([true, true]);
  });

  test("[MATCH-6] ends for both when it is not live in ten seconds, without a charge", async () => {
    const room = await world.matched(ana, bo);
    world.calls.join(ana, room.id);
    world.clock.advance(9_999);
    expect(world.calls.isIn(ana, room.id)).toBe(true);
    world.clock.advance(1);
    expect([world.took(ana), world.took(bo)]).toEqual([[left(room.id, "not_joined")], [left(room.id, "not_joined")]]);
    expect(world.log.calls.get(room.id)).toMatchObject({ connectedAtMs: null, endReason: "not_joined" });
  });

  test("[CALL-64] tells the user who stays at once, with the reason in the log", async () => {
    for (const [leave, reason] of [
      [() => world.matches.stop(bo), "stop"],
      [() => world.bus.close(bo, 1000), "left"],
      [() => world.bus.disconnect(bo, socketCloseCodes.kicked), "kicked"],
      [() => world.bus.disconnect(bo, socketCloseCodes.banned), "banned"],
      [() => world.bus.disconnect(bo, socketCloseCodes.signedOut), "left"],
    ] as const) {
      const room = await world.live(ana, bo);
      leave();
      expect(world.took(ana)).toEqual([left(room.id, reason === "banned" ? "cut" : "left")]);
      expect(world.log.calls.get(room.id)?.endReason).toBe(reason);
      expect(world.calls.roomCount).toBe(0);
      world.matches.stop(ana);
      world.bus.arrive(bo);
      world.clock.advance(1_000_000);
    }
  });

  test("survives a lost socket that comes back in time", async () => {
    const room = await world.live(ana, bo);
    world.bus.close(bo, 1006);
    world.clock.advance(reconnectGiveUpMs - 1);
    world.bus.resume(bo);
    world.clock.advance(1_000_000);
    expect(world.calls.isIn(ana, room.id)).toBe(true);
    expect(world.log.kindsOf(room.id).slice(-2)).toEqual(["lost", "returned"]);
  });

  test("ends when the lost socket does not return, and its user is told on return", async () => {
    const room = await world.live(ana, bo);
    world.bus.close(bo, 1006);
    world.clock.advance(reconnectGiveUpMs);
    expect(world.took(ana)).toEqual([peerIs(room.id, "lost"), left(room.id)]);
    expect(world.log.calls.get(room.id)?.endReason).toBe("lost");
    world.bus.resume(bo);
    expect(world.took(bo)).toEqual([left(room.id)]);
  });

  test("tells both sides when the server stops, and leaves nothing behind", async () => {
    const room = await world.live(ana, bo);
    world.calls.endAll();
    expect([world.took(ana), world.took(bo)]).toEqual([[left(room.id, "restart")], [left(room.id, "restart")]]);
    expect([world.calls.roomCount, world.clock.pendingCount]).toEqual([0, 0]);
  });

  test("bounds what is stored of one call, and always stores its end", async () => {
    const { id, tokens } = await world.live(ana, bo);
    const message = { type: "media", roomId: id, roomToken: tokens.get(ana)! } as const;
    for (let flip = 0; flip < 400; flip += 1) {
      world.calls.roomMessage(ana, { ...message, state: "camera_off" });
      world.calls.roomMessage(ana, { ...message, state: "camera_on" });
    }
    world.matches.stop(ana);
    expect(world.log.kindsOf(id)).toHaveLength(500);
    expect(world.log.kindsOf(id).at(-1)).toBe("ended");
  });
});

describe("strangers", () => {
  test("[CALL-67] cannot signal, chat or report in a room they were not matched into", async () => {
    const room = await world.live(ana, bo);
    const other = await world.live(cem, eve);
    const messages = [
      { type: "signal", signal: { type: "restart", generation: 0 } },
      { type: "chat", clientId: "c1", text: "hello" },
      { type: "media", state: "camera_off" },
      { type: "quality", rung: 1, level: 1 },
      { type: "reaction", reaction: "heart" },
      { type: "two-choice", question: 1 },
    ] as const;
    const attempts = [
      // Another room with a valid token. The own room with a foreign token, an invented one and the partner's one.
      [cem, room.id, room.tokens.get(ana)!],
      [ana, room.id, other.tokens.get(cem)!],
      [ana, room.id, "made up"],
      [ana, room.id, room.tokens.get(bo)!],
      [ana, "no room", room.tokens.get(ana)!],
    ] as const;
    for (const [userId, roomId, roomToken] of attempts) {
      for (const message of messages) {
        world.calls.roomMessage(userId, { ...message, roomId, roomToken });
        expect(world.took(userId)).toEqual([
          expect.objectContaining({ type: "error", code: 403, reason: "unknown_room" }),
        ]);
      }
    }
    for (const userId of [ana, bo, cem, eve]) expect(world.took(userId)).toEqual([]);
  });

  test("[CALL-67] rejects a token once the room is over", async () => {
    const room = await world.live(ana, bo);
    world.matches.stop(bo);
    world.took(ana);
    const message = {
      type: "chat",
      roomId: room.id,
      roomToken: room.tokens.get(ana)!,
      clientId: "c",
      text: "?",
    } as const;
    world.calls.roomMessage(ana, message);
    expect(world.took(ana)).toEqual([{ type: "error", code: 403, reason: "unknown_room", clientId: "c" }]);
    expect(world.took(bo)).toEqual([]);
  });
});

describe("the quality of a side's video", () => {
  test("reaches the partner, at most fifty times in a call", async () => {
    const { id, tokens } = await world.live(ana, bo);
    const say = (rung: 0 | 1 | 2 | 3 | 4, level: 0 | 1 | 2 | 3) =>
      world.calls.roomMessage(ana, { type: "quality", roomId: id, roomToken: tokens.get(ana)!, rung, level });
    for (let times = 0; times < qualityReportsMax; times += 1) say(1, 1);
    expect(world.took(bo)).toEqual(
      Array.from({ length: qualityReportsMax }, () => ({ type: "peer-quality", roomId: id, level: 1 })),
    );
    expect(world.took(ana)).toEqual([]);
    say(3, 3);
    expect([world.took(bo), world.took(ana)]).toEqual([[], [{ type: "error", code: 406, reason: "refused" }]]);
  });

  test("is counted by rung for as long as it lasts, to the end of the call", async () => {
    const { id, tokens } = await world.live(ana, bo);
    const say = (userId: bigint, rung: 0 | 1 | 3) =>
      world.calls.roomMessage(userId, {
        type: "quality",
        roomId: id,
        roomToken: tokens.get(userId)!,
        rung,
        level: rung,
      });
    world.clock.advance(5_000);
    say(ana, 3);
    say(bo, 1);
    world.clock.advance(7_000);
    say(ana, 0);
    world.clock.advance(2_000);
    world.matches.stop(bo);
    world.clock.advance(60_000);
    expect(world.calls.rungMs).toEqual({ 0: 2_000, 1: 9_000, 2: 0, 3: 7_000, 4: 0 });
    const metrics = new Registry();
    qualityMetrics(metrics, world.calls);
    expect(await metrics.metrics()).toContain('fava_rung_seconds_total{rung="1"} 9');
  });
});

describe("signals", () => {
  test("reach the partner, and only the offerer makes offers", async () => {
    const { id, tokens } = await world.matched(ana, bo);
    const send = (userId: bigint, signal: object) =>
      world.calls.roomMessage(userId, { type: "signal", roomId: id, roomToken: tokens.get(userId)!, signal } as never);
    const offer = { type: "offer", generation: 1, sdp: "v=0" };
    const answer = { type: "answer", generation: 1, sdp: "v=0" };
    const restart = { type: "restart", generation: 1 };
    send(ana, offer);
    expect(world.took(bo)).toEqual([{ type: "signal", roomId: id, signal: offer }]);
    send(bo, answer);
    send(bo, restart);
    expect(world.took(ana)).toMatchObject([{ signal: answer }, { signal: restart }]);
    send(bo, offer);
    send(ana, answer);
    send(ana, restart);
    const refused = { type: "error", code: 406, reason: "refused" };
    expect([world.took(bo), world.took(ana)]).toEqual([[refused], [refused, refused]]);
    expect(world.calls.current(bo)?.joined).toBe(true);
  });

  test("[SAFE-513] end at the relay for the user who is cut, and for nobody who leaves or stays", async () => {
    const cut: string[] = [];
    const relay: MediaRelay = {
      policy: "relay",
      credentialsFor: () => ({ iceServers: [], expiresAtMs: 0 }),
      cut: (externalId) => void cut.push(externalId),
    };
    world = new MatchWorld({ media: relay });
    for (const userId of [1n, 2n, 3n, 4n, 5n, 6n]) await world.arrive(userId);
    await world.live(1n, 2n);
    world.calls.leave(1n, "left");
    expect(cut).toEqual([]);
    await world.live(3n, 4n);
    world.calls.cut(4n);
    expect([cut, world.calls.cut(4n)]).toEqual([["ext-4"], false]);
    await world.live(5n, 6n);
    world.calls.cutUnchecked(5n, { cause: "none", back: new Map() });
    expect(cut).toEqual(["ext-4", "ext-5"]);
  });

  test("under the relay policy lose every other address, in the prepared offer too", async () => {
    const relay: MediaRelay = {
      policy: "relay",
      credentialsFor: (externalId) => ({ iceServers: [{ urls: ["turn:t"], username: externalId }], expiresAtMs: 0 }),
      cut: () => {},
    };
    world = new MatchWorld({ media: relay });
    await world.arrive(ana);
    await world.arrive(bo);
    const candidate = (address: string, type: string) => `candidate:1 1 udp 1 ${address} 5 typ ${type}`;
    const sdp = [
      "v=0",
      "c=IN IP4 192.0.2.1",
      `a=${candidate("192.0.2.1", "host")}`,
      `a=${candidate("198.51.100.9", "relay")}`,
    ];
    await world.start(ana, undefined, sdp.join("\r\n"));
    world.clock.advance(1);
    await world.start(bo);
    const [toAna, toBo] = [world.takeMatch(ana), world.takeMatch(bo)];
    expect(toBo.media.policy).toBe("relay");
    expect(toBo.media.iceServers[0]?.username).toBe("ext-2");
    expect(toBo.media.peerOffer).toContain("198.51.100.9");
    expect(JSON.stringify(toBo)).not.toContain("192.0.2.1");
    const trickle = (address: string, type: string) => ({
      candidate: candidate(address, type),
      sdpMid: "0",
      sdpMLineIndex: 0,
    });
    const room = { roomId: toAna.roomId, roomToken: toAna.token };
    const mixed = [trickle("192.0.2.1", "host"), trickle("198.51.100.9", "relay")];
    world.calls.roomMessage(ana, {
      type: "signal",
      ...room,
      signal: { type: "candidates", generation: 0, candidates: mixed },
    });
    world.calls.roomMessage(ana, {
      type: "signal",
      ...room,
      signal: { type: "candidates", generation: 0, candidates: mixed.slice(0, 1) },
    });
    const reached = world.took(bo);
    expect(reached).toHaveLength(1);
    expect(JSON.stringify(reached)).toContain("198.51.100.9");
    expect(JSON.stringify(reached)).not.toContain("192.0.2.1");
  });
});
