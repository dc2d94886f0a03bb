import { createHmac } from "node:crypto";
import * as v from "valibot";
import type { Clock } from "#ports/clock.ts";
import { type IdentityProvider, IdentityRefusedError, type VerifiedIdentity } from "#ports/identity.ts";
import { fetchBounded } from "./bounded-fetch.ts";

const graphUrl = "https://graph.facebook.com/v25.0";
const graphBounds = { timeoutMs: 5_000, bytesMax: 65_536 };

const meSchema = v.object({
  id: v.string(),
  name: v.optional(v.string(), ""),
  picture: v.optional(
    v.object({ data: v.object({ url: v.optional(v.string(), ""), is_silhouette: v.optional(v.boolean(), false) }) }),
  ),
});

/** Facebook Login: verifies an access token by `debug_token`, then reads the user's name and picture. */
export class FacebookIdentity implements IdentityProvider {
  readonly loginType = 2;
  readonly mode = "live";
  readonly url = "";
  readonly avatarHosts = ["platform-lookaside.fbsbx.com", "*.fbcdn.net"] as const;
  readonly clientId: string;
  readonly #appSecret: string;
  readonly #clock: Clock;
  readonly #baseUrl: string;

  /** `baseUrl` includes the version of the Graph API. */
  constructor(options: { appId: string; appSecret: string; clock: Clock; baseUrl?: string }) {
    this.clientId = options.appId;
    this.#appSecret = options.appSecret;
    this.#clock = options.clock;
    this.#baseUrl = options.baseUrl ?? graphUrl;
  }

  async verify(claimed: { thirdPartyId: string; token: string }): Promise<VerifiedIdentity> {
    const debugged = await this.#ask(debugTokenSchema, "debug_token", {
      input_token: claimed.token,
      access_token: `${this.clientId}|${this.#appSecret}`,
    });
    const expiresAtMs = checkDebugToken(debugged, {
      appId: this.clientId,
      userId: claimed.thirdPartyId,
      nowMs: this.#clock.nowMs(),
    });
    const me = await this.#ask(meSchema, "me", {
      fields: "id,name,picture.width(256).height(256)",
      access_token: claimed.token,
      appsecret_proof: createHmac("sha256", this.#appSecret).update(claimed.token).digest("hex"),
    });
    if (me.id !== claimed.thirdPartyId) throw new IdentityRefusedError("me: another user");
    const picture = me.picture?.data;
    return {
      thirdPartyId: me.id,
      // Facebook does not tell whether an address is verified.
      mail: null,
      nickname: me.name === "" ? null : me.name,
      avatarUrl: picture && !picture.is_silhouette && picture.url !== "" ? picture.url : null,
      nonce: null,
      expiresAtMs,
    };
  }

  async #ask<Schema extends v.GenericSchema>(
    schema: Schema,
    path: string,
    query: Record<string, string>,
  ): Promise<v.InferOutput<Schema>> {
    // The URL contains the app secret and the token: never log it, nor an error that may quote it.
    const { status, body } = await fetchBounded(
      `${this.#baseUrl}/${path}?${new URLSearchParams(query).toString()}`,
      graphBounds,
    ).catch(() => {
      throw new IdentityRefusedError(`${path}: provider is unreachable`);
    });
    if (status !== 200) throw new IdentityRefusedError(`${path}: status ${status}`);
    const answer = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), body.toString("utf8"));
    if (!answer.success) throw new IdentityRefusedError(`${path}: unexpected answer`);
    return answer.output;
  }
}

/** Times are seconds; 0 means never. */
const debugTokenSchema = v.object({
  data: v.object({
    is_valid: v.boolean(),
    app_id: v.optional(v.string()),
    type: v.optional(v.string()),
    user_id: v.optional(v.string()),
    expires_at: v.optional(v.number(), 0),
    data_access_expires_at: v.optional(v.number(), 0),
  }),
});
export type DebugToken = v.InferOutput<typeof debugTokenSchema>;

/** Expiry of a token that has none: its reuse is rejected until then. */
const endlessTokenMs = 90 * 86_400_000;

/**
 * Checks that the token was issued to this app: without it, any other app could sign in as its users (rule SIGNIN-63).
 * @returns expiry of the token, in milliseconds since the epoch.
 * @throws IdentityRefusedError
 */
export function checkDebugToken(
  answer: DebugToken,
  expected: { appId: string; userId: string; nowMs: number },
): number {
  const { data } = answer;
  if (!data.is_valid) throw new IdentityRefusedError("debug_token: not valid");
  if (data.app_id !== expected.appId) throw new IdentityRefusedError("debug_token: token of another app");
  if (data.type !== "USER") throw new IdentityRefusedError("debug_token: not a user token");
  if (data.user_id !== expected.userId) throw new IdentityRefusedError("debug_token: another user");
  const ends = [data.expires_at, data.data_access_expires_at].filter((seconds) => seconds > 0);
  const endMs = ends.length > 0 ? Math.min(...ends) * 1_000 : expected.nowMs + endlessTokenMs;
  if (endMs <= expected.nowMs) throw new IdentityRefusedError("debug_token: expired");
  return endMs;
}
