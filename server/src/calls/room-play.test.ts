import { reactionsBurstMax, twoChoiceAgainMs, twoChoiceAnswerMs } from "@fava/wire/limits.ts";
import type { Choice } from "@fava/wire/socket.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { MatchWorld } from "#test/fixtures/match-world.ts";

const [ana, bo, cem] = [1n, 2n, 3n];

let world: MatchWorld;
beforeEach(async () => {
  world = new MatchWorld();
  for (const userId of [ana, bo, cem]) await world.arrive(userId, { sex: userId === ana ? 2 : 1 });
});

type Room = Awaited<ReturnType<MatchWorld["live"]>>;

function react({ id: roomId, tokens }: Room, userId: bigint): void {
  world.calls.roomMessage(userId, { type: "reaction", roomId, roomToken: tokens.get(userId)!, reaction: "heart" });
}

function ask({ id: roomId, tokens }: Room, userId: bigint, question: number): void {
  world.calls.roomMessage(userId, { type: "two-choice", roomId, roomToken: tokens.get(userId)!, question });
}

function choose({ id: roomId, tokens }: Room, userId: bigint, about: { question: number; choice: Choice }): void {
  world.calls.roomMessage(userId, { type: "two-choice", roomId, roomToken: tokens.get(userId)!, ...about });
}

describe("reactions", () => {
  test("reach the partner, three at once and then one a second; others are dropped silently", async () => {
    const room = await world.live(ana, bo);
    const heart = { type: "reaction", roomId: room.id, reaction: "heart" };
    for (let times = 0; times < reactionsBurstMax + 2; times += 1) react(room, ana);
    expect(world.took(bo)).toEqual(Array.from({ length: reactionsBurstMax }, () => heart));
    world.clock.advance(999);
    react(room, ana);
    expect(world.took(bo)).toEqual([]);
    world.clock.advance(1);
    react(room, ana);
    react(room, bo);
    expect([world.took(bo), world.took(ana)]).toEqual([[heart], [heart]]);
  });

  test("reach nobody before both see each other", async () => {
    react(await world.matched(ana, bo), ana);
    expect([world.took(ana), world.took(bo)]).toEqual([[], []]);
  });

  test("are rejected without the room's token", async () => {
    const room = await world.live(ana, bo);
    world.calls.roomMessage(cem, { type: "reaction", roomId: room.id, roomToken: "made up", reaction: "heart" });
    expect(world.took(cem)).toMatchObject([{ type: "error", reason: "unknown_room" }]);
    expect(world.took(bo)).toEqual([]);
  });
});

describe("a two-choice question", () => {
  const asked = ({ id: roomId }: Room, question: number) => ({
    type: "two-choice",
    roomId,
    question,
    left_ms: twoChoiceAnswerMs,
  });

  test("[CHAT-70] keeps the first choice until both have chosen, then shows both to both", async () => {
    const room = await world.live(ana, bo);
    ask(room, ana, 7);
    expect([world.took(ana), world.took(bo)]).toEqual([[asked(room, 7)], [asked(room, 7)]]);
    choose(room, bo, { question: 7, choice: 1 });
    // The first choice counts.
    choose(room, bo, { question: 7, choice: 0 });
    expect([world.took(ana), world.took(bo)]).toEqual([[], []]);
    choose(room, ana, { question: 7, choice: 0 });
    const about = { type: "two-choice", roomId: room.id, question: 7, left_ms: 0 };
    expect(world.took(ana)).toEqual([{ ...about, choices: { own: 0, other: 1 } }]);
    expect(world.took(bo)).toEqual([{ ...about, choices: { own: 1, other: 0 } }]);
  });

  test("is replaced at once when both have answered, else after twenty seconds", async () => {
    const room = await world.live(ana, bo);
    ask(room, ana, 1);
    choose(room, ana, { question: 1, choice: 0 });
    world.clock.advance(twoChoiceAgainMs - 1);
    world.took(ana);
    ask(room, bo, 2);
    expect(world.took(ana)).toEqual([]);
    world.clock.advance(1);
    ask(room, bo, 2);
    expect(world.took(ana)).toEqual([asked(room, 2)]);
    // A choice for the replaced question counts for nothing.
    choose(room, bo, { question: 1, choice: 0 });
    choose(room, ana, { question: 2, choice: 0 });
    choose(room, bo, { question: 2, choice: 0 });
    expect(world.took(ana)).toMatchObject([{ choices: { own: 0, other: 0 } }]);
    ask(room, ana, 3);
    expect(world.took(ana)).toEqual([asked(room, 3)]);
  });

  test("takes no choice after thirty seconds", async () => {
    const room = await world.live(ana, bo);
    ask(room, ana, 1);
    choose(room, ana, { question: 1, choice: 0 });
    world.clock.advance(twoChoiceAnswerMs);
    world.took(ana);
    world.took(bo);
    choose(room, bo, { question: 1, choice: 1 });
    expect([world.took(ana), world.took(bo)]).toEqual([[], []]);
  });
});
