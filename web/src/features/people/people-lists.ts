import { useEffect } from "react";
import { blockList, fansList, followList, friendList, likeList, recentList } from "@fava/wire/endpoints/social.ts";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Person } from "@fava/wire/people.ts";
import { call } from "#lib/api/call.ts";
import { noteRecent } from "#lib/meet-wishes.ts";
import type { PeopleTab } from "#lib/person-links.ts";
import { noteRelations, type Relation } from "#lib/relations.ts";
import { onSocialFrame } from "#lib/social-frames.ts";
import { type LoadPage, type ShownList, usePagedList } from "./use-paged-list.ts";
import type { PagedList } from "./paged-list.ts";

export type RecentRow = OutputOf<typeof recentList>["rows"][number];
export type BlockedRow = OutputOf<typeof blockList>["rows"][number];
export type CountedTab = Exclude<PeopleTab, "recent" | "blocked">;
export type PeopleLists = Readonly<Record<CountedTab, ShownList<Person>>>;

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
