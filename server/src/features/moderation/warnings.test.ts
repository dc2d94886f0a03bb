import { beforeAll, beforeEach, expect, test } from "vitest";
import { pushCodes } from "@fava/wire/pushes.ts";
import { ModerationWorld } from "#testing/moderation-world.ts";

let world: ModerationWorld;
let bo: bigint;
let mia: bigint;

beforeAll(async () => {
  world = await ModerationWorld.open();
});
beforeEach(async () => {
  [bo, mia] = [await world.person(), await world.moderator()];
});

const warning = (reason_id: number) => ({ code: pushCodes.reportNotice, text: "", outcome: "warned", reason_id });

async function warn(reasonId: 4 | 7): Promise<void> {
  const caseId = await world.reported(bo, { reasonId });
  await world.cases.decisions.operate(await world.viewer(mia), caseId, { operation: 3, note: "" });
}

async function arrive(): Promise<void> {
  world.bus.arrive(bo);
  await world.moderation.warnings[Symbol.asyncDispose]();
}

test("[CASE-67] whoever is here is told of a warning at once, and never again", async () => {
  await arrive();
  await warn(4);
  expect(world.bus.take(bo)).toEqual([warning(4)]);
  await arrive();
  expect(world.bus.take(bo)).toEqual([]);
});

test("[CASE-67] whoever was away reads what came meanwhile when they are here next, each once", async () => {
  await warn(4);
  await warn(7);
  await arrive();
  expect(world.bus.take(bo)).toEqual([warning(4), warning(7)]);
  await arrive();
  expect(world.bus.take(bo)).toEqual([]);
});

test("[CASE-67] of two sessions that begin at once one is told", async () => {
  await warn(4);
  world.bus.arrive(bo);
  await Promise.all([world.moderation.warnings.tell(bo), world.moderation.warnings.tell(bo)]);
  await world.moderation.warnings[Symbol.asyncDispose]();
  expect(world.bus.take(bo)).toEqual([warning(4)]);
});

test("[CASE-67] whoever leaves while it is read is told next time", async () => {
  await warn(4);
  world.bus.arrive(bo);
  world.bus.close(bo, 1001);
  await world.moderation.warnings[Symbol.asyncDispose]();
  await arrive();
  expect(world.bus.take(bo)).toEqual([warning(4)]);
});
