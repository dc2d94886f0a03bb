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

/** Whether this person and a recent one want to meet again, or this one does not for a while. */
export interface RematchRequest {
  readonly meet: MeetState;
  /** Until when this person does not, milliseconds since the epoch; null: the two may be matched. */
  readonly apartUntilMs: number | null;
  /** The other has pressed start, and waits. */
  readonly isWaitedFor: boolean;
  /** When the day after the call is over, milliseconds since the epoch. */
  readonly untilMs: number;
}

type RecentRow = OutputOf<typeof recentList>["rows"][number];

const knownMax = 500;
const store = createStore<ReadonlyMap<number, RematchRequest>>(() => new Map());
let ownerId = currentUser()?.user_id;

/** Null: as far as this page knows, the two were in no call of the last 24 hours. */
export function useRematchRequest(userId: number): RematchRequest | null {
  return useStore(store, (known) => known.get(userId) ?? null);
}

export function rematchRequestOf(userId: number): RematchRequest | null {
  return store.getState().get(userId) ?? null;
}

/** Takes over what the server says of recent people. */
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

/** Asks the server about one person; where there is no answer, what is known stays. */
export async function requestRematch(otherId: number, signal: AbortSignal): Promise<void> {
  const user = currentUser();
  if (!user) return;
  try {
    const { rows } = await request(recentList, { user_id: user.user_id, other_id: otherId }, { quiet: true, signal });
    if (signal.aborted) return;
    if (rows.length === 0) forget(otherId);
    noteRecent(rows);
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error;
  }
}

/** Says, or takes back, that one would like to meet again: shown at once, and taken back where the server does not. */
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
 * Keeps the two from being matched for 90 days, or lets them be again, which is said with a way back; the wish to meet
 * again goes with it. Shown at once, and taken back with a word where the server does not do it. Resolves to whether it did.
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

/** The newest stay. */
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
// A block ends the wishes of both, and unblocking brings none back.
onPersonHidden((userId) => change(userId, { meet: "none", isWaitedFor: false }));
session.subscribe(() => {
  const userId = currentUser()?.user_id;
  if (userId === ownerId) return;
  ownerId = userId;
  store.setState(new Map(), true);
});
