import { describe, expect, test } from "vitest";
import type { FoundPair } from "#ports/match-pool.ts";
import {
  claimGivenUpMs,
  claimMs,
  type Pairing,
  type PairingEvent,
  type PairingStep,
  type PairWord,
  sayAgainMs,
  settleMs,
  stepPairing,
} from "./pair-machine.ts";

const ana = { userId: 1n, searchId: 10 };
const bo = { userId: 2n, searchId: 20 };
const pair: FoundPair = { epoch: 3n, pairId: 7, longer: ana, newer: bo };
const freshId = 99;

function step(state: Pairing | null, event: PairingEvent, nowMs = 0): PairingStep {
  return stepPairing(state, event, { nowMs, nextSearchId: () => freshId });
}
const heard = (word: PairWord): PairingEvent => ({ type: "heard", word, pair });
const toBo = (word: PairWord) => ({ type: "say", to: bo.userId, word, pair });
const toAna = (word: PairWord) => ({ type: "say", to: ana.userId, word, pair });
const anaWaits: Pairing = { kind: "waiting", searchId: ana.searchId };
const boWaits: Pairing = { kind: "waiting", searchId: bo.searchId };
const again = { kind: "waiting", searchId: freshId };
const enterPool = { type: "enterPool", searchId: freshId };

const settling = step(anaWaits, { type: "pair", pair }).next;
const opening = step(settling, heard("claimed")).next;
const claimed = step(boWaits, heard("claim")).next;
const boTogether = step(claimed, heard("room")).next;

describe("where every message arrives", () => {
  test("[MATCH-95] who waited longer asks, has the room made, and is together with the other once that says so", () => {
    expect(step(anaWaits, { type: "pair", pair }).effects).toEqual([toBo("claim")]);
    expect(step(boWaits, heard("claim")).effects).toEqual([toAna("claimed")]);
    expect(step(settling, heard("claimed")).effects).toEqual([{ type: "openRoom", pair }, toBo("room")]);
    expect(step(claimed, heard("room")).effects).toEqual([{ type: "openRoom", pair }, toAna("entered")]);
    expect(step(opening, heard("entered"))).toEqual({ next: { kind: "together", pair }, effects: [] });
  });

  test("[MATCH-95] whoever is gone, in another pair or in another search says no, and the other waits again", () => {
    const others: (Pairing | null)[] = [
      null,
      { kind: "waiting", searchId: 21 },
      step(anaWaits, { type: "pair", pair: { ...pair, pairId: 6 } }).next,
    ];
    for (const state of others)
      expect(step(state, heard("claim"))).toEqual({ next: state, effects: [toAna("refused")] });
    expect(step(settling, heard("refused"))).toEqual({ next: again, effects: [enterPool] });
    expect(step(settling, { type: "nobody", pair })).toEqual({ next: again, effects: [enterPool] });
    expect(step(opening, heard("refused")).effects).toEqual([{ type: "closeRoom", pair }, enterPool]);
  });

  test("[MATCH-95] where the one who waited longer is gone the other is told, and waits again", () => {
    expect(step(null, { type: "pair", pair }).effects).toEqual([toBo("void")]);
    expect(step({ kind: "waiting", searchId: 11 }, { type: "pair", pair }).effects).toEqual([toBo("void")]);
    expect(step(boWaits, heard("void"))).toEqual({ next: again, effects: [enterPool] });
    expect(step(claimed, heard("void"))).toEqual({ next: again, effects: [enterPool] });
  });

  test("[MATCH-95] stopping ends whatever the person is in, and the other hears of it", () => {
    const stop = (state: Pairing | null) => step(state, { type: "stop" });
    expect(stop(null)).toEqual({ next: null, effects: [] });
    expect(stop(anaWaits)).toEqual({ next: null, effects: [{ type: "leavePool", searchId: ana.searchId }] });
    expect(stop(settling)).toEqual({ next: null, effects: [toBo("void")] });
    expect(stop(opening)).toEqual({ next: null, effects: [{ type: "closeRoom", pair }, toBo("void")] });
    expect(stop(claimed)).toEqual({ next: null, effects: [toAna("refused")] });
    expect(stop(boTogether)).toEqual({ next: null, effects: [{ type: "closeRoom", pair }] });
    expect(step(claimed, { type: "start", searchId: 30 }).effects).toEqual([
      toAna("refused"),
      { type: "enterPool", searchId: 30 },
    ]);
  });
});

describe("where messages are lost, late or doubled", () => {
  test("[MATCH-97] what was not answered is said again, and the other is waited for 1.5 s", () => {
    expect(step(settling, { type: "tick" }, sayAgainMs - 1).effects).toEqual([]);
    const said = step(settling, { type: "tick" }, sayAgainMs);
    expect(said.effects).toEqual([toBo("claim")]);
    expect(step(said.next, { type: "tick" }, sayAgainMs + 1).effects).toEqual([]);
    expect(step(said.next, { type: "tick" }, settleMs)).toEqual({ next: again, effects: [toBo("void"), enterPool] });
    expect(step(opening, { type: "tick" }, sayAgainMs).effects).toEqual([toBo("room")]);
  });

  test("[MATCH-97] who said yes asks after 3 s what became of it, and waits again after 8 s of silence", () => {
    expect(step(claimed, { type: "tick" }, claimMs - 1).effects).toEqual([]);
    expect(step(claimed, { type: "tick" }, claimMs).effects).toEqual([toAna("isAlive")]);
    expect(step(settling, heard("isAlive")).effects).toEqual([toBo("claim")]);
    expect(step(opening, heard("isAlive")).effects).toEqual([toBo("room")]);
    expect(step(anaWaits, heard("isAlive")).effects).toEqual([toBo("void")]);
    expect(step(claimed, { type: "nobody", pair })).toEqual({ next: again, effects: [enterPool] });
    const given = step(claimed, { type: "tick" }, claimGivenUpMs);
    expect(given).toEqual({ next: again, effects: [toAna("refused"), enterPool] });
  });

  test("[MATCH-97] what comes twice is answered as before, and changes nothing", () => {
    expect(step(settling, { type: "pair", pair })).toEqual({ next: settling, effects: [] });
    expect(step(claimed, heard("claim"))).toEqual({ next: claimed, effects: [toAna("claimed")] });
    for (const word of ["claim", "room"] as const)
      expect(step(boTogether, heard(word))).toEqual({ next: boTogether, effects: [toAna("entered")] });
    expect(step(opening, heard("claimed"))).toEqual({ next: opening, effects: [toBo("room")] });
  });

  test("[MATCH-97] a claim of before cannot have a person who waits again", () => {
    const { next } = step(claimed, heard("void"));
    expect(step(next, heard("claim"))).toEqual({ next: again, effects: [toAna("refused")] });
    expect(step(next, heard("room")).effects).toEqual([toAna("refused")]);
    expect(step(next, heard("void"))).toEqual({ next: again, effects: [] });
  });

  test("[MATCH-96] whoever is in a room alone leaves it once the other says that it is not there", () => {
    expect(step(boTogether, heard("void"))).toEqual({ next: null, effects: [{ type: "closeRoom", pair }] });
    expect(step(null, heard("entered")).effects).toEqual([toBo("void")]);
    expect(step(null, heard("refused")).effects).toEqual([]);
  });
});
