import { beforeEach, expect, test } from "vitest";
import { inspectedFrame, signatureWindowMs } from "@fava/wire/limits.ts";
import { LocalNonces } from "#adapters/local/nonces.ts";
import { forbidden } from "#lib/errors.ts";
import { peerDigest, peerFramePath, peerHeaders, PeerSignatures } from "#lib/peer-signature.ts";
import type { FrameAnswer, PeerFrame } from "#ports/peer-frames.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { type Edge, openEdge } from "#test/fixtures/edge.ts";
import { peerFrameRoute } from "./peer-frame-route.ts";

const serverSecret = "of a test, and long enough";
const self = "this-process";
const startedAtMs = 1_767_225_600_000;
const picture = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);
const asked = { to: self, person: "7", room: "room one", ticket: "t+1" };

let edge: Edge;
let clock: TestClock;
let taken: PeerFrame[];
let answer: FrameAnswer | null;
beforeEach(async () => {
  clock = new TestClock(startedAtMs);
  taken = [];
  answer = { kind: "taken" };
  const take = async (frame: PeerFrame) => {
    taken.push(frame);
    return answer;
  };
  const nonces = new LocalNonces({ clock });
  edge = await openEdge({}, { plugins: (app) => peerFrameRoute(app, { self, serverSecret, clock, nonces, take }) });
});

interface Spoiled {
  method?: "GET" | "PUT" | "POST";
  secret?: string;
  query?: Readonly<Record<string, string>>;
  body?: Buffer;
  signedBody?: Buffer;
  timestamp?: string;
  nonce?: string;
  /** Replaces the signed headers. */
  headers?: Readonly<Record<string, string>>;
  target?: string;
}

let nonces = 0;
/** Sends a request of another process, with the given changes. */
async function send({ method = "POST", body = picture, signedBody = body, ...spoiled }: Spoiled = {}) {
  const { secret = serverSecret, query = asked, timestamp = String(clock.nowMs()) } = spoiled;
  const nonce = spoiled.nonce ?? String((nonces += 1)).padStart(32, "0");
  const target = `${peerFramePath}?${new URLSearchParams(query).toString()}`;
  const digest = peerDigest(signedBody);
  const headers = {
    "content-type": "image/jpeg",
    [peerHeaders.timestamp]: timestamp,
    [peerHeaders.nonce]: nonce,
    [peerHeaders.digest]: digest,
    [peerHeaders.signature]: new PeerSignatures(secret).of({ target, timestamp, nonce, digest }),
    ...spoiled.headers,
  };
  const got = await edge.app.inject({ method, url: spoiled.target ?? target, headers, payload: body });
  return { status: got.statusCode, text: got.body };
}

async function codeOf(spoiled: Spoiled): Promise<number> {
  return (JSON.parse((await send(spoiled)).text) as { code: number }).code;
}

test("[PEER-21] accepts a frame that another server signed, and returns the verdict", async () => {
  expect(JSON.parse((await send()).text)).toEqual({ code: 200, data: { kind: "taken" } });
  expect(taken).toEqual([{ userId: 7n, roomId: "room one", ticket: "t+1", bytes: picture }]);
  answer = { kind: "refused", code: 403, message: "not_in_room", data: forbidden("not_in_room").data };
  expect(JSON.parse((await send()).text)).toEqual({ code: 200, data: answer });
});

test("[PEER-21] rejects a request without a valid signature of the site before reading its body", async () => {
  const unread = Buffer.alloc(inspectedFrame.bytesMax + 1);
  expect(await codeOf({ secret: "of somebody else, and long enough", body: unread, signedBody: picture })).toBe(461);
  const otherPerson = `${peerFramePath}?${new URLSearchParams({ ...asked, person: "8" }).toString()}`;
  expect(await codeOf({ target: otherPerson })).toBe(461);
  expect(await codeOf({ headers: { [peerHeaders.nonce]: "f".repeat(32) } })).toBe(461);
  expect(await codeOf({ headers: { [peerHeaders.timestamp]: String(startedAtMs + 1) } })).toBe(461);
  expect(await codeOf({ signedBody: Buffer.from("another") })).toBe(461);
  expect(await codeOf({ headers: { [peerHeaders.digest]: peerDigest(Buffer.from("another")) } })).toBe(461);
  for (const name of Object.values(peerHeaders)) {
    expect(await codeOf({ headers: { [name]: "" } })).toBe(400);
    expect(await codeOf({ headers: { [name]: "x".repeat(64) } })).toBe(400);
  }
  expect(taken).toEqual([]);
});

test("[PEER-21] rejects a request that is repeated, late, or older than this server", async () => {
  const nonce = "a".repeat(32);
  expect(await codeOf({ nonce })).toBe(200);
  expect(await codeOf({ nonce })).toBe(462);
  expect(await codeOf({ timestamp: String(startedAtMs - 1) })).toBe(460);
  clock.advance(signatureWindowMs + 1);
  expect(await codeOf({ timestamp: String(startedAtMs) })).toBe(460);
  expect(await codeOf({ timestamp: String(clock.nowMs() + signatureWindowMs + 1) })).toBe(460);
  expect(taken).toHaveLength(1);
});

test("[PEER-21] rejects a frame that is too large", async () => {
  const atMost = Buffer.alloc(inspectedFrame.bytesMax);
  expect(await codeOf({ body: atMost })).toBe(200);
  const { status, text } = await send({ body: Buffer.alloc(inspectedFrame.bytesMax + 1) });
  expect([status, (JSON.parse(text) as { code: number }).code]).toEqual([413, 413]);
  expect(taken).toHaveLength(1);
});

test("[PEER-21] rejects a frame for another server, or of a user who is not inspected here", async () => {
  expect(await codeOf({ query: { ...asked, to: "process-before" } })).toBe(403);
  expect(taken).toEqual([]);
  answer = null;
  expect(await codeOf({})).toBe(403);
});

test("[PEER-21] rejects a malformed signed request", async () => {
  const long = "x".repeat(129);
  const queries = [
    { ...asked, person: "-1" },
    { ...asked, person: "seven" },
    { ...asked, room: long },
  ];
  for (const query of [...queries, { ...asked, ticket: "" }, { ...asked, ticket: long }, { ...asked, more: "x" }])
    expect(await codeOf({ query })).toBe(400);
  expect(taken).toEqual([]);
});

test("[PEER-21] offers no GET, and no route on a single server", async () => {
  for (const method of ["GET", "PUT"] as const) expect((await send({ method })).status).toBe(404);
  edge = await openEdge();
  expect((await send()).status).toBe(404);
  expect(taken).toEqual([]);
});
