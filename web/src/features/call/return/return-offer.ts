import { reconnectGiveUpMs } from "@fava/wire/limits.ts";
import type { MatchedPush } from "@fava/wire/pushes.ts";
import { callStore } from "#features/call/machine/call-store.ts";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { missingCallSupport } from "#lib/media/call-support.ts";
import { showToast } from "#ui/toast-store.ts";
import { removeStoredCall, storedCall, mayHaveCall } from "./stored-call.ts";
import { askAboutCall, openCall, presentCall, takeBack } from "./open-call.ts";

export interface ReturnAnswer {
  readonly match: MatchedPush;
  readonly returns: boolean;
}

/**
 * Offers to return to the call of an earlier page, as long as the server waits for that; reports if it is over. Null: the
 * user gave no answer.
 */
export async function offerReturn(): Promise<ReturnAnswer | null> {
  const kept = storedCall();
  const info = mayHaveCall() && !missingCallSupport() ? await presentCall(reconnectGiveUpMs) : null;
  if (!info || callStore.getState().call.status !== "idle") return null;
  const { match, return_ms: leftMs } = info;
  if (!match) {
    removeStoredCall();
    if (kept) showCallGone(kept.nickname);
    return null;
  }
  if (leftMs === null) return null;
  const timer = setTimeout(withdraw, leftMs);
  const result = await askAboutCall({ match, untilMs: Date.now() + leftMs }, "return-call");
  clearTimeout(timer);
  if (result === null) return null;
  if (result === "closed") removeStoredCall();
  return { match, returns: result === "done" };
}

/** The server reports that a room is over: withdraws the offer if it was for that room. */
export function withdrawOfferOfRoom(roomId: string): void {
  const open = openCall();
  if (open?.match.roomId !== roomId || open.untilMs === null) return;
  withdraw();
  showCallGone(open.match.remote.nickname);
}

export function showCallGone(nickname: string): void {
  showToast({ type: "info", text: t("openCall.gone", { name: isolate(nickname) }) });
}

function withdraw(): void {
  removeStoredCall();
  takeBack("return-call");
}
