import { type RefObject, useEffect, useRef, useState } from "react";
import { createStore } from "zustand";
import type { MatchFilters } from "@fava/wire/beans.ts";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { matchWaitEstimate } from "@fava/wire/endpoints/match.ts";
import { waitEstimateIntervalMs, waitEstimateSeconds } from "@fava/wire/limits.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { formatSpan } from "#lib/format.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { useUser } from "#lib/session.ts";

type Estimate = OutputOf<typeof matchWaitEstimate>;

/** Delay of a request after the last change of the filters. */
const quietMs = 300;
/** Intervals of requests: during a search, and on the home screen. */
const searchingMs = 15_000;
const lookingMs = 60_000;

interface Told {
  readonly key: string;
  readonly estimate: Estimate;
}

/**
 * When this page last sent a request for any filters, by `performance.now`, and its response. The next screen shows
 * that response until it has its own.
 */
const lastStore = createStore<{ readonly askedMs: number; readonly told: Told | null }>(() => ({
  askedMs: -waitEstimateIntervalMs,
  told: null,
}));

/**
 * The expected duration of a search, refreshed while its paragraph is visible. The paragraph exists before the duration
 * is known.
 */
export function useWaitEstimate(
  filters: MatchFilters,
  { isSearching = false }: { isSearching?: boolean } = {},
): { isKnown: boolean; props: { ref: RefObject<HTMLParagraphElement | null>; children: string } } {
  const t = useT();
  const line = useRef<HTMLParagraphElement>(null);
  const estimate = useEstimate(filters, { line, everyMs: isSearching ? searchingMs : lookingMs });
  const text = estimate && estimateText(t, estimate);
  return { isKnown: text !== null, props: { ref: line, children: text ?? "\u00a0" } };
}

/** Null where the server has too few searches to judge by. */
function estimateText(t: Translate, { seconds, basis }: Estimate): string | null {
  if (basis === "none") return null;
  if (seconds === null) return t("search.outlookMore", { time: formatSpan(waitEstimateSeconds.at(-1) ?? 0) });
  return t(basis === "yours" ? "search.outlook" : "search.outlookWider", { time: formatSpan(seconds) });
}

/** The last estimate for these filters; null until the first response. After a failed request it stays. */
function useEstimate(
  { sex, country }: MatchFilters,
  { line, everyMs }: { line: RefObject<HTMLElement | null>; everyMs: number },
): Estimate | null {
  const user = useUser();
  // A user with an incomplete profile cannot search, and gets no estimate.
  const userId = user?.profile_complete ? user.user_id : undefined;
  const [told, setTold] = useState(() => lastStore.getState().told);
  const key = `${userId} ${sex} ${country}`;
  useEffect(() => {
    if (userId === undefined) return undefined;
    const owner = new AbortController();
    const { signal } = owner;
    let soon: ReturnType<typeof setTimeout>;
    function askSoon(): void {
      clearTimeout(soon);
      soon = setTimeout(() => void ask(), Math.max(quietMs, freeInMs()));
    }
    async function ask(): Promise<void> {
      // Hidden, or covered by a call.
      if (document.visibilityState === "hidden" || line.current?.closest("[inert]")) return;
      if (freeInMs() > 0) return askSoon();
      lastStore.setState({ askedMs: performance.now() });
      try {
        const estimate = await request(
          matchWaitEstimate,
          { user_id: userId ?? 0, sex, country },
          { quiet: true, signal },
        );
        if (signal.aborted) return;
        setTold({ key, estimate });
        lastStore.setState({ told: { key, estimate } });
      } catch (error) {
        if (!(error instanceof RequestFailure)) throw error;
      }
    }
    askSoon();
    const again = setInterval(() => void ask(), everyMs);
    document.addEventListener("visibilitychange", askSoon, { signal });
    return () => {
      owner.abort();
      clearTimeout(soon);
      clearInterval(again);
    };
  }, [userId, sex, country, key, line, everyMs]);
  return told?.key === key ? told.estimate : null;
}

function freeInMs(): number {
  return lastStore.getState().askedMs + waitEstimateIntervalMs - performance.now();
}
