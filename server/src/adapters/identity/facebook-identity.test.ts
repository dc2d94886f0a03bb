import { createHmac } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { TestClock } from "#test/fakes/clock.ts";
import { FakeIdentityProvider } from "#test/fakes/fake-identity-provider.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { FacebookIdentity } from "./facebook-identity.ts";

const clock = new TestClock();
const nowSeconds = Math.floor(clock.nowMs() / 1_000);
const goodToken = {
  is_valid: true,
  app_id: "our-app",
  type: "USER",
  user_id: "1001",
  expires_at: nowSeconds + 3_600,
  data_access_expires_at: nowSeconds + 86_400,
};

let fake: FakeIdentityProvider;
let facebook: FacebookIdentity;

beforeAll(async () => {
  fake = await FakeIdentityProvider.start();
  leftovers.push(fake);
  facebook = new FacebookIdentity({
    appId: "our-app",
    appSecret: "our-secret",
    clock,
    baseUrl: new URL("/graph", fake.url).href,
  });
});

beforeEach(() => {
  fake.requests.length = 0;
  answer("debug_token", { data: goodToken });
  answer("me", {
    id: "1001",
    name: "Ana",
    picture: { data: { url: "https://x.fbcdn.net/ana", is_silhouette: false } },
  });
});

function answer(path: string, body: unknown, status = 200): void {
  fake.answers.set(`/graph/${path}`, () => ({ status, body: JSON.stringify(body) }));
}

const verify = (thirdPartyId = "1001") => facebook.verify({ thirdPartyId, token: "access-token" });

test("[SIGNIN-63] accepts a token of our app for this user until it expires", async () => {
  await expect(verify()).resolves.toEqual({
    thirdPartyId: "1001",
    mail: null,
    nickname: "Ana",
    avatarUrl: "https://x.fbcdn.net/ana",
    nonce: null,
    expiresAtMs: (nowSeconds + 3_600) * 1_000,
  });
});

test("[SIGNIN-63] queries the token as the app, and the user with a proof of its secret", async () => {
  await verify();
  const [debug, me] = fake.requests;
  expect(debug?.searchParams.get("access_token")).toBe("our-app|our-secret");
  expect(debug?.searchParams.get("input_token")).toBe("access-token");
  const proof = createHmac("sha256", "our-secret").update("access-token").digest("hex");
  expect(me?.searchParams.get("appsecret_proof")).toBe(proof);
});

test.each([
  ["that Facebook calls invalid", { is_valid: false }],
  ["of another app", { app_id: "another-app" }],
  ["of a page", { type: "PAGE" }],
  ["of another person", { user_id: "1002" }],
  ["that has expired", { expires_at: nowSeconds - 1 }],
])("[SIGNIN-63] rejects a token %s", async (_what, change) => {
  answer("debug_token", { data: { ...goodToken, ...change } });
  await expect(verify()).rejects.toThrow(/^identity refused: debug_token: /);
});

test("[SIGNIN-63] remembers a token without expiry for three months", async () => {
  answer("debug_token", { data: { ...goodToken, expires_at: 0, data_access_expires_at: 0 } });
  expect((await verify()).expiresAtMs).toBe(clock.nowMs() + 90 * 86_400_000);
});

test("[SIGNIN-63] ignores the default silhouette", async () => {
  answer("me", { id: "1001", name: "", picture: { data: { url: "https://x.fbcdn.net/none", is_silhouette: true } } });
  await expect(verify()).resolves.toMatchObject({ nickname: null, avatarUrl: null });
});

test("[SIGNIN-63] rejects a response about another user", async () => {
  answer("me", { id: "1002" });
  await expect(verify()).rejects.toThrow("identity refused: me: another user");
});

test.each([
  ["an error", () => answer("debug_token", { error: { message: "no" } }, 400), "status 400"],
  ["another shape", () => answer("debug_token", { data: [] }), "unexpected answer"],
  [
    "more than 64 KiB",
    () => answer("debug_token", { data: goodToken, more: "x".repeat(70_000) }),
    "provider is unreachable",
  ],
])("[SIGNIN-63] rejects the token for %s instead of a response", async (_what, arrange, reason) => {
  arrange();
  await expect(verify()).rejects.toThrow(`identity refused: debug_token: ${reason}`);
});

test("[SIGNIN-63] never quotes the app secret or the token in a reason", async () => {
  const away = new FacebookIdentity({
    appId: "our-app",
    appSecret: "our-secret",
    clock,
    baseUrl: "http://127.0.0.1:1",
  });
  await expect(away.verify({ thirdPartyId: "1001", token: "access-token" })).rejects.toThrow(
    /^identity refused: debug_token: provider is unreachable$/,
  );
});
