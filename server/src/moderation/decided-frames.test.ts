import { beforeEach, expect, test } from "vitest";
import { reasons } from "@fava/wire/reasons.ts";
import { ModerationWorld } from "#test/fixtures/moderation-world.ts";
import { decidedFrames } from "./decided-frames.ts";

let world: ModerationWorld;
beforeEach(async () => {
  world = await ModerationWorld.open();
});

const scores = { mobilenet: { drawing: 0, hentai: 0, neutral: 0.1, porn: 0.9, sexy: 0 } };

/** A case with a frame, decided unless the operation is null. */
async function flagged(
  operation: 1 | 2 | 3 | 4 | null,
  { reasonId = reasons.pornography.id, facts = { scores } }: { reasonId?: number; facts?: object } = {},
): Promise<bigint> {
  const evidence = [{ ...world.frame({ bytes: Buffer.from("a picture") }), facts }];
  const caseId = await world.moderation.open(await world.flag(await world.person(), { evidence }));
  await world.db
    .updateTable("cases")
    .set({ reason_id: reasonId, ...(operation !== null && { state: "decided", operation }) })
    .where("id", "=", caseId)
    .execute();
  return caseId;
}

test("returns the stored scores of frames with the moderator's decision, and decrypts no frame", async () => {
  const banned = await flagged(4);
  const warned = await flagged(3, { facts: { scores, openNsfw: 0.7 } });
  const rejected = await flagged(2);
  world.blobs.clear();
  expect(await decidedFrames(world.db)).toEqual([
    { caseId: rejected, rule: "explicit_picture_sure", isConfirmed: false, scores },
    { caseId: warned, rule: "explicit_picture_sure", isConfirmed: true, scores, openNsfw: 0.7 },
    { caseId: banned, rule: "explicit_picture_sure", isConfirmed: true, scores },
  ]);
});

test("omits open cases, other reasons, frames without scores, and erased ones", async () => {
  await flagged(null);
  await flagged(4, { reasonId: reasons.harassment.id });
  await flagged(4, { facts: {} });
  const erased = await flagged(4);
  await world.db
    .updateTable("evidence")
    .set({ erased_at: new Date(world.clock.nowMs()), facts: "{}" })
    .where("case_id", "=", erased)
    .execute();
  expect(await decidedFrames(world.db)).toEqual([]);
});
