import { createHmac } from "node:crypto";
import * as v from "valibot";
import { fetchBounded } from "#adapters/id-token/bounded-fetch.ts";
import type { Clock } from "#ports/clock.ts";
import { type IdentityProvider, IdentityRefusedError, type VerifiedIdentity } from "#ports/identity.ts";
import { checkDebugToken, debugTokenSchema } from "./debug-token.ts";

const graphUrl = "https://graph.facebook.com/v25.0";
const graphBounds = { timeoutMs: 5_000, bytesMax: 65_536 };

const meSchema = v.object({
  id: v.string(),
  name: v.optional(v.string(), ""),
  picture: v.optional(
    v.object({ data: v.object({ url: v.optional(v.string(), ""), is_silhouette: v.optional(v.boolean(), false) }) }),
  ),
});

/** Facebook Login: an access token, judged by `debug_token`, then asked once who the person is. */
export class FacebookIdentity implements IdentityProvider {
  readonly loginType = 2;
  readonly mode = "live";
  readonly url = "";
  readonly avatarHosts = ["platform-lookaside.fbsbx.com", ".fbcdn.net"] as const;
  readonly clientId: string;
  readonly #appSecret: string;
  readonly #clock: Clock;
  readonly #baseUrl: string;

  /** `baseUrl` includes the version of the Graph API; a local stand-in can take its place. */
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
    if (me.id !== claimed.thirdPartyId) throw new IdentityRefusedError("me: another person");
    const picture = me.picture?.data;
    return {
      thirdPartyId: me.id,
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
    // The address carries the app secret and the token: neither it nor an error that may quote it is ever logged.
    const { status, body } = await fetchBounded(
      `${this.#baseUrl}/${path}?${new URLSearchParams(query).toString()}`,
      graphBounds,
    ).catch(() => {
      throw new IdentityRefusedError(`${path}: provider is away`);
    });
    if (status !== 200) throw new IdentityRefusedError(`${path}: status ${status}`);
    const answer = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), body.toString("utf8"));
    if (!answer.success) throw new IdentityRefusedError(`${path}: unexpected answer`);
    return answer.output;
  }
}
