import { t } from "#lib/i18n.ts";
import { overCall } from "#lib/over-call.ts";
import { showToast } from "#ui/toast-store.ts";

/** As long as a timer can be: it stands until the person has answered. */
const untilAnsweredMs = 2 ** 31 - 1;

let isWanted = false;
let dismiss: (() => void) | null = null;

/**
 * Offers to load the page again, because the server has a newer version. Only the person's press loads it; in a call the
 * offer waits until the call is over (rule DEVICE-4).
 */
export function offerReload(): void {
  if (isWanted) return;
  isWanted = true;
  follow();
  // For as long as the page lives: a version that is old stays so.
  overCall.subscribe(follow);
}

function follow(): void {
  if (overCall.getState()) {
    dismiss?.();
    dismiss = null;
    return;
  }
  dismiss ??= showToast({
    type: "info",
    text: t("device.newVersion"),
    durationMs: untilAnsweredMs,
    action: { text: t("error.reload"), run: () => location.reload() },
  });
}
