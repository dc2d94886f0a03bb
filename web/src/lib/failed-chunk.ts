import { t } from "#lib/i18n.ts";
import { callShown } from "#lib/call-shown.ts";
import { showToast } from "#ui/toast-store.ts";

/** Time to read two sentences and decide. */
const shownMs = 20_000;

/**
 * Reports that a part of the page failed to load, even at the second attempt, and offers to reload the page. During a
 * call, which a reload would end, it only reports.
 */
export function reportFailedChunk(): void {
  if (callShown.getState()) return void showToast({ type: "error", text: t("error.chunk.title") });
  showToast({
    type: "error",
    text: t("error.chunk.text"),
    durationMs: shownMs,
    action: { text: t("error.reload"), run: () => location.reload() },
  });
}
