import { expect, test } from "vitest";
import { NoOwnerError, type Peers } from "#ports/peers.ts";
import { busyPeople } from "./busy-people.ts";

const [here, elsewhere, gone] = [1n, 2n, 3n];

/** A server with one user, beside another server that answers questions about its own user with `answer`. */
function answerOf({ isBusy = false, answer = async () => false as boolean } = {}) {
  let serve: ((input: { userId: bigint }) => Promise<boolean>) | null = null;
  const peers = {
    serve: (_kind: string, answerer: typeof serve) => {
      serve = answerer;
    },
    ask: (_kind: string, key: string) => (key === `person:${elsewhere}` ? answer() : Promise.reject(new Error(key))),
  } as unknown as Pick<Peers, "ask" | "serve">;
  const isBusyAt = busyPeople({
    bus: { isHere: (userId) => userId === here, isPresent: async (userId) => userId !== gone },
    peers,
    matches: { isBusy: () => isBusy },
  });
  return { isBusyAt, serves: (userId: bigint) => serve?.({ userId }) };
}

test("[NOTIFY-28] says whether a user searches or is in a call, at the user's home and at servers that ask it", async () => {
  expect(await answerOf().isBusyAt(here)).toBe(false);
  expect(await answerOf({ isBusy: true }).isBusyAt(here)).toBe(true);
  expect(await answerOf({ isBusy: true }).isBusyAt(gone)).toBe(false);
  expect(await answerOf().isBusyAt(elsewhere)).toBe(false);
  expect(await answerOf({ answer: async () => true }).isBusyAt(elsewhere)).toBe(true);
  expect(await answerOf({ isBusy: true }).serves(here)).toBe(true);
});

test("[NOTIFY-28] counts users as busy if their home does not answer, or has just lost them", async () => {
  const silent = answerOf({ answer: () => Promise.reject(new NoOwnerError("gone")) });
  expect(await silent.isBusyAt(elsewhere)).toBe(true);
  await expect(answerOf().serves(elsewhere)).rejects.toThrow(NoOwnerError);
});
