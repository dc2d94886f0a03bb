import { useCallback, useEffect, useMemo, useReducer } from "react";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { blockList, fansList, followList, friendList, likeList, recentList } from "@fava/wire/endpoints/social.ts";
import type { Person } from "@fava/wire/people.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import { call } from "#lib/api/call.ts";
import { onBack } from "#lib/connection.ts";
import { noteRecent } from "#lib/meet-wishes.ts";
import type { PeopleTab } from "#lib/person-links.ts";
import { noteRelations, type Relation } from "#lib/relations.ts";
import { useUser } from "#lib/session.ts";
import { onSocialFrame } from "#lib/social-frames.ts";

export type RecentRow = OutputOf<typeof recentList>["rows"][number];
export type BlockedRow = OutputOf<typeof blockList>["rows"][number];
export type CountedTab = Exclude<PeopleTab, "recent" | "blocked">;
type PeopleLists = Readonly<Record<CountedTab, ShownList<Person>>>;

export const idOf = (row: { user_id: number }): number => row.user_id;
export const idOfRecent = (row: RecentRow): number => row.person.user_id;

const loads: Readonly<Record<CountedTab, LoadPage<Person>>> = {
  following: peopleOf(followList),
  fans: peopleOf(fansList),
  friends: peopleOf(friendList),
  likes: peopleOf(likeList),
};

export const loadRecent: LoadPage<RecentRow> = async (input, options) => {
  const page = await call(recentList, input, options);
  noteRelations(page.rows.map(({ person }) => person));
  noteRecent(page.rows);
  return page;
};

export const loadBlocked: LoadPage<BlockedRow> = (input, options) => call(blockList, input, options);

/** The four calls differ in their paths alone. */
function peopleOf(endpoint: typeof followList): LoadPage<Person> {
  return async (input, options) => {
    const page = await call(endpoint, input, options);
    noteRelations(page.rows);
    return page;
  };
}

/**
 * The four counted lists, all loaded at once, because the tabs show their counts. A list is read anew when somebody comes
 * who is not in it; the shown one keeps its rows, so that what was just undone can be done again in its place.
 */
export function usePeopleLists(shown: PeopleTab): PeopleLists {
  const following = usePagedList(loads.following, idOf);
  const fans = usePagedList(loads.fans, idOf);
  const friends = usePagedList(loads.friends, idOf);
  const likes = usePagedList(loads.likes, idOf);
  const lists: PeopleLists = { following, fans, friends, likes };
  useEffect(() =>
    onSocialFrame((frame) => {
      if (frame.type !== "social" || frame.event.kind !== "relation") return;
      const { userId } = frame.event;
      for (const tab of ["following", "fans", "friends", "likes"] as const) {
        const { list, refresh } = lists[tab];
        if (list.status !== "ready") continue;
        if (tab !== shown || !list.rows.some((row) => row.user_id === userId)) refresh();
      }
    }),
  );
  return lists;
}

/** How many a list has by now: as the server counted, without those who have left it on this page since. */
export function countOf(
  tab: CountedTab,
  list: PagedList<Person>,
  relations: ReadonlyMap<number, Relation>,
): number | null {
  if (list.status !== "ready" || list.total === null) return null;
  const gone = list.rows.filter((row) => !belongs(tab, relations.get(row.user_id))).length;
  return Math.max(0, list.total - gone);
}

function belongs(tab: CountedTab, relation: Relation | undefined): boolean {
  if (!relation) return true;
  if (relation.hidden) return false;
  switch (tab) {
    case "following":
      return relation.followStatus > 0;
    case "friends":
      return relation.followStatus === 2;
    case "likes":
      return relation.likeStatus === 1;
    case "fans":
      return true;
  }
}

/** One answer of a list that comes page by page. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Null on the last page. */
  readonly next: string | null;
  readonly total?: number;
}

/** One page that is asked for; `cursor` undefined: the first. A new object is a new question. */
interface Ask {
  readonly cursor: string | undefined;
}

interface Ready<Row> {
  status: "ready";
  rows: readonly Row[];
  /** As the newest page says; null for lists that are not counted. */
  total: number | null;
  next: string | null;
  more: "idle" | "loading" | "failed";
}

/** A list as it is shown. Only the answer to the present `ask` counts; a late one to an older changes nothing. */
export type PagedList<Row> = { ask: Ask } & ({ status: "loading" } | { status: "failed" } | Ready<Row>);

type PagedEvent<Row> =
  /** From the beginning, with nothing shown meanwhile. */
  | { type: "anew" }
  /** From the beginning; the present rows stay until the answer, and where none comes. */
  | { type: "refresh" }
  | { type: "more" }
  | { type: "loaded"; ask: Ask; page: Page<Row>; keyOf: (row: Row) => number }
  | { type: "failed"; ask: Ask };

export const firstAsk: { ask: Ask; status: "loading" } = { ask: { cursor: undefined }, status: "loading" };

/** Pure; whoever shows the list asks the server for every new `ask`. */
export function stepPaged<Row>(list: PagedList<Row>, event: PagedEvent<Row>): PagedList<Row> {
  switch (event.type) {
    case "anew":
      return { ask: { cursor: undefined }, status: "loading" };
    case "refresh":
      if (list.status === "ready") return { ...list, ask: { cursor: undefined }, more: "idle" };
      return { ask: { cursor: undefined }, status: "loading" };
    case "more":
      if (list.status !== "ready" || list.next === null || list.more === "loading") return list;
      return { ...list, ask: { cursor: list.next }, more: "loading" };
    case "loaded":
      return event.ask === list.ask ? loaded(list, event) : list;
    case "failed":
      if (event.ask !== list.ask) return list;
      if (list.status !== "ready") return { ask: list.ask, status: "failed" };
      return list.more === "loading" ? { ...list, more: "failed" } : list;
  }
}

/** Somebody may have moved to a later page since the one before was read: nobody is shown twice. */
function loaded<Row>(
  list: PagedList<Row>,
  { ask, page, keyOf }: Extract<PagedEvent<Row>, { type: "loaded" }>,
): PagedList<Row> {
  const before = list.status === "ready" && ask.cursor !== undefined ? list.rows : [];
  const present = new Set(before.map(keyOf));
  const rows = [...before, ...page.rows.filter((row) => !present.has(keyOf(row)))];
  return { ask, status: "ready", rows, total: page.total ?? null, next: page.next, more: "idle" };
}

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
