import type { InfiniteData } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Endpoint, OutputOf } from "@fava/wire/endpoint.ts";
import { adminClaim, type adminReportList } from "@fava/wire/endpoints/desk.ts";
import type { adminAvatarList } from "@fava/wire/endpoints/moderation.ts";
import type { adminTextList } from "@fava/wire/endpoints/text-questions.ts";
import type { Claim } from "@fava/wire/moderation.ts";
import { request } from "#lib/api/request.ts";
import { queryClient } from "#lib/query.ts";
import { showDeskFailure } from "./desk-format.ts";

/** If the server does not respond, requests of the desk show a toast, unlike other queries. */
export const requestOptions = { quiet: false } as const;

/** Shows why a request failed. */
export function useFailureToast(error: Error | null): void {
  useEffect(() => {
    if (error) showDeskFailure(error);
  }, [error]);
}

/** The waiting items of a paged list. */
interface WaitingRows<Row> {
  readonly rows: readonly Row[];
  /** The rows that were not decided on this page. */
  readonly undecided: readonly Row[];
  readonly waiting: number;
  readonly oldestAt: number | null;
  /** The server has more rows than are loaded. */
  readonly hasMore: boolean;
}

type WaitingPage = Pick<
  OutputOf<typeof adminReportList | typeof adminAvatarList | typeof adminTextList>,
  "waiting" | "oldest_at"
>;

/** The loaded pages; items that were decided here no longer count as waiting. */
export function waitingRows<Row extends { readonly id: string }>(
  list: {
    readonly data: { readonly rows: readonly Row[]; readonly first: WaitingPage } | undefined;
    readonly hasNextPage: boolean;
  },
  decided: ReadonlyMap<string, unknown>,
): WaitingRows<Row> {
  const { rows = [], first } = list.data ?? {};
  const undecided = rows.filter(({ id }) => !decided.has(id));
  const waiting = Math.max(0, (first?.waiting ?? 0) - (rows.length - undecided.length));
  return {
    rows,
    undecided,
    waiting,
    oldestAt: waiting === 0 ? null : (first?.oldest_at ?? null),
    hasMore: list.hasNextPage,
  };
}

/** Changes one row in every open list of an endpoint. */
export function changeRow<Row extends { readonly id: string }>(
  endpoint: Endpoint,
  id: string,
  change: Partial<Row>,
): void {
  const changed = (row: Row) => (row.id === id ? { ...row, ...change } : row);
  queryClient.setQueriesData<InfiniteData<{ rows: readonly Row[] }>>(
    { queryKey: [endpoint.path, "pages"] },
    (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, rows: page.rows.map(changed) })) },
  );
}

/** Claims items of a kind and releases them. */
interface Claims {
  claim(id: string): void;
  /**
   * Releases `held`, the known claim. A claim that is still being requested is released once the server has granted it.
   */
  release(id: string, held: Claim | null): void;
}

/** Claims of a kind; `hear` receives the current claim while the component is mounted. */
export function useClaims(
  userId: number,
  kind: "case" | "image" | "appeal" | "text" | "notice",
  hear: (id: string, claim: Claim | null) => void,
): Claims {
  const latest = useRef(hear);
  const life = useRef<AbortController>(null);
  /** Items whose claim is being requested, and whether the moderator has left them meanwhile. */
  const awaited = useRef(new Map<string, { isLeft: boolean }>());
  useEffect(() => {
    latest.current = hear;
  });
  useEffect(() => {
    const living = new AbortController();
    life.current = living;
    return () => living.abort();
  }, []);
  /** The server's answer; undefined after a failure, which is shown. */
  const ask = async (id: string, on: 0 | 1): Promise<Claim | null | undefined> => {
    try {
      return (await request(adminClaim, { user_id: userId, item: `${kind}:${id}`, on }, { quiet: true })).claim;
    } catch (error) {
      if (!life.current?.signal.aborted) showDeskFailure(error);
      return undefined;
    }
  };
  const tell = (id: string, claim: Claim | null | undefined) => {
    if (claim !== undefined && !life.current?.signal.aborted) latest.current(id, claim);
  };
  const release = async (id: string) => tell(id, await ask(id, 0));
  const claim = async (id: string) => {
    const asked = { isLeft: false };
    awaited.current.set(id, asked);
    const answer = await ask(id, 1);
    awaited.current.delete(id);
    if (asked.isLeft && answer?.mine) await release(id);
    else tell(id, answer);
  };
  return {
    claim: (id) => {
      const asked = awaited.current.get(id);
      if (asked) asked.isLeft = false;
      else void claim(id);
    },
    release: (id, held) => {
      const asked = awaited.current.get(id);
      if (asked) asked.isLeft = true;
      else if (held?.mine) void release(id);
    },
  };
}
