import { createStore, useStore } from "zustand";
import type { FollowStatus, LikeStatus, Person, Presence } from "@fava/wire/people.ts";
import { currentUser, session } from "#lib/session.ts";
import { onSocialMessage, type SocialMessage } from "./social-messages.ts";

/** The relation of the user to another person, as far as this page knows. */
export interface Relation {
  readonly followStatus: FollowStatus;
  readonly likeStatus: LikeStatus;
  /** Null unless the two are friends. */
  readonly presence: Presence | null;
  /** Blocked by either side, or deleted: shown nowhere. */
  readonly hidden: boolean;
}

/** `stored` settles once the server has stored the block. */
type HiddenListener = (userId: number, hidden: { by: "me" | "server"; stored: Promise<unknown> }) => void;

interface Known extends Relation {
  readonly externalId: string;
}

const knownMax = 2_000;
const nothing: Known = { followStatus: 0, likeStatus: 0, presence: null, hidden: false, externalId: "" };

const store = createStore<ReadonlyMap<number, Known>>(() => new Map());
const hiddenListeners = new Set<HiddenListener>();
let ownerId = currentUser()?.user_id;

/**
 * Null: this page does not know the person. Call, lists, profile and messages all read it from here, so that they
 * agree.
 */
export function useRelation(userId: number): Relation | null {
  return useStore(store, (known) => known.get(userId) ?? null);
}

/** All known relations by user id, for lists. */
export function useRelations(): ReadonlyMap<number, Relation> {
  return useStore(store);
}

export function relationOf(userId: number): Relation | null {
  return store.getState().get(userId) ?? null;
}

/** Takes over people of a response. A person in a response is not hidden. */
export function noteRelations(
  people: readonly Pick<Person, "user_id" | "externalId" | "followStatus" | "likeStatus" | "presence">[],
): void {
  const next = new Map(store.getState());
  for (const { user_id, externalId, followStatus, likeStatus, presence } of people) {
    put(next, user_id, { externalId, followStatus, likeStatus, presence, hidden: false });
  }
  store.setState(next, true);
}

/** Changes the relation to one person, known or not. */
export function changeRelation(userId: number, change: Partial<Relation>): void {
  const next = new Map(store.getState());
  put(next, userId, { ...(next.get(userId) ?? nothing), ...change });
  store.setState(next, true);
}

/** Hides a person whom the user has just blocked; resets the relation. */
export function hidePerson(userId: number, stored: Promise<unknown>): void {
  changeRelation(userId, { followStatus: 0, likeStatus: 0, presence: null, hidden: true });
  for (const listener of hiddenListeners) listener(userId, { by: "me", stored });
}

/** Calls the listener with each person who is hidden; returns how to unsubscribe. */
export function onPersonHidden(listener: HiddenListener): () => void {
  hiddenListeners.add(listener);
  return () => void hiddenListeners.delete(listener);
}

/** Stores a relation as the newest one, and drops the oldest beyond the limit. */
function put(known: Map<number, Known>, userId: number, relation: Known): void {
  known.delete(userId);
  known.set(userId, relation);
  const oldest = known.keys().next();
  if (known.size > knownMax && !oldest.done) known.delete(oldest.value);
}

function take(frame: SocialMessage): void {
  if (frame.type === "presence") return takePresence(frame.externalId, frame.presence);
  if (frame.type !== "social") return;
  const { event } = frame;
  if (event.kind === "relation") {
    noteRelations([{ ...event, user_id: event.userId }]);
  } else if (event.kind === "hidden") {
    changeRelation(event.userId, { followStatus: 0, likeStatus: 0, presence: null, hidden: true });
    for (const listener of hiddenListeners) listener(event.userId, { by: "server", stored: Promise.resolve() });
  }
}

function takePresence(externalId: string, presence: Presence): void {
  for (const [userId, known] of store.getState()) {
    if (known.externalId === externalId && known.presence !== null) changeRelation(userId, { presence });
  }
}

// Both subscriptions live as long as the page, as the store does.
onSocialMessage(take);
session.subscribe(() => {
  const userId = currentUser()?.user_id;
  if (userId === ownerId) return;
  ownerId = userId;
  store.setState(new Map(), true);
});
