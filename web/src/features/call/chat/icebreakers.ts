import { interests, type SharedTags } from "@fava/wire/talk.ts";
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { createChoiceStore } from "#lib/choice-store.ts";
import { type Key, loadIcebreakers, useLanguage } from "#lib/i18n.ts";
import type { Language } from "#lib/languages.ts";
import { readStored, writeStored } from "#lib/storage.ts";

/** Number of questions shown at once. */
const shownCount = 3;
/** How long they are shown unasked, from the start of a call. */
export const icebreakersMs = 30_000;
const general = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20] as const;

interface Icebreakers {
  /** The user opened them by a press or a key. */
  readonly isOpen: boolean;
  /** Which set of three questions is shown: a new set each time. */
  readonly turn: number;
  /** The current set was shown. */
  readonly isSeen: boolean;
  /** They are not shown unasked. */
  readonly isOff: boolean;
}

const ofNewCall = { isOpen: false, turn: 0, isSeen: false } as const;
const store = createChoiceStore<Icebreakers>(() => ({ ...ofNewCall, isOff: readStored("noQuestions") === 1 }));

export function useIcebreakers(): Icebreakers {
  return useStore(store);
}

/** Whether the user opened them: Escape then closes them before it ends the call. */
export function areIcebreakersOpen(): boolean {
  return store.getState().isOpen;
}

/** Opens them, with a new set if the current one was seen. */
export function openIcebreakers(): void {
  store.setState(({ turn, isSeen }) => ({ isOpen: true, turn: isSeen ? turn + 1 : turn, isSeen: true }));
}

/** The questions are shown unasked. */
export function noteIcebreakersSeen(): void {
  store.setState({ isSeen: true });
}

/** Called when a call starts and ends. */
export function resetIcebreakers(): void {
  store.setState(ofNewCall);
}

export function closeIcebreakers(): void {
  store.setState({ isOpen: false });
}

/** Saves whether they are shown unasked, in this call and later ones. */
export function setIcebreakersOff(isOff: boolean): void {
  writeStored("noQuestions", isOff ? 1 : 0);
  store.setState({ isOff, isOpen: false });
}

/** Whether the texts of the questions are loaded in the active language; after a failure the next turn tries again. */
export function useQuestionTexts(turn: number): boolean {
  const language = useLanguage();
  const [loaded, setLoaded] = useState<Language | null>(null);
  useEffect(() => {
    let isWanted = true;
    loadIcebreakers(language).then(
      () => isWanted && setLoaded(language),
      // The chat works without them.
      () => isWanted && setLoaded(null),
    );
    return () => {
      isWanted = false;
    };
  }, [language, turn]);
  return loaded === language;
}

/** A general question for a search that started at this time: another one for each search and turn. */
export function openerKey(sinceMs: number, turn: number): Key {
  return `ask.${general[(Math.floor(sinceMs / 1_000) + turn) % general.length] ?? 1}`;
}

/**
 * Three questions, always the same for the same call and turn: first about shared interests, in the order of the list,
 * then general ones, which start at another place in each call. Starts over at the end.
 */
export function icebreakerKeys(call: { roomId: string; shared: SharedTags | undefined }, turn: number): readonly Key[] {
  const liked = (call.shared?.interests ?? []).flatMap((id) => interests[id] ?? []);
  let begin = 0;
  for (let at = 0; at < call.roomId.length; at += 1) begin = (begin * 31 + call.roomId.charCodeAt(at)) % 1_000_003;
  const all = [
    ...liked.map((interest) => `ask.${interest}` as const),
    ...general.map((_, at) => `ask.${general[(begin + at) % general.length] ?? 1}` as const),
  ];
  return Array.from({ length: shownCount }, (_, at) => all[(turn * shownCount + at) % all.length] ?? "ask.1");
}
