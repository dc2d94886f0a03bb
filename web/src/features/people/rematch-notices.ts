import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { showToast } from "#ui/toast-store.ts";
import { startMeeting } from "./rematch.ts";
import { onSocialMessage } from "./social-messages.ts";

/** Longer than other toasts, because the user can act on it. */
const meetNoticeMs = 10_000;

/**
 * Shows a toast when two users want to meet again, and when the other one waits, with a button that starts the call.
 *
 * @param isMeeting whether this page searches for that person already, or is with them: no toast then
 */
export function startRematchNotices(signal: AbortSignal, isMeeting: (userId: number) => boolean): void {
  const stop = onSocialMessage((frame) => {
    if (frame.type !== "social" || frame.event.kind !== "meet") return;
    const { userId, nickname, state } = frame.event;
    // The end of the search informs a waiting user.
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
