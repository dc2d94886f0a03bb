import { useCallback, useEffect, useMemo, useReducer } from "react";
import { CallFailure } from "#lib/api/call-failure.ts";
import { onBack } from "#lib/connection.ts";
import { useUser } from "#lib/session.ts";
import { firstAsk, type Page, type PagedEvent, type PagedList, stepPaged } from "./paged-list.ts";

/** Reads one page for the signed-in person. Has to be the same function from render to render. */
export type LoadPage<Row> = (
  input: { user_id: number; cursor?: string },
  options: { quiet: true; signal: AbortSignal },
) => Promise<Page<Row>>;

export interface ShownList<Row> {
  list: PagedList<Row>;
  anew: () => void;
  refresh: () => void;
  more: () => void;
}

/** A list of the signed-in person, page by page; loaded as soon as it is used, and anew for another `load`. */
export function usePagedList<Row>(load: LoadPage<Row>, keyOf: (row: Row) => number): ShownList<Row> {
  const [list, dispatch] = useReducer<PagedList<Row>, [PagedEvent<Row>]>(stepPaged<Row>, firstAsk);
  const userId = useUser()?.user_id;
  const { ask } = list;
  useEffect(() => {
    if (userId === undefined) return undefined;
    const owner = new AbortController();
    const input = ask.cursor === undefined ? { user_id: userId } : { user_id: userId, cursor: ask.cursor };
    load(input, { quiet: true, signal: owner.signal }).then(
      (page) => dispatch({ type: "loaded", ask, page, keyOf }),
      (error: unknown) => {
        if (!(error instanceof CallFailure)) throw error;
        if (error.reason !== "aborted") dispatch({ type: "failed", ask });
      },
    );
    return () => owner.abort();
  }, [userId, ask, load, keyOf]);
  useEffect(() => onBack(() => dispatch({ type: "refresh" })), []);
  const anew = useCallback(() => dispatch({ type: "anew" }), []);
  const refresh = useCallback(() => dispatch({ type: "refresh" }), []);
  const more = useCallback(() => dispatch({ type: "more" }), []);
  return useMemo(() => ({ list, anew, refresh, more }), [list, anew, refresh, more]);
}
