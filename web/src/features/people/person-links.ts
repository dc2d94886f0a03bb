import { createStore, useStore } from "zustand";
import { closeOverlay, openOverlay, type OverlayName } from "#lib/overlays.ts";

/** What a report is about: a person, and the call or message in which it happened. */
export interface ReportSubject {
  readonly userId: number;
  readonly nickname: string;
  readonly callId?: string;
  readonly messageId?: string;
}

/** Lists of the people panel, in the order of its tabs. */
export const peopleTabs = ["following", "fans", "friends", "likes", "recent", "blocked"] as const;
export type PeopleTab = (typeof peopleTabs)[number];

interface Chosen {
  readonly profile: number | null;
  /** Chat id of the conversation that the messages panel shows. */
  readonly thread: string | null;
  readonly report: ReportSubject | null;
  readonly tab: PeopleTab;
}

const store = createStore<Chosen>(() => ({ profile: null, thread: null, report: null, tab: "following" }));

/** Whom the dialogs about other people are about. */
export function useChosen(): Chosen {
  return useStore(store);
}

/** Another person's profile, over whatever is open. */
export function openProfile(userId: number): void {
  store.setState({ profile: userId });
  void openOverlay("other-profile");
}

/** Dialogs from which one goes on to the messages, which are a place of the page and lie below them. */
const waysToMessages: readonly OverlayName[] = ["other-profile", "people", "find", "contact"];

/** The messages panel with this conversation; null: with the list, and nothing chosen. */
export function openThread(externalId: string | null): void {
  for (const name of waysToMessages) closeOverlay(name);
  store.setState({ thread: externalId });
  void openOverlay("messages");
}

/** That conversation is shown no longer; whatever else is open stays as it is. */
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

/** The panel's own tab changes. */
export function choosePeopleTab(tab: PeopleTab): void {
  store.setState({ tab });
}
