import { expect, test } from "vitest";
import { lookPromisedMs } from "@fava/wire/limits.ts";
import { ModerationWorld } from "#test/fixtures/moderation-world.ts";
import { ChatFilter } from "./chat-filter.ts";
import { ConductService } from "./conduct-service.ts";

test("[TEXT-762] a mute that a moderator ends holds no longer, also in a call that goes on", async () => {
  const world = await ModerationWorld.open();
  const [bo, mia] = [await world.person(), await world.moderator()];
  const untilMs = world.clock.nowMs() + lookPromisedMs;
  await world.moderation.muteChat(bo, { rule: "contact_in_chat", untilMs });
  const filter = new ChatFilter({ clock: world.clock, scan: () => [] });
  const { clock, logger, moderation } = world;
  const conduct = new ConductService({ clock, logger, moderation, filter, botsDryRun: true });
  using _ = moderation.restrictions.onForgotten((userId) => conduct.restrictionsChanged(userId));
  filter.mute(bo, untilMs);
  await world.questions.askAboutMute(bo);
  world.bus.arrive(bo);
  const viewer = await world.viewer(mia);
  const [question] = (await world.questions.list(viewer, undefined)).rows;
  await world.withClaim(mia, `text:${question?.id}`, () => world.questions.operate(viewer, question?.id ?? "", 1));
  await conduct[Symbol.asyncDispose]();
  expect(world.bus.take(bo)).toEqual([expect.objectContaining({ outcome: "mute_ended" })]);
  expect((await moderation.restrictionsOf(bo)).mutedUntil).toBeNull();
  expect(filter.evaluate({ userId: bo, callId: "call" }, "hello")).toEqual({ kind: "pass" });
});
