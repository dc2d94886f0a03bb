import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { socketResumeMs } from "@fava/wire/limits.ts";
import { pushCodes } from "@fava/wire/pushes.ts";
import { ModerationWorld } from "#test/fixtures/moderation-world.ts";

let world: ModerationWorld;
let bo: bigint;
let mia: bigint;

beforeAll(async () => {
  world = await ModerationWorld.open();
});
beforeEach(async () => {
  [bo, mia] = [await world.person(), await world.moderator()];
});

const warning = (reason_id: number) => ({
  code: pushCodes.reportNotice,
  text: expect.stringMatching(/^A moderator has looked .* warning: \w+\./) as string,
  outcome: "warned",
  reason_id,
});

async function warn(reasonId: 4 | 7): Promise<void> {
  const caseId = await world.reported(bo, { reasonId });
  await world.claim(mia, `case:${caseId}`);
  await world.cases.decisions.operate(await world.viewer(mia), caseId, { operation: 3, note: "" });
  await world.told();
}

async function arrive(): Promise<void> {
  world.bus.arrive(bo);
  await world.outbox[Symbol.asyncDispose]();
}

test("whoever is here is told of a warning at once, and never again", async () => {
  await arrive();
  await warn(4);
  expect(world.bus.take(bo)).toEqual([warning(4)]);
  await arrive();
  expect(world.bus.take(bo)).toEqual([]);
});

test("whoever was away reads what came meanwhile when they are here next, each once", async () => {
  await warn(4);
  await warn(7);
  await arrive();
  expect(world.bus.take(bo)).toEqual([warning(4), warning(7)]);
  await arrive();
  expect(world.bus.take(bo)).toEqual([]);
});

test("of two sessions that begin at once one is told", async () => {
  await warn(4);
  world.bus.arrive(bo);
  world.outbox.arrived(bo);
  await world.told();
  await world.outbox[Symbol.asyncDispose]();
  expect(world.bus.take(bo)).toEqual([warning(4)]);
});

test("whoever leaves while it is read is told next time", async () => {
  await warn(4);
  world.bus.arrive(bo);
  world.bus.close(bo, 1001);
  await world.outbox[Symbol.asyncDispose]();
  await arrive();
  expect(world.bus.take(bo)).toEqual([warning(4)]);
});

test("keeps all unsent notices when one of them is owed again meanwhile", async () => {
  await warn(4);
  await warn(7);
  const owed = await world.db.selectFrom("outbox").selectAll().where("user_id", "=", bo).orderBy("id").execute();
  const confirm = vi.spyOn(world.bus, "confirm").mockResolvedValue(false);
  confirm.mockImplementationOnce(async () => {
    const { id: _, ...again } = owed[0]!;
    await world.db.insertInto("outbox").values(again).execute();
    return false;
  });
  await arrive();
  confirm.mockRestore();
  await arrive();
  expect(world.bus.take(bo)).toEqual([warning(4), warning(7)]);
});

/** The page's network is gone, and does not come back in time. */
async function timeOut(): Promise<void> {
  world.clock.advance(socketResumeMs);
  world.bus.tick();
  await world.outbox[Symbol.asyncDispose]();
}

test("what a page that was lost did not acknowledge is told when they are here next, and what it did is not", async () => {
  await arrive();
  await warn(7);
  expect(world.bus.take(bo)).toEqual([warning(7)]);
  world.bus.close(bo, 1006);
  await warn(4);
  await warn(7);
  await warn(4);
  await timeOut();
  await arrive();
  const told = world.bus.take(bo).flatMap((push) => ("reason_id" in push ? [push.reason_id ?? 0] : []));
  expect(told.toSorted((one, other) => one - other)).toEqual([4, 4, 7]);
  await arrive();
  expect(world.bus.take(bo)).toEqual([]);
});

test("whoever opens another page in place of a lost one is told there", async () => {
  await arrive();
  world.bus.close(bo, 1006);
  await warn(4);
  await arrive();
  expect(world.bus.take(bo)).toEqual([warning(4)]);
  await timeOut();
  expect(world.bus.take(bo)).toEqual([]);
});

test("whoever comes back in time is told once", async () => {
  await arrive();
  world.bus.close(bo, 1006);
  await warn(4);
  world.bus.resume(bo);
  expect(world.bus.take(bo)).toEqual([warning(4)]);
  await timeOut();
  world.bus.close(bo, 1001);
  await arrive();
  expect(world.bus.take(bo)).toEqual([]);
});

test("push 100_004 says its text in the language of whoever gets it", async () => {
  const [ana, cem] = [await world.person(), await world.person()];
  for (const [userId, language] of [
    [bo, "de"],
    [ana, "tr"],
    [cem, "not a language"],
  ] as const) {
    await world.db.updateTable("users").set({ language }).where("id", "=", userId).execute();
    world.bus.arrive(userId);
  }
  const caseId = await world.reported(bo, { by: ana, reasonId: 5 });
  await world.reported(bo, { by: cem, reasonId: 5 });
  await world.claim(mia, `case:${caseId}`);
  await world.cases.decisions.operate(await world.viewer(mia), caseId, { operation: 3, note: "" });
  await world.told();
  const textFor = (userId: bigint) => world.bus.take(userId).map((push) => ("text" in push ? push.text : null));
  expect(textFor(bo)).toEqual([
    "Die Moderation hat sich eine Meldung über dich angesehen. Das ist eine Verwarnung: Belästigung. Beim nächsten Mal kann eine Sperre folgen.",
  ]);
  expect(textFor(ana)).toEqual(["Teşekkürler: şikâyetiniz üzerine gereğini yaptık. Taciz."]);
  expect(textFor(cem)).toEqual(["Thank you: after your report we have acted. Harassment."]);
});
