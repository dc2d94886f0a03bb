import { useEffect, useState } from "react";
import type { MatchFilters } from "@fava/wire/beans.ts";
import { announce } from "#lib/announce.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { formatTime } from "#lib/format-date.ts";
import { useT } from "#lib/i18n.ts";
import { showToast } from "#ui/toast-store.ts";
import { loadMatchNotice, cancelMatchNotice, requestMatchNotice, useMatchNoticeUntil } from "./match-notice.ts";
import { useNotifyState } from "./use-notify-state.ts";

export interface MatchNoticeOffer {
  /** The state of a stored request as text; null without a request. */
  readonly text: string | null;
  readonly action: string;
  readonly isBusy: boolean;
  readonly press: () => void;
}

/**
 * "Notify me when someone comes", for filters that match nobody at present. Null if this browser cannot notify, if the
 * permission is denied, or if the user declined in the last 30 days.
 */
export function useMatchNoticeOffer(filters: MatchFilters): MatchNoticeOffer | null {
  const t = useT();
  const untilMs = useMatchNoticeUntil(filters);
  const [state, setState] = useNotifyState("fits", loadMatchNotice);
  const [isBusy, setBusy] = useState(false);
  const text = untilMs === null ? null : t("notify.tellUntil", { time: formatTime(untilMs) });
  useEffect(() => {
    if (text !== null) announce(text);
  }, [text]);

  async function work(change: () => Promise<void>): Promise<void> {
    setBusy(true);
    try {
      await change();
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error;
      showToast({ type: "error", text: t("notify.failed") });
    }
    setBusy(false);
  }
  const tell = () => work(async () => setState((await requestMatchNotice(filters)) ? "on" : "declined"));
  const stop = () => work(() => cancelMatchNotice(filters));

  if (text !== null) return { text, action: t("notify.tellStop"), isBusy, press: () => void stop() };
  const isOffered = state === "on" || state === "open";
  return isOffered ? { text: null, action: t("notify.tell"), isBusy, press: () => void tell() } : null;
}
