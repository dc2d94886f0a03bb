import type { InfiniteData } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Endpoint, OutputOf } from "@fava/wire/endpoint.ts";
import { adminClaim, type adminReportList } from "@fava/wire/endpoints/desk.ts";
import type { adminAvatarList } from "@fava/wire/endpoints/moderation.ts";
import type { Claim } from "@fava/wire/moderation.ts";
import { request } from "#lib/api/request.ts";
import { queryClient } from "#lib/query.ts";
import { tellDeskFailure } from "./desk-format.ts";

/** Who asks at the desk is told when nobody answers. */
export const calling = { quiet: false } as const;

/** Tells why a question was not answered. */
export function useTold(error: Error | null): void {
  useEffect(() => {
    if (error) tellDeskFailure(error);
  }, [error]);
}

/** What waits in a list that comes page by page. */
interface WaitingRows<Row> {
  readonly rows: readonly Row[];
  /** Without what was decided here. */
  readonly undecided: readonly Row[];
  readonly waiting: number;
  readonly oldestAt: number | null;
  /** There are more rows than have arrived. */
  readonly hasMore: boolean;
}

type WaitingPage = Pick<OutputOf<typeof adminReportList | typeof adminAvatarList>, "waiting" | "oldest_at">;

/** The pages that have come; what was decided here is no longer counted as waiting. */
export function waitingRows<Row extends { readonly id: string }>(
  list: {
    readonly data: { readonly rows: readonly Row[]; readonly first: WaitingPage } | undefined;
    readonly hasNextPage: boolean;
  },
  decided: ReadonlyMap<string, unknown>,
): WaitingRows<Row> {
  const { rows = [], first } = list.data ?? {};
  const undecided = rows.filter(({ id }) => !decided.has(id));
  return {
    rows,
    undecided,
    waiting: Math.max(0, (first?.waiting ?? 0) - (rows.length - undecided.length)),
    oldestAt: first?.oldest_at ?? null,
    hasMore: list.hasNextPage,
  };
}

/** Changes one row of every list of an endpoint that is shown. */
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

/** Claims an item of a kind, or gives it back; `hear` gets the claim that is in force then, while the component lives. */
export function useClaims(
  userId: number,
  kind: "case" | "image" | "appeal",
  hear: (id: string, claim: Claim | null) => void,
): (id: string, on: 0 | 1) => void {
  const latest = useRef(hear);
  const life = useRef<AbortController>(null);
  useEffect(() => {
    latest.current = hear;
  });
  useEffect(() => {
    const living = new AbortController();
    life.current = living;
    return () => living.abort();
  }, []);
  const set = async (id: string, on: 0 | 1) => {
    const signal = life.current?.signal;
    try {
      const { claim } = await request(adminClaim, { user_id: userId, item: `${kind}:${id}`, on }, { quiet: true });
      if (!signal?.aborted) latest.current(id, claim);
    } catch (error) {
      if (!signal?.aborted) tellDeskFailure(error);
    }
  };
  return (id, on) => void set(id, on);
}
