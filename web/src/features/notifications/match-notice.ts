import { createStore, useStore } from "zustand";
import type { MatchFilters } from "@fava/wire/beans.ts";
import { matchSubscription, matchSubscriptionInfo } from "@fava/wire/endpoints/match-subscription.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { currentUser, useUser } from "#lib/session.ts";
import { askFor, loadNotifyState } from "./ask.ts";

/** The filters for which the user asked to be notified, as this page knows them. */
interface Asked extends MatchFilters {
  readonly userId: number;
  readonly untilMs: number;
}

const asked = createStore<Asked | null>(() => null);

/**
 * Until when the user is notified of a person who matches these filters, in milliseconds since the epoch; null: not.
 */
export function useMatchNoticeUntil({ sex, country }: MatchFilters): number | null {
  const user = useUser();
  return useStore(asked, (wish) =>
    wish && wish.userId === user?.user_id && wish.sex === sex && wish.country === country ? wish.untilMs : null,
  );
}

/**
 * Loads the current request: it may have been made before this page was loaded or on another device, and ends with its
 * notification.
 */
export async function loadMatchNotice(): Promise<void> {
  const userId = currentUser()?.user_id;
  if (userId === undefined) return;
  const before = asked.getState();
  try {
    const { wish } = await request(matchSubscriptionInfo, { user_id: userId }, { quiet: true });
    // A press during the request is newer than its response.
    if (asked.getState() !== before) return;
    asked.setState(wish && { userId, sex: wish.sex, country: wish.country, untilMs: wish.until }, true);
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error;
  }
}

/**
 * Asks the server to notify the user once, within a day, when a person comes who matches the filters. First subscribes
 * this browser, if it does not notify of such persons yet. Resolves to false if the user declined.
 *
 * @throws RequestFailure
 */
export async function requestMatchNotice(filters: MatchFilters): Promise<boolean> {
  if ((await loadNotifyState("fits")) !== "on" && (await askFor("fits")) !== "done") return false;
  await change(filters, 1);
  return true;
}

/** @throws RequestFailure */
export async function cancelMatchNotice(filters: MatchFilters): Promise<void> {
  await change(filters, 0);
}

async function change({ sex, country }: MatchFilters, on: 0 | 1): Promise<void> {
  const userId = currentUser()?.user_id;
  if (userId === undefined) return;
  const { until } = await request(matchSubscription, { user_id: userId, sex, country, on });
  asked.setState(until === null ? null : { userId, sex, country, untilMs: until }, true);
}
