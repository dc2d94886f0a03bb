import { afterEach, describe, expect, test } from "vitest";
import { TestClock } from "#test/fakes/clock.ts";
import { OpenIdProvider } from "#test/fixtures/openid-provider.ts";
import { AppleIdentity } from "./apple-identity.ts";
import { GoogleIdentity } from "./google-identity.ts";

const account = {
  sub: "1183",
  name: "Ana",
  picture: "https://lh3.googleusercontent.com/a/ana",
  email: "Ana@example.org",
  email_verified: true,
};
let provider: OpenIdProvider;

afterEach(() => provider[Symbol.asyncDispose]());

const cases = [
  { name: "Google", issuer: "https://accounts.google.com", make: GoogleIdentity },
  { name: "Apple", issuer: "https://appleid.apple.com", make: AppleIdentity },
];

describe.each(cases)("$name, over the keys and tokens of oidc-provider", ({ issuer, make: Identity }) => {
  async function start(change: Partial<typeof account> = {}, from = issuer) {
    provider = await OpenIdProvider.start({ issuer: from, account: { ...account, ...change } });
    const { keySetUrl } = provider;
    return new Identity({
      clientId: "ours",
      redirectUri: "https://fava.example/",
      clock: new TestClock(Date.now()),
      keySetUrl,
    });
  }

  test("[SIGNIN-62] accepts the token of a sign-in, with its claims", async () => {
    const identity = await start();
    const token = await provider.signIn({ clientId: "ours", nonce: "n-1" });
    expect(await identity.verify({ thirdPartyId: "1183", token })).toMatchObject({
      thirdPartyId: "1183",
      nickname: "Ana",
      avatarUrl: account.picture,
      mail: "ana@example.org",
      nonce: "n-1",
    });
  });

  test("takes no mail address that the provider has not verified", async () => {
    const identity = await start({ email_verified: false });
    const token = await provider.signIn({ clientId: "ours", nonce: "n-1" });
    expect(await identity.verify({ thirdPartyId: "1183", token })).toMatchObject({ mail: null });
  });

  test.each([
    ["another app", "theirs", "ERR_JWT_CLAIM_VALIDATION_FAILED"],
    ["an algorithm that we do not accept", "elliptic", "ERR_JOSE_ALG_NOT_ALLOWED"],
  ])("[SIGNIN-62] rejects a token for %s", async (_what, clientId, reason) => {
    const identity = await start();
    const token = await provider.signIn({ clientId, nonce: "n-1" });
    await expect(identity.verify({ thirdPartyId: "1183", token })).rejects.toMatchObject({ reason });
  });

  test("[SIGNIN-62] rejects a token of another issuer with the same keys", async () => {
    const identity = await start({}, "https://accounts.example.org");
    const token = await provider.signIn({ clientId: "ours", nonce: "n-1" });
    const reason = "ERR_JWT_CLAIM_VALIDATION_FAILED";
    await expect(identity.verify({ thirdPartyId: "1183", token })).rejects.toMatchObject({ reason });
  });
});
