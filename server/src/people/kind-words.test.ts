import { kindWordCallMs, kindWordKeptMs } from "@fava/wire/limits.ts";
import type { KindWord } from "@fava/wire/people.ts";
import { beforeAll, expect, test } from "vitest";
import { contextOf, refusals, SocialWorld } from "#test/fixtures/social-world.ts";
import { deleteOldKindWords } from "./kind-words.ts";

let world: SocialWorld;
beforeAll(async () => {
  world = await SocialWorld.open();
});

const longSeconds = kindWordCallMs / 1_000;

/** Two users after a call, by default one that was just long enough. */
async function afterCall({ seconds = longSeconds } = {}) {
  const [ana, bo] = [await world.person(), await world.person()];
  const callId = await world.call(ana, bo, { agoMs: seconds * 1_000 + 1_000, seconds });
  return { ana, bo, callId };
}

type AfterCall = Awaited<ReturnType<typeof afterCall>>;

const send = ({ ana, bo, callId }: AfterCall, word: KindWord = 1) =>
  world.handlers.kindSend(contextOf(ana), { user_id: Number(ana), other_id: Number(bo), call_id: callId, word });

const read = (userId: bigint) => world.handlers.kindRead(contextOf(userId), { user_id: Number(userId) });

/** Words that the user gets: unread ones on the home screen, and the one beside the newest call in Recent. */
async function received(userId: bigint) {
  const user_id = Number(userId);
  const { kind_words = [] } = await world.handlers.homePeople(contextOf(userId), { user_id });
  const { rows } = await world.handlers.recentList(contextOf(userId), { user_id, cursor: undefined });
  return {
    home: kind_words.map(({ person, word }) => [BigInt(person.user_id), word]),
    recent: rows[0]?.kind_word ?? null,
  };
}

const nothing = { home: [], recent: null };

test("delivers one word for a call and direction, at home until it is read, and in Recent", async () => {
  const call = await afterCall();
  const { ana, bo } = call;
  await send(call, 2);
  await send(call, 4);
  expect(await received(bo)).toEqual({ home: [[ana, 2]], recent: 2 });
  expect(await received(ana)).toEqual(nothing);
  await read(bo);
  expect(await received(bo)).toEqual({ home: [], recent: 2 });
});

test("delivers another word only for a later call", async () => {
  const { ana, bo, callId } = await afterCall();
  await send({ ana, bo, callId }, 1);
  await read(bo);
  await send({ ana, bo, callId: "no-call" }, 2);
  world.clock.advance(longSeconds * 1_000 + 5_000);
  const later = await world.call(ana, bo, { agoMs: longSeconds * 1_000 + 1_000, seconds: longSeconds });
  expect(await received(bo)).toEqual({ home: [], recent: 1 });
  await send({ ana, bo, callId: later }, 3);
  await read(bo);
  await send({ ana, bo, callId }, 4);
  expect(await received(bo)).toEqual({ home: [], recent: 3 });
});

test("does not deliver a word after a short call, an end by the checks, or another call's id", async () => {
  const short = await afterCall({ seconds: longSeconds - 1 });
  const cut = await afterCall();
  const { db } = world.database;
  await db.updateTable("calls").set({ end_reason: "violation" }).where("id", "=", cut.callId).execute();
  const wrong = { ...(await afterCall()), callId: (await afterCall()).callId };
  for (const call of [short, cut, wrong]) {
    await send(call);
    expect(await received(call.bo)).toEqual(nothing);
  }
});

test("[PEOPLE-570] delivers no word after a block, a report, a ban or a restriction of either user", async () => {
  const { db } = world.database;
  const at = new Date(world.clock.nowMs());
  const until = new Date(world.clock.nowMs() + 3_600_000);
  const restraint = { what: "matching", from_at: at, until, rule: "report" } as const;
  const ban = { reason_id: 1, until } as const;
  const causes: ((call: AfterCall) => Promise<unknown>)[] = [
    ({ ana, bo }) => world.social.block(bo, ana),
    ({ ana, bo }) => world.social.block(ana, bo),
    ({ ana, bo }) => db.insertInto("reports").values({ reporter_id: bo, reported_id: ana, reason_id: 5, at }).execute(),
    ({ ana }) =>
      db
        .insertInto("bans")
        .values({ user_id: ana, ...ban })
        .execute(),
    ({ bo }) =>
      db
        .insertInto("bans")
        .values({ user_id: bo, ...ban })
        .execute(),
    ({ ana }) =>
      db
        .insertInto("restraints")
        .values({ user_id: ana, ...restraint })
        .execute(),
  ];
  for (const cause of causes) {
    const before = await afterCall();
    await send(before);
    await cause(before);
    const after = await afterCall();
    await cause(after);
    await send(after);
    expect([await received(before.bo), await received(after.bo)]).toEqual([nothing, nothing]);
  }
});

test("rejects a word to a user whom the sender has not met, to oneself, and of another user", async () => {
  const [ana, cem] = [await world.person(), await world.person()];
  await expect(send({ ana, bo: cem, callId: "call" })).rejects.toMatchObject(refusals.notMet);
  await expect(send({ ana, bo: ana, callId: "call" })).rejects.toMatchObject({ code: 400 });
  for (const name of ["kindSend", "kindRead"] as const) {
    const input = { user_id: Number(cem), other_id: Number(cem), call_id: "call", word: 1 } as const;
    await expect(world.handlers[name](contextOf(ana), input)).rejects.toMatchObject({ code: 400 });
  }
});

test("keeps a word for a day, and for another day once it was read", async () => {
  const [seen, unseen] = [await afterCall(), await afterCall()];
  for (const call of [seen, unseen]) await send(call);
  const { clock, database } = world;
  clock.advance(kindWordKeptMs - 1);
  await read(seen.bo);
  clock.advance(2);
  expect(await received(unseen.bo)).toEqual(nothing);
  const left = async () => {
    await deleteOldKindWords(database.db, clock.nowMs());
    const rows = await database.db
      .selectFrom("kind_words")
      .select("other_id")
      .where("other_id", "in", [seen.bo, unseen.bo])
      .execute();
    return rows.map(({ other_id }) => other_id);
  };
  expect(await left()).toEqual([seen.bo]);
  clock.advance(kindWordKeptMs);
  expect(await left()).toEqual([]);
});
