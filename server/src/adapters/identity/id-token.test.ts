import { generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { type IdentityProvider, IdentityRefusedError } from "#ports/identity.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { FakeIdentityProvider } from "#test/fakes/fake-identity-provider.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { AppleIdentity } from "./apple-identity.ts";
import { GoogleIdentity } from "./google-identity.ts";

const clock = new TestClock();
const nowSeconds = Math.floor(clock.nowMs() / 1_000);
let fake: FakeIdentityProvider;

beforeAll(async () => {
  fake = await FakeIdentityProvider.start();
  leftovers.push(fake);
});

const cases = [
  {
    name: "Google",
    issuer: "https://accounts.google.com",
    make: (): IdentityProvider => new GoogleIdentity({ clientId: "ours", clock, keySetUrl: fake.keySetUrl }),
  },
  {
    name: "Apple",
    issuer: "https://appleid.apple.com",
    make: (): IdentityProvider =>
      new AppleIdentity({
        clientId: "ours",
        redirectUri: "https://fava.example/",
        clock,
        keySetUrl: fake.keySetUrl,
      }),
  },
];

describe.each(cases)("$name", ({ issuer, make }) => {
  const good: JWTPayload = {
    iss: issuer,
    aud: "ours",
    sub: "subject",
    iat: nowSeconds,
    exp: nowSeconds + 3_600,
    nonce: "nonce",
    name: "Ana",
    picture: "https://lh3.googleusercontent.com/a/ana",
  };

  async function refusal(token: string, thirdPartyId = "subject"): Promise<string> {
    const error: unknown = await make()
      .verify({ thirdPartyId, token })
      .then(
        () => "accepted",
        (reason: unknown) => reason,
      );
    if (!(error instanceof IdentityRefusedError)) throw new Error(`expected a refusal, got ${String(error)}`);
    return error.reason;
  }

  async function refusalOf(change: JWTPayload): Promise<string> {
    const claims = { ...good, ...change };
    for (const name of Object.keys(change)) if (change[name] === undefined) delete claims[name];
    return refusal(await fake.idToken(claims));
  }

  test("[SIGNIN-62] accepts a token of the provider for us, with its claims and expiry", async () => {
    const identity = await make().verify({ thirdPartyId: "subject", token: await fake.idToken(good) });
    expect(identity).toEqual({
      thirdPartyId: "subject",
      mail: null,
      nickname: "Ana",
      avatarUrl: "https://lh3.googleusercontent.com/a/ana",
      nonce: "nonce",
      // A token is too old ten minutes after its creation, whatever its own expiry; 30 s more for clock differences.
      expiresAtMs: (nowSeconds + 630) * 1_000,
    });
  });

  test.each([
    [{ email: "Ana@Fava.example", email_verified: true }, "ana@fava.example"],
    [{ email: "ana@fava.example", email_verified: "true" }, "ana@fava.example"],
    [{ email: "ana@fava.example", email_verified: false }, null],
    [{ email: "ana@fava.example" }, null],
    [{ email_verified: true }, null],
  ])("reads a mail address only if the provider has verified it: %j", async (claims, mail) => {
    const token = await fake.idToken({ ...good, ...claims });
    expect(await make().verify({ thirdPartyId: "subject", token })).toMatchObject({ mail });
  });

  test("[SIGNIN-62] rejects a token signed with another key", async () => {
    const { privateKey } = await generateKeyPair("RS256");
    const forged = await new SignJWT(good).setProtectedHeader({ alg: "RS256", kid: "one" }).sign(privateKey);
    expect(await refusal(forged)).toBe("ERR_JWS_SIGNATURE_VERIFICATION_FAILED");
  });

  test("[SIGNIN-62] rejects a token with changed claims", async () => {
    const [header, , signature] = (await fake.idToken(good)).split(".");
    const claims = Buffer.from(JSON.stringify({ ...good, sub: "victim" })).toString("base64url");
    expect(await refusal(`${header}.${claims}.${signature}`, "victim")).toBe("ERR_JWS_SIGNATURE_VERIFICATION_FAILED");
  });

  test("[SIGNIN-62] rejects a token without a signature (alg none)", async () => {
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
    expect(await refusal(`${encode({ alg: "none" })}.${encode(good)}.`)).toBe("ERR_JOSE_ALG_NOT_ALLOWED");
  });

  test("[SIGNIN-62] rejects a token signed with the public key as an HMAC secret", async () => {
    const confused = await new SignJWT(good)
      .setProtectedHeader({ alg: "HS256", kid: "one" })
      .sign(Buffer.from("the public key as everybody knows it, long enough"));
    expect(await refusal(confused)).toBe("ERR_JOSE_ALG_NOT_ALLOWED");
  });

  test("[SIGNIN-62] rejects a token that is expired, too old or from the future", async () => {
    expect(await refusalOf({ exp: nowSeconds - 31 })).toBe("ERR_JWT_EXPIRED");
    expect(await refusalOf({ iat: nowSeconds - 631 })).toBe("ERR_JWT_EXPIRED");
    expect(await refusalOf({ iat: nowSeconds + 31 })).toBe("ERR_JWT_CLAIM_VALIDATION_FAILED");
  });

  test("[SIGNIN-62] rejects a token of another client or issuer", async () => {
    expect(await refusalOf({ aud: "another app" })).toBe("ERR_JWT_CLAIM_VALIDATION_FAILED");
    expect(await refusalOf({ iss: "https://accounts.evil.example" })).toBe("ERR_JWT_CLAIM_VALIDATION_FAILED");
  });

  test.each(["sub", "exp", "iat", "nonce"])("[SIGNIN-62] rejects a token without %s", async (claim) => {
    expect(await refusalOf({ [claim]: undefined })).toBe("ERR_JWT_CLAIM_VALIDATION_FAILED");
  });

  test("[SIGNIN-62] rejects a genuine token of another user", async () => {
    expect(await refusal(await fake.idToken(good), "victim")).toBe("subject differs from third_party_id");
  });

  test("[SIGNIN-62] rejects text that is not a token", async () => {
    expect(await refusal("nonsense")).toBe("ERR_JWS_INVALID");
  });
});

test("[SIGNIN-62] rejects every token without the provider's keys", async () => {
  const away = new GoogleIdentity({ clientId: "ours", clock, keySetUrl: new URL("/missing", fake.url) });
  const token = await fake.idToken({
    iss: "accounts.google.com",
    aud: "ours",
    sub: "s",
    iat: 1,
    exp: 2,
    nonce: "n",
  });
  await expect(away.verify({ thirdPartyId: "s", token })).rejects.toThrow(IdentityRefusedError);
});

test("[SIGNIN-62] stops reading an endless key set", async () => {
  fake.answers.set("/endless", () => ({ body: `{"keys":[],"more":"${"x".repeat(70_000)}"}` }));
  const endless = new GoogleIdentity({ clientId: "ours", clock, keySetUrl: new URL("/endless", fake.url) });
  const token = await fake.idToken({
    iss: "accounts.google.com",
    aud: "ours",
    sub: "s",
    iat: 1,
    exp: 2,
    nonce: "n",
  });
  await expect(endless.verify({ thirdPartyId: "s", token })).rejects.toThrow(/larger than 65536 bytes/);
});
