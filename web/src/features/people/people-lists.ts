import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { useEffect } from "react";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import {
  type apartList,
  type blockList,
  fansList,
  followList,
  friendList,
  likeList,
  type recentList,
} from "@fava/wire/endpoints/social.ts";
import { type Pages, useEndpointPages } from "#lib/query.ts";
import { useUser } from "#lib/session.ts";
import type { PeopleTab } from "./person-links.ts";
import { noteRelations, type Relation } from "./relations.ts";
import { onSocialMessage } from "./social-messages.ts";

export type RecentRow = OutputOf<typeof recentList>["rows"][number];
export type ApartRow = OutputOf<typeof apartList>["rows"][number];
export type BlockedRow = OutputOf<typeof blockList>["rows"][number];
export type CountedTab = Exclude<PeopleTab, "recent" | "blocked">;
/** All four counted lists have this type, because their endpoints differ only in their paths. */
export type CountedList = UseInfiniteQueryResult<Pages<typeof followList>>;

export const idOf = (row: { user_id: number }): number => row.user_id;

/**
 * The four counted lists, all loaded at once, because the tabs show their counts. A change of a relation loads the
 * lists again, except the visible one while it contains the person: there the row stays, so that the user can undo.
 */
export function usePeopleLists(shown: PeopleTab): Readonly<Record<CountedTab, CountedList>> {
  const lists = {
    following: usePersons(followList),
    fans: usePersons(fansList),
    friends: usePersons(friendList),
    likes: usePersons(likeList),
  };
  useEffect(() =>
    onSocialMessage((frame) => {
      if (frame.type !== "social" || frame.event.kind !== "relation") return;
      const { userId } = frame.event;
      for (const tab of ["following", "fans", "friends", "likes"] as const) {
        const { data, refetch } = lists[tab];
        if (!data) continue;
        if (tab !== shown || !data.rows.some((row) => row.user_id === userId)) void refetch();
      }
    }),
  );
  return lists;
}

function usePersons(endpoint: typeof followList): CountedList {
  const userId = useUser()?.user_id;
  return useEndpointPages(endpoint, userId === undefined ? null : { user_id: userId }, {
    keyOf: idOf,
    refetchOnReconnect: true,
    onAnswer: ({ rows }) => noteRelations(rows),
  });
}

/** The current count of a list: the server's count, less the people who have left the list on this page since. */
export function countOf(
  tab: CountedTab,
  list: Pages<typeof followList> | undefined,
  relations: ReadonlyMap<number, Relation>,
): number | null {
  if (!list) return null;
  const gone = list.rows.filter((row) => !belongs(tab, relations.get(row.user_id))).length;
  return Math.max(0, list.first.total - gone);
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
