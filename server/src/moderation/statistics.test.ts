import { beforeEach, expect, test } from "vitest";
import { reportReasonIds } from "@fava/wire/reasons.ts";
import { ModerationWorld } from "#test/fixtures/moderation-world.ts";
import { moderationStatistics, transparencyReport } from "./statistics.ts";

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
let world: ModerationWorld;
beforeEach(async () => {
  world = await ModerationWorld.open();
});

const ago = (ms: number) => new Date(world.clock.nowMs() - ms);

interface Decided {
  rule?: string;
  operation: 1 | 2 | 3 | 4;
  openedAgoMs: number;
  tookMs: number;
}

/** A case decided by a moderator. */
async function decided({ rule = "report", operation, openedAgoMs, tookMs }: Decided): Promise<bigint> {
  const { id } = await world.db
    .insertInto("cases")
    .values({
      subject_id: await world.person(),
      queue: "reports",
      reason_id: 4,
      rule,
      harm: 1,
      state: "decided",
      opened_at: ago(openedAgoMs),
      changed_at: ago(openedAgoMs),
      decided_at: ago(openedAgoMs - tookMs),
      decided_by: await world.moderator(),
      operation,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

test("returns empty shares and counts nothing without decisions", async () => {
  expect(await moderationStatistics(world.db, 14, world.clock.nowMs())).toMatchObject({
    waiting: 0,
    oldest_at: null,
    review_minutes: null,
    overturned: { share: null, of: 0 },
    machine_right: { share: null, of: 0 },
    rules: [],
  });
});

test("counts what waits in each queue, without cases that wait for an age check", async () => {
  const userId = await world.person();
  await world.reported(userId);
  const [about] = await world.db.selectFrom("cases").select("id").execute();
  await world.db
    .insertInto("notices")
    .values({ kind: "rights", same_as: "1", sealed: Buffer.of(1), at: ago(2 * minuteMs), due_at: ago(0) })
    .execute();
  const asked = { user_id: userId, place: "about", source: "person", text: "hi", before: "", findings: "[]" } as const;
  await world.db
    .insertInto("text_questions")
    .values({ ...asked, asked_at: ago(minuteMs), due_at: ago(0) })
    .execute();
  const seen = () => moderationStatistics(world.db, 14, world.clock.nowMs());
  expect(await seen()).toMatchObject({ waiting: 3, oldest_at: ago(2 * minuteMs).getTime() });
  const { id } = await world.db
    .insertInto("restraints")
    .values({ user_id: userId, what: "age", rule: "asked", case_id: about!.id, from_at: ago(0), until: ago(-dayMs) })
    .returning("id")
    .executeTakeFirstOrThrow();
  const waiting = await seen();
  expect([waiting.waiting, waiting.waiting_over_time.at(-1)?.waiting]).toEqual([2, 0]);
  await world.db
    .updateTable("restraints")
    .set({ until: ago(0) })
    .where("id", "=", id)
    .execute();
  const late = await seen();
  expect([late.waiting, late.waiting_over_time.at(-1)?.waiting]).toEqual([3, 1]);
});

test("returns the median time to a decision, how often each rule was right, and the waiting cases over time", async () => {
  for (const tookMs of [2, 4, 30].map((minutes) => minutes * minuteMs)) {
    await decided({ operation: 4, openedAgoMs: dayMs, tookMs });
  }
  await decided({ rule: "explicit_picture", operation: 1, openedAgoMs: dayMs, tookMs: 4 * minuteMs });
  await decided({ rule: "explicit_picture", operation: 4, openedAgoMs: dayMs, tookMs: 4 * minuteMs });
  await decided({ rule: "explicit_picture", operation: 4, openedAgoMs: 20 * dayMs, tookMs: 9 * minuteMs });
  await world.reported(await world.person());
  const seen = await moderationStatistics(world.db, 14, world.clock.nowMs());
  expect(seen).toMatchObject({
    waiting: 1,
    oldest_at: world.clock.nowMs(),
    review_minutes: 4,
    review_minutes_before: 9,
    machine_right: { share: 0.5, of: 2 },
    rules: [
      { rule: "report", share: 1, of: 3 },
      { rule: "explicit_picture", share: 0.5, of: 2 },
    ],
  });
  expect(seen.waiting_over_time).toHaveLength(15);
  expect(seen.waiting_over_time.at(-1)).toEqual({ at: world.clock.nowMs(), waiting: 1 });
  expect(seen.waiting_over_time.at(-2)).toEqual({ at: ago(dayMs).getTime(), waiting: 5 });
  expect(seen.review_over_time).toHaveLength(14);
});

test("counts reports, bans and appeals in the public report, and names nobody", async () => {
  const [moderator, bo] = [await world.moderator("Vera"), await world.person({ nickname: "Bo" })];
  await world.reported(bo);
  await world.moderation.suspend(await world.flag(bo));
  const { id } = await world.db
    .insertInto("bans")
    .values({ user_id: bo, reason_id: 1, reason: "", created_at: ago(dayMs), until: null, decided_by: moderator })
    .returning("id")
    .executeTakeFirstOrThrow();
  await world.db
    .insertInto("appeals")
    .values({
      ban_id: id,
      user_id: bo,
      ground: 1,
      text: "please",
      language: "en",
      state: "lifted",
      at: ago(10 * 60 * minuteMs),
      answer_by: ago(0),
      decided_at: ago(4 * 60 * minuteMs),
    })
    .execute();
  const report = await transparencyReport(world.db, world.clock.nowMs());
  expect(report).toMatchObject({
    bans: { software: 1, person: 1, for_good: 1 },
    appeals: { received: 1, upheld: 0, shortened: 0, lifted: 1 },
    appeal_hours: 6,
  });
  expect(report.reports.map(({ reason_id }) => reason_id)).toEqual(reportReasonIds);
  expect(report.reports[0]).toEqual({ reason_id: 4, reports: 1, acted_on: 0 });
  expect(JSON.stringify(report)).not.toMatch(/Vera|Bo/);
  expect((await moderationStatistics(world.db, 14, world.clock.nowMs())).overturned).toEqual({ share: 1, of: 1 });
});
