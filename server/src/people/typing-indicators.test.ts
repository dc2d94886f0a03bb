import { beforeAll, expect, test } from "vitest";
import { MessageWorld } from "#test/fixtures/message-world.ts";

let world: MessageWorld;

beforeAll(async () => {
  world = await MessageWorld.open();
});

async function typed(writer: bigint, reader: bigint): Promise<unknown[]> {
  world.typing.typing(writer, await world.social.externalIdOf(reader));
  await world.typing.settled();
  return world.social.bus.take(reader).filter((got) => "type" in got && got.type === "typing");
}

test("notifies a friend at most once a second, and again in the next session", async () => {
  const [ana, bo] = await world.friends();
  const heard = [{ type: "typing", externalId: await world.social.externalIdOf(ana) }];
  expect(await typed(ana, bo)).toEqual(heard);
  world.social.clock.advance(999);
  expect(await typed(ana, bo)).toEqual([]);
  world.social.clock.advance(1);
  expect(await typed(ana, bo)).toEqual(heard);
  world.typing.gone(ana);
  expect(await typed(ana, bo)).toEqual(heard);
});

test("notifies no stranger, blocked or unknown user", async () => {
  const [ana, bo] = await world.strangers();
  expect(await typed(ana, bo)).toEqual([]);
  const [carl, dee] = await world.friends();
  await world.social.social.block(dee, carl);
  expect(await typed(carl, dee)).toEqual([]);
  const [eve] = await world.friends();
  world.typing.typing(eve, "nobody");
  await world.typing.settled();
});

test("notifies the partner in a call, friend or not, and nobody else, until a block", async () => {
  const [ana, bo] = await world.strangers();
  const [cleo] = await world.strangers();
  world.calls.set(ana, bo).set(bo, ana);
  expect(await typed(ana, bo)).toEqual([{ type: "typing", externalId: await world.social.externalIdOf(ana) }]);
  expect(await typed(bo, cleo)).toEqual([]);
  await world.social.social.block(bo, ana);
  world.social.clock.advance(1_000);
  expect(await typed(ana, bo)).toEqual([]);
  world.calls.clear();
});
