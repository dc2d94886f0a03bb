import type { FoundPair, SearchRef } from "#ports/match-pool.ts";

/**
 * How a pair becomes one room at two processes, without a lock over both (decision 033). Each process decides about its
 * own people alone; what it says may be lost, late, doubled or out of order, and everything is said again until it is
 * answered or no longer due.
 *
 * - `waiting`: in the match pool.
 * - `settling`: of whoever waited longer. The other was asked for, and has not answered.
 * - `opening`: of whoever waited longer. The room is there; whether the other is in it is not known yet.
 * - `claimed`: of the newer one. Said yes, and waits for the room.
 * - `together`: in the room; for whoever waited longer the other is, too.
 *
 * Null is neither searching nor in a room that came of a search. Times are of the own process's monotonic clock: only
 * how long something took is ever compared.
 */
export type Pairing =
  | { readonly kind: "waiting"; readonly searchId: number }
  | { readonly kind: "settling"; readonly pair: FoundPair; readonly sayAtMs: number; readonly dueAtMs: number }
  | { readonly kind: "opening"; readonly pair: FoundPair; readonly sayAtMs: number }
  | { readonly kind: "claimed"; readonly pair: FoundPair; readonly sayAtMs: number; readonly dueAtMs: number }
  | { readonly kind: "together"; readonly pair: FoundPair };

/** What the home of whoever waited longer says to the other's: will you; it comes to nothing; your room is there. */
export type WordToNewer = "claim" | "void" | "room";
/** The other way: yes; no, or not any more; in the room; and what became of it. */
export type WordToLonger = "claimed" | "refused" | "entered" | "isAlive";
export type PairWord = WordToNewer | WordToLonger;

export type PairingEvent =
  /** The person begins to wait, wherever they are. */
  | { readonly type: "start"; readonly searchId: number }
  /** The person stops waiting, or leaves the room. */
  | { readonly type: "stop" }
  /** The matcher found this pair; told to the home of whoever waited longer. */
  | { readonly type: "pair"; readonly pair: FoundPair }
  | { readonly type: "heard"; readonly word: PairWord; readonly pair: FoundPair }
  /** No process has the other one of this pair. */
  | { readonly type: "nobody"; readonly pair: FoundPair }
  | { readonly type: "tick" };

export type PairingEffect =
  | { readonly type: "enterPool"; readonly searchId: number }
  | { readonly type: "leavePool"; readonly searchId: number }
  | { readonly type: "say"; readonly to: bigint; readonly word: PairWord; readonly pair: FoundPair }
  /** The room of this pair begins for the person: whoever waited longer has it made. */
  | { readonly type: "openRoom"; readonly pair: FoundPair }
  /** It is over for the person. */
  | { readonly type: "closeRoom"; readonly pair: FoundPair };

export interface PairingMoment {
  /** Of the monotonic clock. */
  readonly nowMs: number;
  /** For whoever goes back to waiting: so that what is still said of the pair before cannot claim them. */
  readonly nextSearchId: () => number;
}

export interface PairingStep {
  readonly next: Pairing | null;
  readonly effects: readonly PairingEffect[];
}

/** How long whoever waited longer waits for the other's yes. */
export const settleMs = 1_500;
/** How long the newer one waits for the room, and then asks what became of it. */
export const claimMs = 3_000;
/** When the newer one goes back to waiting though nobody said what became of it: the other's process may be cut off. */
export const claimGivenUpMs = 8_000;
export const sayAgainMs = 250;

/** What one event makes of one person's pairing (rules MATCH-95 to MATCH-97). Pure. */
export function stepPairing(state: Pairing | null, event: PairingEvent, moment: PairingMoment): PairingStep {
  switch (event.type) {
    case "start":
      return started(state, event.searchId);
    case "stop":
      return { next: null, effects: parting(state) };
    case "pair":
      return found(state, event.pair, moment);
    case "nobody":
      return isAbout(state, event.pair) && state.kind !== "together" ? returned(state, moment) : stays(state);
    case "heard":
      return isAbout(state, event.pair)
        ? heardOfOwn(state, event.word, moment)
        : heardOfOther(state, event.word, { pair: event.pair, moment });
    case "tick":
      return ticked(state, moment);
  }
}

type Paired = Exclude<Pairing, { kind: "waiting" }>;

function isAbout(state: Pairing | null, pair: FoundPair): state is Paired {
  if (state === null || state.kind === "waiting") return false;
  return state.pair.epoch === pair.epoch && state.pair.pairId === pair.pairId;
}

function stays(state: Pairing | null, ...effects: PairingEffect[]): PairingStep {
  return { next: state, effects };
}

function sayToNewer(pair: FoundPair, word: WordToNewer): PairingEffect {
  return { type: "say", to: pair.newer.userId, word, pair };
}

function sayToLonger(pair: FoundPair, word: WordToLonger): PairingEffect {
  return { type: "say", to: pair.longer.userId, word, pair };
}

function isSame(one: SearchRef, searchId: number): boolean {
  return one.searchId === searchId;
}

function waits(searchId: number, ...before: readonly PairingEffect[]): PairingStep {
  return { next: { kind: "waiting", searchId }, effects: [...before, { type: "enterPool", searchId }] };
}

function started(state: Pairing | null, searchId: number): PairingStep {
  // The pool takes the new search for the one before by itself.
  return state?.kind === "waiting" ? waits(searchId) : waits(searchId, ...parting(state));
}

/** What is to be done where the person goes. Of a room in which both are the room tells as well. */
function parting(state: Pairing | null): PairingEffect[] {
  switch (state?.kind) {
    case undefined:
      return [];
    case "waiting":
      return [{ type: "leavePool", searchId: state.searchId }];
    case "settling":
      return [sayToNewer(state.pair, "void")];
    case "claimed":
      return [sayToLonger(state.pair, "refused")];
    case "opening":
      return [{ type: "closeRoom", pair: state.pair }, sayToNewer(state.pair, "void")];
    case "together":
      return [{ type: "closeRoom", pair: state.pair }];
  }
}

/** The pair came to nothing before both were in the room: the person waits again. */
function returned(state: Exclude<Paired, { kind: "together" }>, moment: PairingMoment): PairingStep {
  const close: PairingEffect[] = state.kind === "opening" ? [{ type: "closeRoom", pair: state.pair }] : [];
  return waits(moment.nextSearchId(), ...close);
}

function found(state: Pairing | null, pair: FoundPair, { nowMs }: PairingMoment): PairingStep {
  // Told twice.
  if (isAbout(state, pair)) return stays(state);
  // The matcher has let go of both, so that the other has to hear that nothing came of it.
  if (state?.kind !== "waiting" || !isSame(pair.longer, state.searchId)) return stays(state, sayToNewer(pair, "void"));
  const next = { kind: "settling", pair, sayAtMs: nowMs + sayAgainMs, dueAtMs: nowMs + settleMs } as const;
  return { next, effects: [sayToNewer(pair, "claim")] };
}

/** Of a pair in which the person is not. */
function heardOfOther(
  state: Pairing | null,
  word: PairWord,
  { pair, moment }: { pair: FoundPair; moment: PairingMoment },
): PairingStep {
  const isMeant = state?.kind === "waiting" && isSame(pair.newer, state.searchId);
  switch (word) {
    case "claim": {
      if (!isMeant) return stays(state, sayToLonger(pair, "refused"));
      const { nowMs } = moment;
      const next = { kind: "claimed", pair, sayAtMs: nowMs + claimMs, dueAtMs: nowMs + claimGivenUpMs } as const;
      return { next, effects: [sayToLonger(pair, "claimed")] };
    }
    case "room":
      return stays(state, sayToLonger(pair, "refused"));
    case "claimed":
    case "entered":
    case "isAlive":
      return stays(state, sayToNewer(pair, "void"));
    case "void":
      return isMeant ? waits(moment.nextSearchId()) : stays(state);
    case "refused":
      return stays(state);
  }
}

function heardOfOwn(state: Paired, word: PairWord, moment: PairingMoment): PairingStep {
  switch (state.kind) {
    case "settling":
      return settlingHeard(state, word, moment);
    case "opening":
      return openingHeard(state, word, moment);
    case "claimed":
      return claimedHeard(state, word, moment);
    case "together":
      return togetherHeard(state, word);
  }
}

function settlingHeard(state: Extract<Pairing, { kind: "settling" }>, word: PairWord, moment: PairingMoment) {
  const { pair } = state;
  if (word === "refused") return returned(state, moment);
  if (word === "isAlive") return stays(state, sayToNewer(pair, "claim"));
  if (word !== "claimed") return stays(state);
  const next = { kind: "opening", pair, sayAtMs: moment.nowMs + sayAgainMs } as const;
  return { next, effects: [{ type: "openRoom", pair }, sayToNewer(pair, "room")] } satisfies PairingStep;
}

function openingHeard(state: Extract<Pairing, { kind: "opening" }>, word: PairWord, moment: PairingMoment) {
  const { pair } = state;
  if (word === "refused") return returned(state, moment);
  if (word === "entered") return { next: { kind: "together", pair }, effects: [] } satisfies PairingStep;
  return word === "claimed" || word === "isAlive" ? stays(state, sayToNewer(pair, "room")) : stays(state);
}

function claimedHeard(state: Extract<Pairing, { kind: "claimed" }>, word: PairWord, moment: PairingMoment) {
  const { pair } = state;
  if (word === "void") return returned(state, moment);
  if (word === "claim") return stays(state, sayToLonger(pair, "claimed"));
  if (word !== "room") return stays(state);
  const effects = [{ type: "openRoom", pair } as const, sayToLonger(pair, "entered")];
  return { next: { kind: "together", pair }, effects } satisfies PairingStep;
}

/** The first answer may have been lost; and whoever is not in the pair any more has left the room. */
function togetherHeard(state: Extract<Pairing, { kind: "together" }>, word: PairWord): PairingStep {
  const { pair } = state;
  switch (word) {
    case "claim":
    case "room":
      return stays(state, sayToLonger(pair, "entered"));
    case "claimed":
    case "isAlive":
      return stays(state, sayToNewer(pair, "room"));
    case "entered":
      return stays(state);
    case "void":
    case "refused":
      return { next: null, effects: [{ type: "closeRoom", pair }] };
  }
}

function ticked(state: Pairing | null, moment: PairingMoment): PairingStep {
  if (state === null || state.kind === "waiting" || state.kind === "together") return stays(state);
  const { nowMs } = moment;
  const { pair } = state;
  if (state.kind !== "opening" && nowMs >= state.dueAtMs) {
    const told = state.kind === "settling" ? sayToNewer(pair, "void") : sayToLonger(pair, "refused");
    const { next, effects } = returned(state, moment);
    return { next, effects: [told, ...effects] };
  }
  if (nowMs < state.sayAtMs) return stays(state);
  const again = { ...state, sayAtMs: nowMs + sayAgainMs };
  if (state.kind === "claimed") return stays(again, sayToLonger(pair, "isAlive"));
  return stays(again, sayToNewer(pair, state.kind === "settling" ? "claim" : "room"));
}
