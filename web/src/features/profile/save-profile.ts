import type { InputOf } from "@fava/wire/endpoint.ts";
import { userUpdate } from "@fava/wire/endpoints/profile.ts";
import { codes } from "@fava/wire/codes.ts";
import { call } from "#lib/api/call.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import { currentUser, refreshUser, replaceUser } from "#lib/session.ts";
import { showLoading } from "#ui/loading-store.ts";

/** `failed`: something else tells the person, or the session is gone; the step stays open. */
export type SaveResult = "saved" | "under-age" | "failed";

/**
 * Stores birthday or gender under a loading overlay that says `text` (specification section 7). What another page of
 * the same account stored first counts as saved.
 */
export async function saveProfile(
  fields: Omit<InputOf<typeof userUpdate>, "user_id">,
  text: string,
): Promise<SaveResult> {
  const user = currentUser();
  if (!user) return "failed";
  const done = showLoading(text);
  try {
    replaceUser(await call(userUpdate, { user_id: user.user_id, ...fields }));
    return "saved";
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    if (error.code !== codes.forbidden) return "failed";
    await refreshUser();
    return error.reason === "under_age" ? "under-age" : error.reason === "already_set" ? "saved" : "failed";
  } finally {
    done();
  }
}
