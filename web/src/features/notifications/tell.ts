import { createStore, useStore } from "zustand";
import type { MatchFilters } from "@fava/wire/beans.ts";
import { matchTell, matchTellInfo } from "@fava/wire/endpoints/match-tell.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { currentUser, useUser } from "#lib/session.ts";
import { askFor, standingOf } from "./ask.ts";

/** Whom somebody asked to be told of, as far as this page knows. */
interface Asked extends MatchFilters {
  readonly userId: number;
  readonly untilMs: number;
}

const asked = createStore<Asked | null>(() => null);

/** Until when this person is told of somebody whom these filters bring, in milliseconds since the epoch; null: not. */
export function useToldUntil({ sex, country }: MatchFilters): number | null {
  const user = useUser();
  return useStore(asked, (wish) =>
    wish && wish.userId === user?.user_id && wish.sex === sex && wish.country === country ? wish.untilMs : null,
  );
}

/** Learns what stands: it may have been asked for before this page was loaded, or elsewhere, and ends once it was told. */
export async function learnToldUntil(): Promise<void> {
  const userId = currentUser()?.user_id;
  if (userId === undefined) return;
  const before = asked.getState();
  try {
    const { wish } = await request(matchTellInfo, { user_id: userId }, { quiet: true });
    // What was pressed meanwhile is newer.
    if (asked.getState() !== before) return;
    asked.setState(wish && { userId, sex: wish.sex, country: wish.country, untilMs: wish.until }, true);
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error;
  }
}

/**
 * Has the person told once, within a day, when somebody comes; asks first where this browser does not tell of it yet. False
 * where they did not want that.
 *
 * @throws RequestFailure
 */
export async function tellWhenSomebodyComes(filters: MatchFilters): Promise<boolean> {
  if ((await standingOf("fits")) !== "on" && (await askFor("fits")) !== "done") return false;
  await change(filters, 1);
  return true;
}

/** @throws RequestFailure */
export async function tellNoMore(filters: MatchFilters): Promise<void> {
  await change(filters, 0);
}

async function change({ sex, country }: MatchFilters, on: 0 | 1): Promise<void> {
  const userId = currentUser()?.user_id;
  if (userId === undefined) return;
  const { until } = await request(matchTell, { user_id: userId, sex, country, on });
  asked.setState(until === null ? null : { userId, sex, country, untilMs: until }, true);
}
