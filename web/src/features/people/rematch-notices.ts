import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { showToast } from "#ui/toast-store.ts";
import { startMeeting } from "./rematch.ts";
import { onSocialMessage } from "./social-messages.ts";

/** Longer than other toasts, because the user can act on it. */
const meetNoticeMs = 10_000;

/**
 * Shows a toast with a button that starts the call: when both users want to meet again, and when the other user waits.
 *
 * @param isMeeting whether this page searches for this person or is in a call with them; then it shows no toast
 */
export function startRematchNotices(signal: AbortSignal, isMeeting: (userId: number) => boolean): void {
  const stop = onSocialMessage((frame) => {
    if (frame.type !== "social" || frame.event.kind !== "meet") return;
    const { userId, nickname, state } = frame.event;
    // If a waiting user's search is over, another part of the page says so.
    if (state === "over" || (state === "waiting" && isMeeting(userId))) return;
    showToast({
      type: "info",
      text: t(state === "both" ? "people.bothToast" : "people.waitingToast", { name: isolate(nickname) }),
      durationMs: meetNoticeMs,
      action: { text: t("people.start"), run: () => startMeeting({ userId, nickname }) },
    });
  });
  signal.addEventListener("abort", stop);
}
