import { beforeAll, beforeEach, expect, test } from "vitest";
import { codes } from "@fava/wire/codes.ts";
import { auditAnswersKeptMs, sampledFrameKeptMs } from "@fava/wire/limits.ts";
import { reasons } from "@fava/wire/reasons.ts";
import { openEdge } from "#test/fixtures/edge.ts";
import { ModerationWorld } from "#test/fixtures/moderation-world.ts";
import { refusalOf } from "#test/fixtures/session-world.ts";
import { evidenceRoute } from "./evidence-access.ts";
import { auditFigures } from "./frame-audit.ts";
import { dayMs, SampledFrames } from "./sampled-frames.ts";
import { transparencyReport } from "./statistics.ts";
import { runModerationUpkeep } from "./upkeep.ts";
import { ServerSecret } from "#lib/server-secret.ts";

let world: ModerationWorld;
let get: (address: string) => Promise<{ statusCode: number; rawPayload: Buffer }>;
let bo: bigint;
let mia: bigint;
/** After this time a day is over and every server has stored its frames. */
const dayClosedMs = dayMs + 300_000;
const bytes = Buffer.from("the bytes of a frame");

beforeAll(async () => {
  world = await ModerationWorld.open();
  const plugins = async (app: Parameters<typeof evidenceRoute>[0]) => evidenceRoute(app, world.cases.evidenceAccess);
  const edge = await openEdge({}, { clock: world.clock, plugins });
  get = (address) => edge.app.inject(address);
});
beforeEach(async () => {
  await world.db.deleteFrom("sampled_frames").execute();
  world.blobs.clear();
  [bo, mia] = [await world.person(), await world.moderator()];
});

const today = () => Math.floor(world.clock.nowMs() / dayMs);
const rowsOf = () => world.db.selectFrom("sampled_frames").selectAll().orderBy("draw").execute();
const drawnOf = async (draw: number, subjectId = bo) => {
  const callId = await world.call(subjectId, await world.person());
  return { subjectId, callId, frame: world.frame({ bytes }), draw };
};
const upkeep = () => runModerationUpkeep({ ...world.parts, ...world.upkept });

/** A frame of the user that was drawn on a day that is over. */
async function sampled(subjectId = bo): Promise<string> {
  await world.cases.sampled.keep(today(), 10, [await drawnOf(1, subjectId)]);
  world.clock.advance(dayClosedMs);
  const [row] = await rowsOf();
  return row?.public_id ?? "";
}
const audit = () => world.cases.audit;
const shown = async (by: bigint) => (await audit().list(await world.viewer(by))).rows.map(({ id }) => id);
const look = async (by: bigint, id: string) => audit().look(await world.viewer(by), id);
const answer = async (by: bigint, id: string, said: "fine" | "nudity" | "minor" | "other") =>
  audit().answer(await world.viewer(by), id, said);

test("[SAFE-600] keeps the lowest draws of a day and erases the others", async () => {
  const { sampled: store } = world.cases;
  const drawn = await Promise.all([50, 20, 40].map((draw) => drawnOf(draw)));
  expect(await store.keep(today(), 3, drawn.slice(0, 2))).toBe(Infinity);
  expect(await store.keep(today(), 2, drawn.slice(2))).toBe(40);
  expect(await store.keep(today(), 2, [await drawnOf(45)])).toBe(40);
  expect((await rowsOf()).map(({ draw }) => draw)).toEqual([20, 40]);
  expect(world.blobs.size).toBe(2);
  const servers = [30, 10, 35, 25].map(async (draw) => store.keep(today(), 2, [await drawnOf(draw)]));
  await Promise.all(servers);
  expect((await rowsOf()).map(({ draw }) => draw)).toEqual([10, 20]);
  expect(world.blobs.size).toBe(2);
});

test("[SAFE-601] stores frames encrypted, and the user only under encryption", async () => {
  const id = await sampled();
  const [row] = await rowsOf();
  expect(world.blobs.get(row?.blob_key ?? "")?.includes(bytes)).toBe(false);
  expect(row?.source?.includes(Buffer.from(String(bo)))).toBe(false);
  expect(Object.values(row ?? {})).not.toContain(bo);
  expect(await world.cases.sampled.bytesOf(id)).toEqual(bytes);
});

test("[SAFE-602] erases a frame seven days after its capture, and answers after 52 weeks", async () => {
  const looked = await sampled();
  await look(mia, looked);
  await answer(mia, looked, "fine");
  await sampled();
  world.clock.advance(sampledFrameKeptMs - dayClosedMs - 1);
  await upkeep();
  expect(await rowsOf()).toHaveLength(2);
  world.clock.advance(1);
  await upkeep();
  expect(await rowsOf()).toMatchObject([{ answer: "fine", blob_key: null, source: null }]);
  expect(world.blobs.size).toBe(0);
  world.clock.advance(auditAnswersKeptMs);
  await upkeep();
  expect(await rowsOf()).toEqual([]);
});

test("[SAFE-602] hides the frames of a deleted account at once, and erases them", async () => {
  const id = await sampled();
  await world.db
    .updateTable("users")
    .set({ deleted_at: new Date(world.clock.nowMs()) })
    .where("id", "=", bo)
    .execute();
  expect(await shown(mia)).toEqual([]);
  expect(await refusalOf(look(mia, id))).toMatchObject({ code: 400 });
  await upkeep();
  expect([await rowsOf(), world.blobs.size]).toEqual([[], 0]);
});

test("[SAFE-602] erases a frame whose user no secret of the server reveals, and shows the others", async () => {
  const id = await sampled();
  const day = today() - 1;
  const store = new SampledFrames({
    ...world.parts,
    serverSecret: new ServerSecret("the secret of another installation"),
  });
  await store.keep(day, 10, [await drawnOf(2)]);
  expect(await shown(mia)).toEqual([id]);
  await upkeep();
  expect((await rowsOf()).map(({ public_id }) => public_id)).toEqual([id]);
  expect(world.blobs.size).toBe(1);
});

test("[SAFE-602] keeps no bytes of a frame that another server replaced before they were stored", async () => {
  const { blobs } = world.parts;
  const put: typeof blobs.put = async (...piece) => {
    await world.cases.sampled.keep(today(), 1, [await drawnOf(1)]);
    return blobs.put(...piece);
  };
  const slow = new SampledFrames({ ...world.parts, blobs: { ...blobs, put } });
  await slow.keep(today(), 1, [await drawnOf(2)]);
  const [row, ...others] = await rowsOf();
  expect([others, [...world.blobs.keys()]]).toEqual([[], [row?.blob_key]]);
});

test("shows frames of past days, and none of the moderator's own", async () => {
  await world.cases.sampled.keep(today(), 10, [await drawnOf(2), await drawnOf(1, mia)]);
  expect(await shown(mia)).toEqual([]);
  world.clock.advance(dayClosedMs);
  const [own, other] = (await rowsOf()).map(({ public_id }) => public_id);
  expect(await shown(mia)).toEqual([other]);
  expect(await shown(await world.moderator())).toEqual([own, other]);
  expect(await refusalOf(look(mia, own ?? ""))).toMatchObject({ code: 400 });
});

test("[SAFE-603] lets one moderator look at a frame, logs the look without the user, and opens it for a minute", async () => {
  const id = await sampled();
  expect(await refusalOf(answer(mia, id, "fine"))).toEqual({ code: codes.forbidden, data: { reason: "not_claimed" } });
  const address = await look(mia, id);
  expect(await get(address)).toMatchObject({ statusCode: 200, rawPayload: bytes });
  const other = await world.moderator();
  expect(await refusalOf(look(other, id))).toMatchObject({ data: { reason: "claimed" } });
  expect((await audit().list(await world.viewer(other))).rows).toMatchObject([{ id, claim: { mine: false } }]);
  const logged = await world.db
    .selectFrom("audit_log")
    .select(["kind", "subject_id", "case_id", "detail"])
    .where("actor_id", "=", mia)
    .execute();
  expect(logged).toEqual([{ kind: "look", subject_id: null, case_id: null, detail: JSON.stringify({ sample: id }) }]);
  world.clock.advance(60_000);
  expect((await get(address)).statusCode).toBe(404);
});

test("[SAFE-604] erases a frame after the answer, without a link to its user", async () => {
  const id = await sampled();
  await look(mia, id);
  await answer(mia, id, "other");
  expect(await rowsOf()).toMatchObject([{ answer: "other", blob_key: null, source: null }]);
  expect([world.blobs.size, await world.auditOf(bo), await world.caseOf(bo)]).toEqual([0, [], undefined]);
  expect(await shown(mia)).toEqual([]);
  expect(await refusalOf(answer(mia, id, "fine"))).toMatchObject({ code: 400 });
});

test("[SAFE-604] opens a case with the frame for nudity", async () => {
  const id = await sampled();
  await look(mia, id);
  await answer(mia, id, "nudity");
  const caseId = (await world.caseOf(bo)) ?? 0n;
  const row = await world.caseRow(caseId);
  expect(row).toMatchObject({ queue: "reports", rule: "random_frame", reason_id: reasons.pornography.id });
  const [piece] = await world.moderation.evidence.of(caseId);
  expect(piece && (await world.moderation.evidence.bytesOf(piece))).toEqual(bytes);
  expect(await world.auditOf(bo)).toEqual(["flag", "audit"]);
});

test("[SAFE-604] opens a restricted case without the frame for a suspected minor", async () => {
  const id = await sampled();
  await look(mia, id);
  await answer(mia, id, "minor");
  const caseId = (await world.caseOf(bo)) ?? 0n;
  expect(await world.caseRow(caseId)).toMatchObject({ queue: "restricted", reason_id: reasons.minor.id });
  expect(await world.moderation.evidence.of(caseId)).toMatchObject([{ kind: "frame", blob_key: null }]);
  expect(world.blobs.size).toBe(0);
});

test("[SAFE-605] publishes the bound of 52 weeks from 20 looks on", async () => {
  const looked_at = new Date(world.clock.nowMs() - dayMs);
  const old = new Date(looked_at.getTime() - auditAnswersKeptMs);
  const rows = (count: number, said: "fine" | "nudity", at = looked_at) =>
    Array.from({ length: count }, (_, index) => {
      const public_id = `${said}-${at.getTime()}-${index}`;
      return { public_id, day: 1, draw: index, at, looked_at: at, answer: said };
    });
  await world.db
    .insertInto("sampled_frames")
    .values([...rows(17, "fine"), ...rows(2, "nudity"), ...rows(9, "nudity", old)])
    .execute();
  expect(await auditFigures(world.db, world.clock.nowMs())).toEqual({ looked: 19, explicit: 2, share_max: null });
  await world.db
    .insertInto("sampled_frames")
    .values({ ...rows(1, "nudity")[0]!, public_id: "third" })
    .execute();
  const { audit: figures } = await transparencyReport(world.db, world.clock.nowMs());
  expect(figures).toEqual({ looked: 20, explicit: 3, share_max: expect.closeTo(0.343_663_8, 6) });
});

test("[SAFE-606] publishes how much software finds at most, by two families of models", async () => {
  const confirmed = async (explicit: number, openNsfw: number, count: number) => {
    for (let index = 0; index < count; index += 1) {
      const evidence = [world.frame({ facts: { explicit, openNsfw } })];
      const caseId = await world.moderation.open(await world.flag(await world.person(), { evidence }));
      const decided_at = new Date(world.clock.nowMs());
      await world.db
        .updateTable("cases")
        .set({ state: "decided", operation: 4, decided_at })
        .where("id", "=", caseId)
        .execute();
    }
  };
  await confirmed(0.9, 0.9, 9);
  await confirmed(0.9, 0.1, 10);
  const reported = async () => (await transparencyReport(world.db, world.clock.nowMs())).recall;
  expect(await reported()).toEqual({ share: null, of: 19 });
  await confirmed(0.1, 0.9, 10);
  // 19 and 19 found, 9 by both: 39 in all.
  expect(await reported()).toEqual({ share: expect.closeTo(19 / 39, 6), of: 29 });
});
