import { t } from "#lib/i18n.ts";
import { overCall } from "#lib/over-call.ts";
import { showToast } from "#ui/toast-store.ts";

/** Two sentences, and a decision. */
const shownMs = 20_000;

/**
 * Says that a part of the page did not come, even the second time, and offers to load the page again. All else goes on: in
 * a call, which that would end, it is only said.
 */
export function tellMissingPart(): void {
  if (overCall.getState()) return void showToast({ type: "error", text: t("error.chunk.title") });
  showToast({
    type: "error",
    text: t("error.chunk.text"),
    durationMs: shownMs,
    action: { text: t("error.reload"), run: () => location.reload() },
  });
}
