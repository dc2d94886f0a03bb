import fc from "fast-check";
import * as v from "valibot";
import { expect, test } from "vitest";
import { clientMessageSchema } from "@fava/wire/socket.ts";
import { fuzz } from "@fava/wire/testing/depth.ts";
import { plainCheckOf } from "./plain-check.ts";

const isPlain = plainCheckOf(clientMessageSchema);
const room = { roomId: "room", roomToken: "token" };
const request = { path: "/p", timestamp: "1", nonce: "n", signature: "s", token: "t", contentType: "c", body: "b" };
const candidate = { candidate: "candidate:0", sdpMid: "0", sdpMLineIndex: 0 };
/** One message of each kind, as browsers send them. */
const messages: readonly v.InferInput<typeof clientMessageSchema>[] = [
  { type: "hello", tencentId: "ana", tencentSign: "sign", resume: null },
  { type: "hello", tencentId: "ana", tencentSign: "sign", resume: { sessionId: "s", lastSequence: 4 } },
  { type: "hello", tencentId: "ana", tencentSign: "sign", resume: null, ridingAcks: true },
  { type: "ack", sequence: 3 },
  { type: "ping" },
  { type: "ping", ack: 3 },
  { type: "chat", ...room, clientId: "c", text: "hello", ack: 4 },
  { type: "request", id: 7, ack: 5, ...request },
  { type: "signal", ...room, signal: { type: "offer", generation: 0, sdp: "v=0\r\n" } },
  { type: "signal", ...room, signal: { type: "answer", generation: 1, sdp: "v=0\r\n" } },
  { type: "signal", ...room, signal: { type: "candidates", generation: 0, candidates: [candidate] } },
  {
    type: "signal",
    ...room,
    signal: { type: "candidates", generation: 0, candidates: [{ ...candidate, usernameFragment: null, sdpMid: null }] },
  },
  { type: "signal", ...room, signal: { type: "restart", generation: 2 } },
  { type: "chat", ...room, clientId: "c", text: "hello" },
  { type: "media", ...room, state: "playing" },
  { type: "quality", ...room, rung: 4, level: 3 },
  { type: "search-media", state: "away" },
  { type: "typing", externalId: "bo" },
  { type: "request", id: 7, ...request },
];

test.each(messages)("[SOCKET-91] a message $type is known without asking the schema", (message) => {
  expect(isPlain(message)).toBe(true);
});

test("[SOCKET-91] whatever passes the quick check, the schema takes, and answers as it is", () => {
  const odd = fc.oneof(
    fc.constantFrom(undefined, null, true, -1, 0.5, 2 ** 53, Infinity, NaN, "", "x".repeat(600), "x".repeat(30_000)),
    fc.constantFrom<unknown>([], {}, [null], { type: "ping" }, "\r\n".repeat(700), 1_000_001, "playing", "offer"),
    fc.jsonValue(),
  );
  const names = [
    "type",
    "signal",
    "candidates",
    "0",
    "sequence",
    "ack",
    "ridingAcks",
    "__proto__",
    "resume",
    "usernameFragment",
    "more",
    "sdp",
  ];
  const change = fc.record({ at: fc.nat(12), name: fc.constantFrom(...names), value: odd, isRemoved: fc.boolean() });
  let plain = 0;
  fc.assert(
    fc.property(fc.constantFrom(...messages), fc.array(change, { maxLength: 2 }), (message, changes) => {
      const changed = structuredClone(message);
      for (const one of changes) spoil(changed, one);
      const spoilt = JSON.parse(JSON.stringify(changed)) as unknown;
      const parsed = v.safeParse(clientMessageSchema, spoilt);
      plain += Number(isPlain(spoilt));
      // The same verdict for all of these messages: nothing in them is beyond the check.
      expect(isPlain(spoilt)).toBe(parsed.success);
      expect(parsed.success ? parsed.output : spoilt).toEqual(spoilt);
    }),
    fuzz(5_000),
  );
  expect(plain).toBeGreaterThan(500);
});

/** Changes one part of a message, `at` parts on from its beginning. */
function spoil(message: unknown, change: { at: number; name: string; value: unknown; isRemoved: boolean }): void {
  const objects: Record<string, unknown>[] = [];
  const gather = (part: unknown) => {
    if (typeof part !== "object" || part === null) return;
    objects.push(part as Record<string, unknown>);
    Object.values(part).forEach(gather);
  };
  gather(message);
  const target = objects[change.at % objects.length]!;
  const known = Object.keys(target);
  const name = known[change.at % Math.max(1, known.length)] ?? change.name;
  if (change.isRemoved) delete target[name];
  else
    Object.defineProperty(target, change.at % 3 === 0 ? change.name : name, {
      value: structuredClone(change.value),
      enumerable: true,
      writable: true,
      configurable: true,
    });
}

test("[SOCKET-91] what the check does not know is left to the schema", () => {
  expect(plainCheckOf(v.date())(new Date(0))).toBe(false);
  // What it would answer otherwise than it came, and what a part of a part asks for.
  expect(plainCheckOf(v.strictObject({ note: v.optional(v.string(), "none") }))({})).toBe(false);
  expect(plainCheckOf(v.nullable(v.string(), "none"))(null)).toBe(false);
  const short = v.pipe(v.string(), v.maxLength(2));
  expect(plainCheckOf(v.pipe(short, v.minLength(1)))("long")).toBe(false);
  expect(plainCheckOf(v.pipe(v.string(), v.trim()))("a")).toBe(false);
  expect(plainCheckOf(v.variant("kind", [v.strictObject({ kind: v.picklist(["a", "b"]) })]))({ kind: "a" })).toBe(
    false,
  );
});
