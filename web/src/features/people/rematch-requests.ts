import { createStore, useStore } from "zustand";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { apart, meetAgain, type MeetState, recentList } from "@fava/wire/endpoints/social.ts";
import { apartMs, undoMs } from "@fava/wire/limits.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { formatDate } from "#lib/format-date.ts";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { currentUser, session } from "#lib/session.ts";
import { showToast } from "#ui/toast-store.ts";
import type { MeetPerson } from "./rematch.ts";
import { tellFailure } from "./relation-actions.ts";
import { onPersonHidden } from "./relations.ts";
import { onSocialMessage } from "./social-messages.ts";

/**
 * Whether the user and a person of a recent call want to meet again, or the user does not want to meet them for a
 * while.
 */
export interface RematchRequest {
  readonly meet: MeetState;
  /**
   * Until when the user does not want to be matched with the person, in milliseconds since the epoch; null: the two may
   * be matched.
   */
  readonly apartUntilMs: number | null;
  /** The other user has pressed Start, and waits for this user. */
  readonly isWaitedFor: boolean;
  /** 24 hours after the call, in milliseconds since the epoch. */
  readonly untilMs: number;
}

type RecentRow = OutputOf<typeof recentList>["rows"][number];

const knownMax = 500;
const store = createStore<ReadonlyMap<number, RematchRequest>>(() => new Map());
let ownerId = currentUser()?.user_id;

/** Null if this page knows of no call of the two in the last 24 hours. */
export function useRematchRequest(userId: number): RematchRequest | null {
  return useStore(store, (known) => known.get(userId) ?? null);
}

/** All known states by user id, for lists. */
export function useRematchRequests(): ReadonlyMap<number, RematchRequest> {
  return useStore(store);
}

export function rematchRequestOf(userId: number): RematchRequest | null {
  return store.getState().get(userId) ?? null;
}

/** Takes over recent people of a response. */
export function noteRecent(
  rows: readonly (Pick<RecentRow, "meet" | "until" | "apart_until"> & {
    person: Pick<RecentRow["person"], "user_id">;
  })[],
): void {
  for (const { person, meet, until, apart_until: apartUntilMs = null } of rows) {
    const isWaitedFor = meet === "both" && (rematchRequestOf(person.user_id)?.isWaitedFor ?? false);
    put(person.user_id, { meet, isWaitedFor, untilMs: until, apartUntilMs });
  }
}

/** Loads the state of one person; without a response, or if it changed before the response, the known state stays. */
export async function requestRematch(otherId: number, signal: AbortSignal): Promise<void> {
  const user = currentUser();
  if (!user) return;
  const before = rematchRequestOf(otherId);
  try {
    const { rows } = await request(recentList, { user_id: user.user_id, other_id: otherId }, { quiet: true, signal });
    if (signal.aborted || rematchRequestOf(otherId) !== before) return;
    if (rows.length === 0) forget(otherId);
    noteRecent(rows);
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error;
  }
}

/** Sends or withdraws the wish to meet again: shown at once, and reverted if the server rejects it. */
export async function sendRematchRequest(otherId: number, on: boolean): Promise<void> {
  const user = currentUser();
  const before = rematchRequestOf(otherId);
  if (!user || !before) return;
  change(otherId, on ? { meet: "asked", apartUntilMs: null } : { meet: "none" });
  try {
    const { meet } = await request(meetAgain, { user_id: user.user_id, other_id: otherId, on: on ? 1 : 0 });
    change(otherId, { meet });
  } catch (error) {
    change(otherId, before);
    tellFailure(error);
  }
}

/**
 * Prevents matches of the two for 90 days, or allows them again, with an undo; drops the wish to meet again. Shown at
 * once, and reverted with a message if the server rejects it. Resolves to whether it succeeded.
 */
export async function keepApart(person: MeetPerson, on: boolean): Promise<boolean> {
  const user = currentUser();
  const { userId } = person;
  const before = rematchRequestOf(userId);
  if (!user) return false;
  change(
    userId,
    on ? { meet: "none", isWaitedFor: false, apartUntilMs: Date.now() + apartMs } : { apartUntilMs: null },
  );
  try {
    const { until } = await request(apart, { user_id: user.user_id, other_id: userId, on: on ? 1 : 0 });
    change(userId, { apartUntilMs: until });
    tellApart(person, until);
    return true;
  } catch (error) {
    if (before) change(userId, before);
    tellFailure(error);
    return false;
  }
}

function tellApart(person: MeetPerson, until: number | null): void {
  const name = isolate(person.nickname);
  if (until === null) return void showToast({ type: "info", text: t("people.apartOver", { name }) });
  showToast({
    type: "success",
    text: t("people.apartToast", { name, day: formatDate(until) }),
    durationMs: undoMs,
    action: { text: t("people.undo"), run: () => void keepApart(person, false) },
  });
}

function change(userId: number, to: Partial<RematchRequest>): void {
  const known = rematchRequestOf(userId);
  if (known) put(userId, { ...known, ...to });
}

/** Stores a state as the newest one, and drops the oldest beyond the limit. */
function put(userId: number, wish: RematchRequest): void {
  const next = new Map(store.getState());
  next.delete(userId);
  next.set(userId, wish);
  const oldest = next.keys().next();
  if (next.size > knownMax && !oldest.done) next.delete(oldest.value);
  store.setState(next, true);
}

function forget(userId: number): void {
  const next = new Map(store.getState());
  next.delete(userId);
  store.setState(next, true);
}

// These listeners live as long as the page, as the store does.
onSocialMessage((frame) => {
  if (frame.type !== "social" || frame.event.kind !== "meet") return;
  const { userId, state } = frame.event;
  if (state === "over") change(userId, { meet: "asked", isWaitedFor: false });
  else change(userId, { meet: "both", isWaitedFor: state === "waiting" });
});
// A block ends the wishes of both, and unblocking restores none.
onPersonHidden((userId) => change(userId, { meet: "none", isWaitedFor: false }));
session.subscribe(() => {
  const userId = currentUser()?.user_id;
  if (userId === ownerId) return;
  ownerId = userId;
  store.setState(new Map(), true);
});
