import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from "jose";
import type { Clock } from "#ports/clock.ts";
import { IdentityRefusedError, type VerifiedIdentity } from "#ports/identity.ts";
import { fetchBounded } from "./bounded-fetch.ts";

/** An ID token is used within seconds of its issue; an older one was stored. */
const tokenAgeMaxSeconds = 600;
const clockToleranceSeconds = 30;
const keySetBounds = { timeoutMs: 5_000, bytesMax: 65_536 };

export interface IdTokenRules {
  keys: JWTVerifyGetKey;
  issuers: string[];
  audience: string;
  algorithms: string[];
  clock: Clock;
}

/** The provider's public keys, fetched on first use and cached for ten minutes. */
export function remoteKeys(keySetUrl: URL): JWTVerifyGetKey {
  return createRemoteJWKSet(keySetUrl, {
    [customFetch]: async (address) => {
      const { status, body } = await fetchBounded(address, keySetBounds);
      return new Response(body, { status });
    },
  });
}

/**
 * Verifies an OpenID Connect ID token (rule SIGNIN-62); the caller invalidates the nonce.
 * @throws IdentityRefusedError
 */
export async function verifyIdToken(
  claimed: { thirdPartyId: string; token: string },
  rules: IdTokenRules,
): Promise<VerifiedIdentity> {
  const claims = await verifiedClaims(claimed.token, rules);
  if (claims.sub !== claimed.thirdPartyId) throw new IdentityRefusedError("subject differs from third_party_id");
  const nonce = textClaim(claims, "nonce");
  if (nonce === null) throw new IdentityRefusedError("nonce is no text");
  const lastSecond = Math.min(claims.exp ?? 0, (claims.iat ?? 0) + tokenAgeMaxSeconds) + clockToleranceSeconds;
  return {
    thirdPartyId: claimed.thirdPartyId,
    mail: isTrue(claims["email_verified"]) ? (textClaim(claims, "email")?.toLowerCase() ?? null) : null,
    nickname: textClaim(claims, "name"),
    avatarUrl: textClaim(claims, "picture"),
    nonce,
    expiresAtMs: lastSecond * 1_000,
  };
}

async function verifiedClaims(token: string, rules: IdTokenRules): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, rules.keys, {
      issuer: rules.issuers,
      audience: rules.audience,
      algorithms: rules.algorithms,
      requiredClaims: ["sub", "exp", "iat", "nonce"],
      maxTokenAge: tokenAgeMaxSeconds,
      clockTolerance: clockToleranceSeconds,
      currentDate: new Date(rules.clock.nowMs()),
    });
    return payload;
  } catch (error) {
    throw new IdentityRefusedError(error instanceof errors.JOSEError ? error.code : String(error));
  }
}

/** Apple sends some booleans as texts. */
function isTrue(claim: unknown): boolean {
  return claim === true || claim === "true";
}

/** Null for a missing or empty text. */
export function textClaim(claims: JWTPayload, name: string): string | null {
  const value = claims[name];
  return typeof value === "string" && value !== "" ? value : null;
}
