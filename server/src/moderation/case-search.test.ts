import { beforeAll, expect, test } from "vitest";
import { caseTextsFoundMax } from "@fava/wire/limits.ts";
import { ModerationWorld } from "#test/fixtures/moderation-world.ts";
import { refusalOf } from "#test/fixtures/session-world.ts";

let world: ModerationWorld;
let mia: bigint;
let ada: bigint;

beforeAll(async () => {
  world = await ModerationWorld.open();
  [mia, ada] = [await world.moderator(), await world.administrator()];
});

const at = () => new Date(world.clock.nowMs());
const find = async (by: bigint, text: string) => world.cases.caseSearch.find(await world.viewer(by), text, at());
async function caseWith(subjectId: bigint, ...texts: string[]): Promise<bigint> {
  const caseId = await world.reported(subjectId);
  await world.moderation.addEvidence(caseId, [world.lines(...texts)]);
  return caseId;
}
const looks = async (caseId: bigint) =>
  world.db
    .selectFrom("audit_log")
    .select(["actor_id", "kind"])
    .where("case_id", "=", caseId)
    .where("detail", "=", '{"search":true}')
    .execute();

test("[CASE-53] finds cases by their lines, messages and notes, whatever the spelling, and logs each one shown", async () => {
  const bo = await world.person();
  const caseId = await caseWith(bo, "hello", `${"a".repeat(80)} Send me THE Gift Card now ${"b".repeat(80)}`);
  expect(await find(mia, "gift card")).toMatchObject({
    cases: [{ id: String(caseId), person: { user_id: Number(bo) } }],
    excerpts: [expect.stringMatching(/^….*Send me THE Gift Card now.*…$/)],
    is_partial: false,
  });
  expect(await looks(caseId)).toEqual([{ actor_id: mia, kind: "look" }]);
  const message = await world.reported(await world.person());
  await world.moderation.addEvidence(message, [{ kind: "message", at: at(), text: "your voucher code", cover: null }]);
  const noted = await world.reported(await world.person());
  await world.moderation.addEvidence(noted, [{ kind: "note", at: at(), text: "he asked for a voucher", reportId: 1n }]);
  expect((await find(mia, "VOUCHER")).cases.map(({ id }) => id)).toEqual([String(noted), String(message)]);
  expect(await find(mia, "no such words")).toEqual({ cases: [], excerpts: [], is_partial: false });
});

test("matches and shows only what is left after contacts are masked", async () => {
  await caseWith(await world.person(), "my number is 5551234 call me");
  expect((await find(mia, "5551234")).cases).toEqual([]);
  expect((await find(mia, "my number is")).excerpts).toEqual(["my number is ******* call me"]);
});

test("[CASE-48] finds no restricted case, no own case, and for moderators none about a colleague", async () => {
  const restricted = await world.reported(await world.person(), { reasonId: 8 });
  await world.moderation.addEvidence(restricted, [
    { ...world.lines("a hidden restricted phrase"), isOffence: true },
    { kind: "note", at: at(), text: "a hidden restricted phrase", reportId: 2n },
  ]);
  expect((await find(mia, "hidden restricted")).cases).toEqual([]);
  expect((await find(ada, "hidden restricted")).cases).toEqual([]);
  expect(await looks(restricted)).toEqual([]);
  const colleague = await caseWith(await world.moderator(), "about a colleague");
  await caseWith(mia, "about a colleague");
  expect((await find(mia, "about a colleague")).cases).toEqual([]);
  expect((await find(ada, "about a colleague")).cases.map(({ id }) => id)).toContain(String(colleague));
});

test("finds nothing in erased evidence, and rejects a text of fewer than three letters", async () => {
  const caseId = await caseWith(await world.person(), "soon to be erased");
  expect((await find(mia, "be erased")).cases).toHaveLength(1);
  await world.db
    .updateTable("evidence")
    .set({ blob_key: null, erased_at: at() })
    .where("case_id", "=", caseId)
    .execute();
  expect((await find(mia, "be erased")).cases).toEqual([]);
  expect(await refusalOf(find(mia, " ab "))).toEqual({ code: 400, data: { field: "text" } });
});

test("shows a bounded number of cases, and says that there are more", async () => {
  for (let made = 0; made <= caseTextsFoundMax; made += 1) await caseWith(await world.person(), "the common words");
  const found = await find(mia, "common words");
  expect(found.cases).toHaveLength(caseTextsFoundMax);
  expect(found.excerpts).toHaveLength(caseTextsFoundMax);
  expect(found.is_partial).toBe(true);
});
