import * as v from "valibot";
import { codes } from "@fava/wire/codes.ts";
import type { CallFailure } from "#lib/api/call-failure.ts";
import { openComeBack } from "#lib/come-back.ts";
import { closeOverlay } from "#lib/overlays.ts";

const deletedSchema = v.object({
  reason: v.literal("account_deleted"),
  until: v.number(),
  restore_token: v.string(),
});

/** Asks whether to come back when the sign-in met a deleted account; answers whether it did (rule DATA-57). */
export function offerComeBack(failure: CallFailure): boolean {
  if (failure.code !== codes.forbidden) return false;
  const deleted = v.safeParse(deletedSchema, failure.data);
  if (!deleted.success) return false;
  closeOverlay("login");
  openComeBack(deleted.output.until, deleted.output.restore_token);
  return true;
}
