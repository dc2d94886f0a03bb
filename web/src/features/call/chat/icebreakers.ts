import { interests, type SharedTags } from "@fava/wire/talk.ts";
import { useStore } from "zustand";
import { createChoiceStore } from "#lib/choice-store.ts";
import type { Key } from "#lib/i18n.ts";
import { readStored, writeStored } from "#lib/storage.ts";

/** Questions to begin with, at a time. */
const shownCount = 3;
/** They stand there by themselves for so long from the beginning of a call. */
export const icebreakersMs = 30_000;
const general = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20] as const;

interface Icebreakers {
  /** Asked for by a press or a key. */
  readonly isOpen: boolean;
  /** Which three of them: others each time they are asked for. */
  readonly turn: number;
  /** These three have been seen. */
  readonly isSeen: boolean;
  /** They do not come by themselves. */
  readonly isOff: boolean;
}

const ofNewCall = { isOpen: false, turn: 0, isSeen: false } as const;
const store = createChoiceStore<Icebreakers>(() => ({ ...ofNewCall, isOff: readStored("noQuestions") === 1 }));

export function useIcebreakers(): Icebreakers {
  return useStore(store);
}

/** Whether they lie open because somebody asked for them: Escape closes them before it ends the call. */
export function areIcebreakersOpen(): boolean {
  return store.getState().isOpen;
}

/** Opens them, with other questions than those that have been seen. */
export function openIcebreakers(): void {
  store.setState(({ turn, isSeen }) => ({ isOpen: true, turn: isSeen ? turn + 1 : turn, isSeen: true }));
}

/** They stand there by themselves. */
export function noteIcebreakersSeen(): void {
  store.setState({ isSeen: true });
}

/** A call begins, or is over. */
export function resetIcebreakers(): void {
  store.setState(ofNewCall);
}

export function closeIcebreakers(): void {
  store.setState({ isOpen: false });
}

/** Whether they come by themselves, in this call and those to come. */
export function setIcebreakersOff(isOff: boolean): void {
  writeStored("noQuestions", isOff ? 1 : 0);
  store.setState({ isOff, isOpen: false });
}

/**
 * Three questions, the same ones whenever the page asks for the same call and turn: about what both like first, in the
 * order of the list, then general ones, which begin at another place in each call; round at the end.
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
