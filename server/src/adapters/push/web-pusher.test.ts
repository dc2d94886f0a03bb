import { createServer } from "node:http";
import { decodeJwt, importJWK, jwtVerify } from "jose";
import { pino } from "pino";
import { expect, test } from "vitest";
import { fetchBounded } from "#adapters/identity/bounded-fetch.ts";
import { pusherContract, pushHosts, type PusherWorld } from "#test/contracts/pusher-contract.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { type FakeBrowser, fakeBrowser } from "#test/fakes/fake-browser.ts";
import { freePorts } from "#test/fixtures/free-ports.ts";
import { encryptPush } from "./encrypted-push.ts";
import { SandboxPusher } from "./sandbox-pusher.ts";
import { isVapidPair, makeVapidPair, vapidOf } from "./vapid.ts";
import { WebPusher, type WebPusherOptions } from "./web-pusher.ts";

const logger = pino({ level: "silent" });
const keys = { ...makeVapidPair(), subject: "mailto:help@fava.test" };
const browser = fakeBrowser("https://fcm.googleapis.com/fcm/send/1");
const message = { payload: "a payload", ttlSeconds: 120, topic: "topic-1", isUrgent: false };

type Post = Required<WebPusherOptions>["post"];
type Request = { address: URL; body: Uint8Array; headers: Readonly<Record<string, string>> };

/** A push service that answers with this status, and its requests. */
function pushService(status: number) {
  const requests: Request[] = [];
  const post: Post = async (address, _bounds, given) => {
    if (!(address instanceof URL) || !(given?.body instanceof Uint8Array)) throw new Error("no message");
    requests.push({ address, body: given.body, headers: given.headers });
    return { status, headers: new Headers(), body: Buffer.alloc(0) };
  };
  const pusher = new WebPusher({ keys, hosts: pushHosts, clock: new TestClock(), logger, post });
  return { pusher, requests };
}

pusherContract("push services", (reader: FakeBrowser): PusherWorld => {
  const { pusher, requests } = pushService(201);
  const read = ({ body, headers }: Request) => ({
    payload: reader.read(body),
    ttlSeconds: Number(headers["ttl"]),
    topic: headers["topic"] ?? "",
    isUrgent: headers["urgency"] === "high",
  });
  return { pusher, sent: () => requests.map(read) };
});

pusherContract("sandbox", () => {
  const pusher = new SandboxPusher({ publicKey: keys.publicKey, hosts: pushHosts, clock: new TestClock() });
  return { pusher, sent: () => pusher.kept };
});

test("[NOTIFY-3] encrypts a message as the test vector of RFC 8291", () => {
  const target = {
    p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg",
  };
  const body = encryptPush("When I grow up, I want to be a watermelon", target, {
    privateKey: Buffer.from("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw", "base64url"),
    salt: Buffer.from("DGv6ra1nlYgDCS1FRnbzlw", "base64url"),
    paddedToBytes: 0,
  });
  expect(body.toString("base64url")).toBe(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  );
});

test("[NOTIFY-3] hides text and length from push services, and from everyone but the browser", () => {
  const [short, long] = [encryptPush("a", browser.target), encryptPush("b".repeat(900), browser.target)];
  expect(short).toHaveLength(long.length);
  expect(browser.read(short)).toBe("a");
  expect(encryptPush("a", browser.target)).not.toEqual(short);
  expect(() => fakeBrowser("https://fcm.googleapis.com/2").read(short)).toThrow(/authenticate/);
  expect(browser.read(encryptPush("ü".repeat(1_500), browser.target))).toBe("ü".repeat(1_500));
  expect(() => encryptPush("x".repeat(3_001), browser.target)).toThrow("longer than push services accept");
});

test("[NOTIFY-3] signs a message for one origin and for hours", async () => {
  const { pusher, requests } = pushService(201);
  await pusher.send(browser.target, message);
  const { authorization = "", ...headers } = requests[0]?.headers ?? {};
  expect(headers).toMatchObject({
    "content-encoding": "aes128gcm",
    ttl: "120",
    topic: "topic-1",
    urgency: "normal",
  });
  const [, token = "", key = ""] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  expect(key).toBe(pusher.publicKey);
  const point = Buffer.from(key, "base64url");
  const [x, y] = [point.subarray(1, 33).toString("base64url"), point.subarray(33).toString("base64url")];
  const now = new Date(new TestClock().nowMs());
  const publicKey = await importJWK({ kty: "EC", crv: "P-256", x, y }, "ES256");
  const { payload } = await jwtVerify(token, publicKey, {
    audience: "https://fcm.googleapis.com",
    subject: "mailto:help@fava.test",
    currentDate: now,
  });
  expect(decodeJwt(token)).toEqual(payload);
  expect((payload.exp ?? 0) - now.getTime() / 1_000).toBeLessThanOrEqual(24 * 3_600);
});

test.each([
  [200, "sent"],
  [201, "sent"],
  [404, "gone"],
  [410, "gone"],
  [301, "failed"],
  [403, "failed"],
  [413, "failed"],
  [429, "failed"],
  [503, "failed"],
] as const)("handles a response %d of the push service: %s", async (status, outcome) => {
  expect(await pushService(status).pusher.send(browser.target, message)).toBe(outcome);
});

test("[NOTIFY-2] follows no redirect of a push service", async () => {
  const asked: string[] = [];
  const [port = 0] = await freePorts(1);
  await using server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(307, { location: `http://localhost:${port}/elsewhere` }).end();
  }).listen(port);
  expect(server.listening).toBe(true);
  const post: Post = (_address, bounds, given) => fetchBounded(`http://localhost:${port}/first`, bounds, given);
  const pusher = new WebPusher({ keys, hosts: pushHosts, clock: new TestClock(), logger, post });
  expect(await pusher.send(browser.target, message)).toBe("failed");
  expect(asked).toEqual(["/first"]);
});

test("[NOTIFY-3] recognises a key pair, and derives the same pair from the same secret", () => {
  const [one, other] = [makeVapidPair(), makeVapidPair()];
  expect(isVapidPair(one)).toBe(true);
  expect(isVapidPair({ ...one, privateKey: other.privateKey })).toBe(false);
  expect(isVapidPair({ ...one, privateKey: "AAAA" })).toBe(false);
  expect(isVapidPair({ ...one, privateKey: Buffer.alloc(32).toString("base64url") })).toBe(false);
  expect(isVapidPair({ ...one, publicKey: "" })).toBe(false);
  expect(vapidOf("a secret")).toEqual(vapidOf("a secret"));
  expect(vapidOf("a secret").publicKey).not.toBe(vapidOf("another").publicKey);
  expect(isVapidPair(vapidOf("a secret"))).toBe(true);
});
