import * as v from "valibot";
import { IdentityRefusedError } from "#ports/identity.ts";

/** What Facebook's `debug_token` says of an access token, as far as we ask. Times are seconds; 0 means never. */
export const debugTokenSchema = v.object({
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

/** A token without an end still has one for us: until then its second use is refused. */
const endlessTokenMs = 90 * 86_400_000;

/**
 * Decides whether the token was made by this app, for this person, and lives. Without the comparison of `app_id` any
 * other app that a person signed in to could sign in here as that person (rule SIGNIN-63).
 *
 * @returns when the token ends, in milliseconds since the epoch.
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
  if (data.user_id !== expected.userId) throw new IdentityRefusedError("debug_token: another person");
  const ends = [data.expires_at, data.data_access_expires_at].filter((seconds) => seconds > 0);
  const endMs = ends.length > 0 ? Math.min(...ends) * 1_000 : expected.nowMs + endlessTokenMs;
  if (endMs <= expected.nowMs) throw new IdentityRefusedError("debug_token: expired");
  return endMs;
}
