import type { Reaction } from "@fava/wire/reactions.ts";
import { beforeAll, expect, test } from "vitest";
import { MessageWorld } from "#test/fixtures/message-world.ts";
import { contextOf, refusals } from "#test/fixtures/social-world.ts";

let world: MessageWorld;
beforeAll(async () => {
  world = await MessageWorld.open();
});

async function react(userId: bigint, other: bigint, about: { messageId: string; reaction?: Reaction }): Promise<void> {
  const externalId = await world.social.externalIdOf(other);
  const { messageId: message_id, reaction } = about;
  await world.handlers.messageReact(contextOf(userId), { user_id: Number(userId), externalId, message_id, reaction });
}

const reactionsSeenBy = async (userId: bigint, other: bigint) =>
  (await world.thread(userId, other)).messages.map(({ reaction }) => reaction);

test("stores one reaction of the reader, pushes it to both once, and takes it back", async () => {
  const [ana, bo] = await world.friends();
  const { message } = await world.send(ana, bo, "hello");
  for (const userId of [ana, bo]) world.social.tookSocial(userId);
  await react(bo, ana, { messageId: message.id, reaction: "heart" });
  await react(bo, ana, { messageId: message.id, reaction: "wow" });
  await react(bo, ana, { messageId: message.id, reaction: "wow" });
  expect(await reactionsSeenBy(ana, bo)).toContain("wow");
  expect(await reactionsSeenBy(bo, ana)).toContain("wow");
  const pushed = (reaction: string | null, externalId: string) => ({
    kind: "reaction",
    externalId,
    messageId: message.id,
    reaction,
  });
  const [anaId, boId] = [await world.social.externalIdOf(ana), await world.social.externalIdOf(bo)];
  expect(world.social.tookSocial(ana)).toEqual([pushed("heart", boId), pushed("wow", boId)]);
  expect(world.social.tookSocial(bo)).toEqual([pushed("heart", anaId), pushed("wow", anaId)]);
  await react(bo, ana, { messageId: message.id });
  expect((await reactionsSeenBy(ana, bo)).every((reaction) => reaction === undefined)).toBe(true);
  expect(world.social.tookSocial(ana)).toEqual([pushed(null, boId)]);
});

test("rejects a reaction to an own message, to one of another conversation, and between strangers", async () => {
  const [ana, bo] = await world.friends();
  const [carl, dee] = await world.friends();
  const own = await world.send(ana, bo, "mine");
  const foreign = await world.send(carl, dee, "theirs");
  for (const { message } of [own, foreign])
    await expect(react(ana, bo, { messageId: message.id, reaction: "heart" })).rejects.toMatchObject({ code: 400 });
  const [eve, fay] = await world.strangers();
  const asked = await world.send(eve, fay, "a request");
  await expect(react(fay, eve, { messageId: asked.message.id, reaction: "heart" })).rejects.toMatchObject({
    code: 406,
    data: { reason: "not_friends" },
  });
  await world.social.social.block(bo, ana);
  await expect(react(ana, bo, { messageId: own.message.id, reaction: "heart" })).rejects.toMatchObject(refusals.notMet);
});

test("erases reactions with the message, and with the account of the reader", async () => {
  const [ana, bo] = await world.friends();
  const { message: first } = await world.send(ana, bo, "one");
  const { message: second } = await world.send(bo, ana, "two");
  await react(bo, ana, { messageId: first.id, reaction: "heart" });
  await react(ana, bo, { messageId: second.id, reaction: "party" });
  await world.messages.eraseTextsOf(ana);
  const { rows } = await world.social.database.pool.query<{ text: string; reaction: string | null }>(
    "select text, reaction from messages where id = any ($1) order by id",
    [[first.id, second.id]],
  );
  expect(rows).toEqual([
    { text: "", reaction: null },
    { text: "two", reaction: null },
  ]);
});
