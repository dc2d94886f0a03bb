import { beforeEach, describe, expect, test } from "vitest";
import { reviewPromisedMs, pauseMaxMs, unprovenPauseEveryMs, unprovenPauseMs } from "@fava/wire/limits.ts";
import { untilDecidedMs } from "#ports/moderation.ts";
import { ModerationWorld } from "#test/fixtures/moderation-world.ts";

const dayMs = 86_400_000;
const minor = 8;
let world: ModerationWorld;
let bo: bigint;
let rae: bigint;

beforeEach(async () => {
  world = await ModerationWorld.open();
  [bo, rae] = [await world.person(), await world.administrator()];
});

const proven = (change: Parameters<ModerationWorld["person"]>[0] = {}) => world.person({ passedCalls: 10, ...change });
const accuse = (by: bigint, whom = bo) => world.reported(whom, { by, reasonId: minor });
const pausedUntil = async (userId = bo) => (await world.moderation.restrictionsOf(userId)).pausedUntil;
const inMs = async (userId = bo) => {
  const until = await pausedUntil(userId);
  return until === null || until === untilDecidedMs ? until : until - world.clock.nowMs();
};
const decide = async (caseId: bigint, operation: 1 | 2 | 3) => {
  const viewer = await world.viewer(rae);
  return world.withClaim(rae, `case:${caseId}`, () =>
    world.cases.decisions.operate(viewer, caseId, { operation, note: "" }),
  );
};
const queue = async () =>
  (await world.cases.caseService.list(await world.viewer(rae), { box: "restricted", order: "harm" })).rows;

describe("[CASE-580] the pause by a report of a suspected minor", () => {
  test("begins at once and expires after a day, or after four hours when the reporter's account is new", async () => {
    await accuse(await proven());
    expect(await inMs()).toBe(pauseMaxMs);
    const cy = await world.person();
    await accuse(await world.person({ ageMs: 60_000 }), cy);
    expect(await inMs(cy)).toBe(unprovenPauseMs);
    world.clock.advance(unprovenPauseMs);
    expect(await pausedUntil(cy)).toBeNull();
    world.clock.advance(pauseMaxMs);
    expect(await pausedUntil()).toBeNull();
  });

  test("lasts four hours when an earlier report by the reporter was unfounded", async () => {
    const liar = await proven();
    await decide(await accuse(liar, await world.person()), 2);
    await accuse(liar);
    expect(await inMs()).toBe(unprovenPauseMs);
  });

  test("is prolonged by a reporter at an address of their own, and not by one at an earlier reporter's address", async () => {
    await accuse(await world.person({ address: "203.0.113.7" }));
    await accuse(await proven({ address: "203.0.113.7" }));
    expect(await inMs()).toBe(unprovenPauseMs);
    await accuse(await proven());
    expect(await inMs()).toBe(pauseMaxMs);
  });

  test("is set by unproven reporters once in seven days, unless the report before was right", async () => {
    await decide(await accuse(await world.person()), 1);
    expect(await pausedUntil()).toBeNull();
    await accuse(await world.person());
    expect(await pausedUntil()).toBeNull();
    await decide((await world.caseOf(bo)) ?? 0n, 1);
    world.clock.advance(unprovenPauseEveryMs);
    await decide(await accuse(await world.person()), 3);
    await accuse(await world.person());
    expect(await inMs()).toBe(unprovenPauseMs);
  });
});

describe("one reporter", () => {
  test("pauses two users a day until one of the cases is decided, even with 20 reports an hour", async () => {
    const ana = await world.person({ ageMs: 60_000 });
    const paused: bigint[] = [];
    for (let count = 0; count < 20; count += 1) {
      const subject = await world.person();
      await accuse(ana, subject);
      if ((await pausedUntil(subject)) !== null) paused.push(subject);
      world.clock.advance(180_000);
    }
    expect(paused).toHaveLength(2);
    expect(await queue()).toHaveLength(20);
    await decide((await world.caseOf(paused[0] ?? 0n)) ?? 0n, 1);
    const next = await world.person();
    await accuse(ana, next);
    expect(await inMs(next)).toBe(unprovenPauseMs);
    const afterwards = await world.person();
    await accuse(ana, afterwards);
    expect(await pausedUntil(afterwards)).toBeNull();
    world.clock.advance(dayMs);
    await accuse(ana, afterwards);
    expect(await pausedUntil(afterwards)).not.toBeNull();
  });

  test("regains no pause by an unfounded report", async () => {
    const ana = await world.person();
    const [one, other, third] = [await world.person(), await world.person(), await world.person()];
    await decide(await accuse(ana, one), 2);
    await accuse(ana, other);
    await accuse(ana, third);
    expect([await inMs(other), await pausedUntil(third)]).toEqual([unprovenPauseMs, null]);
  });

  test.each([
    ["device", { device: "one device of three accounts" }],
    ["address", { address: "198.51.100.9" }],
  ])(
    "counts as one for three new accounts of one %s: after the first, none prolongs the pause",
    async (_what, change) => {
      const accounts = [await world.person(change), await world.person(change), await world.person(change)] as const;
      const targets = [bo, await world.person(), await world.person()] as const;
      for (const account of accounts) await accuse(account);
      expect(await inMs()).toBe(unprovenPauseMs);
      world.clock.advance(unprovenPauseMs);
      for (const account of accounts) await accuse(account);
      expect(await pausedUntil()).toBeNull();
      // The accounts of one person share one remaining pause.
      for (const [at, account] of accounts.entries()) await accuse(account, targets[at]);
      expect([await inMs(targets[1]), await pausedUntil(targets[2])]).toEqual([unprovenPauseMs, null]);
    },
  );

  test("counts as one for three new accounts of one address, which do not pause as three reporters do", async () => {
    const reported = async (address: string | undefined) => {
      const subject = await world.person();
      for (let count = 0; count < 3; count += 1)
        await world.reported(subject, { by: await world.person(address === undefined ? {} : { address }) });
      return pausedUntil(subject);
    };
    expect(await reported("192.0.2.1")).toBeNull();
    expect(await reported(undefined)).not.toBeNull();
  });

  test("is not merged with older accounts at the same address", async () => {
    const address = "192.0.2.77";
    const subject = await world.person();
    for (let count = 0; count < 3; count += 1) await world.reported(subject, { by: await proven({ address }) });
    expect(await pausedUntil(subject)).not.toBeNull();
  });
});

describe("a case whose pause has expired", () => {
  test("is listed first with a deadline of an hour, and another reporter pauses until an administrator decides", async () => {
    const before = await accuse(await world.person(), await world.person());
    const ana = await world.person();
    const caseId = await accuse(ana);
    world.clock.advance(unprovenPauseMs - 1);
    const cy = await world.person();
    const running = await accuse(await proven(), cy);
    expect((await queue()).find(({ id }) => id === String(caseId))).toMatchObject({ is_paused: true, due_at: null });
    world.clock.advance(1);
    const due = { is_paused: false, due_at: world.clock.nowMs() + reviewPromisedMs };
    const [first, second] = await queue();
    expect([first, second]).toMatchObject([
      { id: String(before), ...due },
      { id: String(caseId), ...due },
    ]);
    expect((await queue()).at(-1)).toMatchObject({ id: String(running), is_paused: true, due_at: null });
    await accuse(ana);
    expect(await pausedUntil()).toBeNull();
    await accuse(await world.person());
    expect(await pausedUntil()).toBe(untilDecidedMs);
    await decide(caseId, 1);
    expect(await pausedUntil()).toBeNull();
  });

  test("is listed before others of its harm as soon as the paused user requests a review", async () => {
    const { pauseAsk } = world.cases.handlers;
    const ask = async (userId: bigint) => pauseAsk(await world.contextOf(userId), { user_id: Number(userId) });
    expect(await ask(bo)).toEqual({ due_at: null });
    await accuse(await world.person(), await world.person());
    const caseId = await accuse(await world.person());
    const due_at = world.clock.nowMs() + reviewPromisedMs;
    expect(await ask(bo)).toEqual({ due_at });
    world.clock.advance(60_000);
    expect(await Promise.all([ask(bo), ask(bo)])).toEqual([{ due_at }, { due_at }]);
    expect((await queue()).find(({ due_at: promised }) => promised === due_at)?.id).toBe(String(caseId));
    expect((await world.auditOf(bo)).filter((kind) => kind === "ask_look")).toHaveLength(1);
    await decide(caseId, 1);
    expect(await ask(bo)).toEqual({ due_at: null });
  });
});
