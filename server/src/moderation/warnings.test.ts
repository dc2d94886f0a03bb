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
  text: expect.stringMatching(/^A moderator looked .* warning: [\w ]+\./) as string,
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

test("sends a warning at once to a present user, and never again", async () => {
  await arrive();
  await warn(4);
  expect(world.bus.take(bo)).toEqual([warning(4)]);
  await arrive();
  expect(world.bus.take(bo)).toEqual([]);
});

test("sends the warnings of an absence on return, each once", async () => {
  await warn(4);
  await warn(7);
  await arrive();
  expect(world.bus.take(bo)).toEqual([warning(4), warning(7)]);
  await arrive();
  expect(world.bus.take(bo)).toEqual([]);
});

test("sends a warning to one of two sessions that begin at once", async () => {
  await warn(4);
  world.bus.arrive(bo);
  world.outbox.arrived(bo);
  await world.told();
  await world.outbox[Symbol.asyncDispose]();
  expect(world.bus.take(bo)).toEqual([warning(4)]);
});

test("sends a warning on the next return when the user leaves while it is read", async () => {
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

/** The page loses its connection and does not resume in time. */
async function timeOut(): Promise<void> {
  world.clock.advance(socketResumeMs);
  world.bus.tick();
  await world.outbox[Symbol.asyncDispose]();
}

test("sends unacknowledged warnings again on return, and no acknowledged ones", async () => {
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

test("sends a warning to the page that replaces a lost one", async () => {
  await arrive();
  world.bus.close(bo, 1006);
  await warn(4);
  await arrive();
  expect(world.bus.take(bo)).toEqual([warning(4)]);
  await timeOut();
  expect(world.bus.take(bo)).toEqual([]);
});

test("sends a warning once to a page that reconnects in time", async () => {
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

test("sends push 100_004 in the language of its receiver", async () => {
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
  expect(textFor(ana)).toEqual(["Teşekkürler. Şikâyetiniz üzerine gereğini yaptık. Taciz."]);
  expect(textFor(cem)).toEqual(["Thank you. We acted on your report. Harassment."]);
});
