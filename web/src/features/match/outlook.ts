import { type RefObject, useEffect, useRef, useState } from "react";
import { createStore } from "zustand";
import type { MatchFilters } from "@fava/wire/beans.ts";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { matchOutlook } from "@fava/wire/endpoints/match.ts";
import { outlookEveryMs, outlookSeconds } from "@fava/wire/limits.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { formatSpan } from "#lib/format.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { useUser } from "#lib/session.ts";

type Outlook = OutputOf<typeof matchOutlook>;

/** Filters that are changed again within this are not asked about. */
const quietMs = 300;
/** How often it is asked again: while somebody searches, and else. */
const searchingMs = 15_000;
const lookingMs = 60_000;

interface Told {
  readonly key: string;
  readonly outlook: Outlook;
}

/** When this page asked last, of whatever filters, by `performance.now`, and what it was told: the next screen begins with it. */
const lastStore = createStore<{ readonly askedMs: number; readonly told: Told | null }>(() => ({
  askedMs: -outlookEveryMs,
  told: null,
}));

/**
 * How long such a search takes, kept up to date for as long as somebody can read it: for the paragraph that says so, which
 * is there before it is known.
 */
export function useOutlookLine(
  filters: MatchFilters,
  { isSearching = false }: { isSearching?: boolean } = {},
): { isKnown: boolean; props: { ref: RefObject<HTMLParagraphElement | null>; children: string } } {
  const t = useT();
  const line = useRef<HTMLParagraphElement>(null);
  const outlook = useOutlook(filters, { line, everyMs: isSearching ? searchingMs : lookingMs });
  const children = outlook === null ? "\u00a0" : outlookText(t, outlook);
  return { isKnown: outlook !== null, props: { ref: line, children } };
}

function outlookText(t: Translate, { seconds, basis }: Outlook): string {
  if (basis === "none") return t("search.outlookNone");
  if (seconds === null) return t("search.outlookMore", { time: formatSpan(outlookSeconds.at(-1) ?? 0) });
  return t(basis === "yours" ? "search.outlook" : "search.outlookWider", { time: formatSpan(seconds) });
}

/** Null until the server has answered about these filters; where it does not answer again, what it said last stays. */
function useOutlook(
  { sex, country }: MatchFilters,
  { line, everyMs }: { line: RefObject<HTMLElement | null>; everyMs: number },
): Outlook | null {
  const user = useUser();
  // Whoever has yet to say who they are cannot search, and is not told.
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
      // Nobody reads it, or a call covers it.
      if (document.visibilityState === "hidden" || line.current?.closest("[inert]")) return;
      if (freeInMs() > 0) return askSoon();
      lastStore.setState({ askedMs: performance.now() });
      try {
        const outlook = await request(matchOutlook, { user_id: userId ?? 0, sex, country }, { quiet: true, signal });
        if (signal.aborted) return;
        setTold({ key, outlook });
        lastStore.setState({ told: { key, outlook } });
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
  return told?.key === key ? told.outlook : null;
}

function freeInMs(): number {
  return lastStore.getState().askedMs + outlookEveryMs - performance.now();
}
