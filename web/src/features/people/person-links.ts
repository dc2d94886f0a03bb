import { createStore, useStore } from "zustand";
import { closeOverlay, openOverlay, type OverlayName } from "#lib/overlays.ts";

/** The subject of a report: a person, and the call or message in question. */
export interface ReportSubject {
  readonly userId: number;
  readonly nickname: string;
  readonly callId?: string;
  readonly messageId?: string;
}

/** The lists of the people panel, in the order of its tabs. */
export const peopleTabs = ["recent", "friends", "following", "fans", "likes", "blocked"] as const;
export type PeopleTab = (typeof peopleTabs)[number];

interface Chosen {
  readonly profile: number | null;
  /** Chat id of the conversation that the messages panel shows. */
  readonly thread: string | null;
  readonly report: ReportSubject | null;
  readonly tab: PeopleTab;
}

const store = createStore<Chosen>(() => ({ profile: null, thread: null, report: null, tab: "recent" }));

/** The subjects of the open dialogs about people. */
export function useChosen(): Chosen {
  return useStore(store);
}

/** Opens a person's profile over whatever is open. */
export function openProfile(userId: number): void {
  store.setState({ profile: userId });
  void openOverlay("other-profile");
}

/** Dialogs that lead to the messages, which are part of the page and lie below them. */
const waysToMessages: readonly OverlayName[] = ["other-profile", "people", "find", "contact"];

/** Opens the messages panel with this conversation; null: with the list only. */
export function openThread(externalId: string | null): void {
  for (const name of waysToMessages) closeOverlay(name);
  store.setState({ thread: externalId });
  void openOverlay("messages");
}

/** Closes that conversation; a different open one stays. */
export function closeThread(externalId: string): void {
  if (store.getState().thread === externalId) store.setState({ thread: null });
}

export function openReport(subject: ReportSubject): void {
  store.setState({ report: subject });
  void openOverlay("report");
}

export function openPeople(tab: PeopleTab): void {
  store.setState({ tab });
  void openOverlay("people");
}

/** The user chose another tab of the panel. */
export function choosePeopleTab(tab: PeopleTab): void {
  store.setState({ tab });
}
