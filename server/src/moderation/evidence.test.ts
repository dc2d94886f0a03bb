import { Buffer } from "node:buffer";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { codes } from "@fava/wire/codes.ts";
import { openEdge } from "#test/fixtures/edge.ts";
import { ModerationWorld } from "#test/fixtures/moderation-world.ts";
import { refusalOf } from "#test/fixtures/session-world.ts";
import { evidenceRoute } from "./evidence-access.ts";

let world: ModerationWorld;
let get: (address: string) => Promise<{ statusCode: number; headers: object; rawPayload: Buffer }>;
let bo: bigint;
let mia: bigint;

beforeAll(async () => {
  world = await ModerationWorld.open();
  const edge = await openEdge(
    {},
    { clock: world.clock, plugins: async (app) => evidenceRoute(app, world.cases.evidenceAccess) },
  );
  get = (address) => edge.app.inject(address);
});
beforeEach(async () => {
  [bo, mia] = [await world.person(), await world.moderator()];
});

const look = async (by: bigint, id: string) =>
  (await world.cases.handlers.adminLook(await world.contextOf(by), { user_id: Number(by), id })).url;
async function flagged(subjectId = bo) {
  const bytes = Buffer.from("the bytes of a picture");
  const caseId = await world.moderation.open(await world.flag(subjectId, { evidence: [world.frame({ bytes })] }));
  const [piece] = await world.moderation.evidence.of(caseId);
  if (!piece) throw new Error("no evidence");
  return { bytes, caseId, piece, stored: world.blobs.get(piece.blob_key ?? "") ?? Buffer.alloc(0) };
}

test("[CASE-51] encrypts each piece of evidence with its own key", async () => {
  const { bytes, piece, stored } = await flagged();
  expect(stored.includes(bytes)).toBe(false);
  const { evidence } = world.moderation;
  expect(await evidence.bytesOf(piece)).toEqual(bytes);
  const other = await flagged(await world.person());
  expect(other.stored.equals(stored)).toBe(false);
  expect(await evidence.bytesOf({ ...piece, public_id: other.piece.public_id })).toBeNull();
  const broken = Buffer.from(stored);
  broken[broken.length - 1] = (broken.at(-1) ?? 0) ^ 1;
  world.blobs.set(piece.blob_key ?? "", broken);
  expect(await evidence.bytesOf(piece)).toBeNull();
});

test("[CASE-52] serves evidence under a URL for one minute, uncached", async () => {
  const { bytes, piece } = await flagged();
  const address = await look(mia, piece.public_id);
  const answer = await get(address);
  expect(answer.statusCode).toBe(200);
  expect(answer.rawPayload).toEqual(bytes);
  expect(answer.headers).toMatchObject({
    "content-type": "image/jpeg",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
  });
  world.clock.advance(60_000);
  expect((await get(address)).statusCode).toBe(404);
});

test("[CASE-52] rejects a forged or changed URL, and a former moderator", async () => {
  const { piece } = await flagged();
  const { piece: other } = await flagged(await world.person());
  const address = await look(mia, piece.public_id);
  for (const forged of [
    address.split("?")[0] ?? "",
    address.replace(piece.public_id, other.public_id),
    address.replace(`by=${mia}`, `by=${mia + 1n}`),
    address.replace(/until=\d/, "until=9"),
    `${address.slice(0, -1)}${address.endsWith("0") ? "1" : "0"}`,
    address.replace("sign=", "sign=x"),
    "/admin/evidence/..%2F..%2Fetc?by=1&until=1&sign=1",
  ]) {
    expect((await get(forged)).statusCode).toBe(404);
  }
  await world.db.updateTable("users").set({ role: 0 }).where("id", "=", mia).execute();
  expect((await get(address)).statusCode).toBe(404);
});

test("[CASE-53] logs who viewed which evidence", async () => {
  const { piece, caseId } = await flagged();
  await look(mia, piece.public_id);
  await look(mia, piece.public_id);
  const looks = await world.db
    .selectFrom("audit_log")
    .select(["actor_id", "subject_id", "case_id", "detail"])
    .where("kind", "=", "look")
    .where("case_id", "=", caseId)
    .execute();
  const detail = JSON.stringify({ evidence: piece.public_id });
  expect(looks).toEqual(Array(2).fill({ actor_id: mia, subject_id: bo, case_id: caseId, detail }));
});

test("[CASE-53] rejects views of evidence of a hidden case, and of lines as a picture", async () => {
  const { piece } = await flagged();
  const nothing = { code: 400, data: { field: "id" } };
  expect(await refusalOf(look(mia, "nothing-like-it"))).toEqual(nothing);
  const caseId = await world.moderation.open(await world.flag(mia, { evidence: [world.frame(), world.lines("hi")] }));
  const own = await world.moderation.evidence.of(caseId);
  const picture = own.find(({ kind }) => kind === "frame")?.public_id ?? "";
  expect(await refusalOf(look(mia, picture))).toEqual({ code: codes.forbidden, data: { reason: "own_case" } });
  expect(await refusalOf(look(await world.moderator(), picture))).toMatchObject({ data: { reason: "colleague" } });
  const rhea = await world.administrator();
  expect(await refusalOf(look(rhea, own.find(({ kind }) => kind === "lines")?.public_id ?? ""))).toEqual(nothing);
  expect(await look(rhea, piece.public_id)).toContain("/admin/evidence/");
});

test("stores a moment once, and at most sixty pieces of a case", async () => {
  const { caseId, piece } = await flagged();
  await world.moderation.addEvidence(caseId, [
    world.frame({ at: piece.at }),
    world.frame({ at: piece.at, view: "received" }),
  ]);
  expect(await world.moderation.evidence.of(caseId)).toHaveLength(2);
  const many = Array.from({ length: 80 }, (_, index) => world.frame({ at: new Date(index) }));
  await world.moderation.addEvidence(caseId, many);
  const kept = await world.moderation.evidence.of(caseId);
  expect(kept).toHaveLength(60);
  for (const { blob_key } of kept) expect(world.blobs.has(blob_key ?? "")).toBe(true);
});
