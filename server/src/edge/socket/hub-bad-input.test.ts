import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { socketMessageBytesMax, socketMessagesBurstMax } from "@fava/wire/limits.ts";
import { socketCloseCodes } from "@fava/wire/socket.ts";
import { fuzz, storyTimeoutMs } from "@fava/wire/testing/depth.ts";
import { HubWorld } from "#test/fixtures/hub-world.ts";

let world: HubWorld;
beforeEach(async () => {
  world = await HubWorld.start({ socketsMax: 4 });
});
afterEach(() => world[Symbol.asyncDispose]());

describe("bad input", () => {
  test("answers a flood with an error, and closes with 4005", async () => {
    const ana = await world.signedIn("ana");
    for (let count = 0; count < socketMessagesBurstMax; count += 1) ana.send({ type: "ack", sequence: 0 });
    expect(await ana.closed).toBe(socketCloseCodes.flood);
    expect(ana.received.at(-1)).toMatchObject({ type: "error", code: 429, reason: "flood" });
  });

  test("rejects unknown fields, wrong types, binary data and broken JSON one by one", async () => {
    const ana = await world.signedIn("ana");
    const wrong = [
      "{",
      "null",
      "[]",
      '{"type":"ping","more":1}',
      '{"type":"ack","sequence":"1"}',
      '{"type":"ack","sequence":-1}',
      '{"type":"signal","roomId":"r","roomToken":"t","signal":{"type":"offer","generation":0,"sdp":""}}',
      '{"type":"media","roomId":"r","roomToken":"t","state":"dancing"}',
      '{"type":"quality","roomId":"r","roomToken":"t","rung":5,"level":3}',
      '{"type":"quality","roomId":"r","roomToken":"t","rung":1,"level":0.5}',
      '{"type":"reaction","roomId":"r","roomToken":"t","reaction":"kiss"}',
      '{"type":"two-choice","roomId":"r","roomToken":"t","question":61}',
      '{"type":"two-choice","roomId":"r","roomToken":"t","question":1,"choice":2}',
      '{"type":"relayed","roomId":"r","bytes":-1}',
      '{"type":"relayed","roomId":"r","bytes":1e16}',
      '{"type":"request","id":1,"path":"/api/video/match/stop"}',
      '{"type":"search-media","state":"playing"}',
      '{"type":"search-media","roomId":"r","state":"camera_off"}',
      Buffer.from([1, 2, 3]),
    ];
    for (const data of wrong) {
      ana.sendRaw(data);
      expect(await ana.next("error")).toMatchObject({ code: 400, reason: "bad_frame" });
      await ana.settled();
    }
    expect([world.roomMessages, world.happened]).toEqual([[], ["arrived 1"]]);
  });

  test("closes the socket at a message beyond the size limit", async () => {
    const ana = await world.signedIn("ana");
    ana.sendRaw("x".repeat(socketMessageBytesMax + 1));
    expect(await ana.closed).toBe(1009);
  });

  test("rejects a chat line over the limit with its own id", async () => {
    const ana = await world.signedIn("ana");
    ana.send({ type: "chat", roomId: "r", roomToken: "t", clientId: "c9", text: "x".repeat(501) });
    expect(await ana.next("error")).toEqual({ type: "error", code: 400, reason: "too_long", clientId: "c9" });
  });

  test.each([
    ["10,000 letters", "a".repeat(10_000)],
    ["2,000 combining marks", `a${"\u0301".repeat(2_000)}`],
    ["2,000 lone surrogates", "\ud800".repeat(2_000)],
  ])("refuses a chat line of %s with its own id", async (_name, text) => {
    const ana = await world.signedIn("ana");
    ana.send({ type: "chat", roomId: "r", roomToken: "t", clientId: "attack", text });
    expect(await ana.next("error")).toMatchObject({ code: 400, clientId: "attack" });
    expect(world.roomMessages).toEqual([]);
  });

  test("closes the socket at a chat line of a megabyte", async () => {
    const ana = await world.signedIn("ana");
    ana.send({ type: "chat", roomId: "r", roomToken: "t", clientId: "c", text: "\u200b".repeat(349_525) });
    expect(await ana.closed).toBe(1009);
  });

  test("refuses a chat line with a NUL character, by its own id", async () => {
    const ana = await world.signedIn("ana");
    const room = { roomId: "r", roomToken: "t", clientId: "c10" };
    ana.send({ type: "chat", ...room, text: "before\0after" });
    expect(await ana.next("error")).toEqual({ type: "error", code: 400, reason: "bad_frame", clientId: "c10" });
    expect(world.roomMessages).toEqual([]);
  });

  test("refuses NUL characters in every other text", async () => {
    const ana = await world.signedIn("ana");
    const signal = { type: "offer", generation: 0, sdp: "v=0\0" } as const;
    const room = { roomId: "r", roomToken: "t" };
    ana.send({ type: "typing", externalId: "ext\0" });
    ana.send({ type: "signal", ...room, signal });
    ana.send({ type: "media", roomId: "r\0", roomToken: "t", state: "playing" });
    for (let count = 0; count < 3; count += 1)
      expect(await ana.next("error")).toEqual({ type: "error", code: 400, reason: "bad_frame" });
    expect(world.roomMessages).toEqual([]);
  });

  test("shields other users from whatever bytes arrive", { timeout: storyTimeoutMs(30_000) }, async () => {
    const bo = await world.signedIn("bo");
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array)),
      fc.json().map(String),
      fc.string({ maxLength: 300 }),
      fc
        .record({
          type: fc.constantFrom("hello", "ack", "ping", "signal", "chat", "media", "request"),
          sequence: fc.anything(),
        })
        .map((value) => JSON.stringify(value) ?? ""),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(bytes, { minLength: 1, maxLength: 4 }), async (messages) => {
        const ana = await world.signedIn("ana");
        for (const message of messages) ana.sendRaw(message);
        ana.socket.close(1000);
        await ana.closed;
        await bo.settled();
        // Lets the budget refill, so that many rounds of pings are not a flood themselves.
        world.clock.advance(100);
      }),
      fuzz(150),
    );
    expect(world.roomMessages).toEqual([]);
    expect(world.hub.isHere(2n)).toBe(true);
  });
});
