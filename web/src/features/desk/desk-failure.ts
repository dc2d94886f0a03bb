import { codes } from "@fava/wire/codes.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import { type Key, t } from "#lib/i18n.ts";
import { showToast } from "#ui/toast-store.ts";

const reasons: Readonly<Record<string, Key>> = {
  claimed: "desk.refused.claimed",
  not_claimed: "desk.refused.notClaimed",
  own_case: "desk.refused.own",
  colleague: "desk.refused.colleague",
  already_decided: "desk.refused.decided",
  role: "desk.refused.role",
};

/**
 * Says why the server did not do something, if a person can do anything about it. Silence and the end of the session
 * are told elsewhere. Rethrows what is no failed call.
 */
export function tellDeskFailure(error: unknown): void {
  if (!(error instanceof CallFailure)) throw error;
  const key = textOf(error);
  if (key !== null) showToast({ type: "error", text: t(key) });
}

function textOf({ code, reason }: CallFailure): Key | null {
  if (code === codes.slowDown) return "desk.refused.slow";
  if (code === codes.forbidden || code === codes.refused || code === codes.badInput)
    return reasons[reason] ?? "desk.refused.other";
  return null;
}
