import { reactionsBurstMax, reactionShownMs, reactionsPerSecondMax } from "@fava/wire/limits.ts";
import type { Reaction } from "@fava/wire/reactions.ts";
import { createStore, useStore } from "zustand";
import { announce } from "#lib/announce.ts";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";

export type Whose = "own" | "other";

interface ShownReaction {
  readonly id: number;
  readonly whose: Whose;
  readonly reaction: Reaction;
}

const ofNewCall: { readonly shown: readonly ShownReaction[]; readonly isRowOpen: boolean } = {
  shown: [],
  isRowOpen: false,
};
const store = createStore(() => ofNewCall);
let lastId = 0;
/** The limit of the server, so that the user sees only reactions that the partner receives. */
let limit = { tokens: reactionsBurstMax, atMs: 0 };

export function useShownReactions(whose: Whose): readonly ShownReaction[] {
  return useStore(store, ({ shown }) => shown).filter((one) => one.whose === whose);
}

/** Shows a reaction over a picture for `reactionShownMs`, and announces it with the name of its sender. */
export function showReaction(whose: Whose, { name, reaction }: { name: string; reaction: Reaction }): void {
  lastId += 1;
  const one: ShownReaction = { id: lastId, whose, reaction };
  store.setState(({ shown }) => ({ shown: [...shown, one] }));
  setTimeout(() => store.setState(({ shown }) => ({ shown: shown.filter((other) => other !== one) })), reactionShownMs);
  announce(t("call.reacted", { name: isolate(name), reaction: t(`reaction.${reaction}`) }));
}

/** Whether the user may send a reaction now; counts it. */
export function takeReaction(nowMs: number): boolean {
  const refilled = limit.tokens + ((nowMs - limit.atMs) * reactionsPerSecondMax) / 1_000;
  const tokens = Math.min(reactionsBurstMax, refilled);
  if (tokens < 1) return false;
  limit = { tokens: tokens - 1, atMs: nowMs };
  return true;
}

export function useIsReactionRowOpen(): boolean {
  return useStore(store, ({ isRowOpen }) => isRowOpen);
}

/** Whether the user opened the row: Escape then closes it before it ends the call. */
export function isReactionRowOpen(): boolean {
  return store.getState().isRowOpen;
}

export function setReactionRowOpen(isRowOpen: boolean): void {
  store.setState({ isRowOpen });
}

/** Called when a call starts and ends. */
export function resetReactions(): void {
  limit = { tokens: reactionsBurstMax, atMs: 0 };
  store.setState(ofNewCall);
}
