import { beforeEach, describe, expect, test } from "vitest";
import { minorNoticeDueMs, noticeDueMs, noticeKeptMs, noticesPerDayMax, noticesPerHourMax } from "@fava/wire/limits.ts";
import { noticeOperations } from "@fava/wire/notices.ts";
import { LocalLimits } from "#adapters/local/rate-limits.ts";
import { limitCaller, limitInput } from "#edge/http/request-limits.ts";
import { mirroredHash } from "@fava/wire/picture-hash.ts";
import { decisions } from "#people/export-decisions.ts";
import type { Entry } from "#people/export-queries.ts";
import { NoticeWorld } from "#test/fixtures/notice-world.ts";
import type { ModerationWorld } from "#test/fixtures/moderation-world.ts";
import { refusalOf } from "#test/fixtures/session-world.ts";
import { eraseOldNotices, overdueNotices } from "#moderation/notice-store.ts";
import { transparencyReport } from "#moderation/statistics.ts";

const { uphold, unfounded, ask } = noticeOperations;
const hourMs = 3_600_000;
const hash = "f0f0f0f00f0f0f0f";
/** Differs in 8 of 64 bits. */
const copyHash = "f0f0f0f00f0f0ff0";
/** Differs in 12 of 64 bits. */
const otherHash = "f0f0f0f00f0ff0ff";

let notices: NoticeWorld;
let world: ModerationWorld;
let bo: bigint;
let mia: bigint;

beforeEach(async () => {
  notices = await NoticeWorld.open();
  world = notices.cases;
  [bo, mia] = [await world.person({ nickname: "Bo" }), await world.moderator()];
});

const rowOf = ({ no }: { no: string }) =>
  world.db
    .selectFrom("notices")
    .selectAll()
    .where("id", "=", BigInt(no.slice(2)))
    .executeTakeFirstOrThrow();
const now = () => new Date(world.clock.nowMs());

describe("sending", () => {
  test("[NOTICE-1] accepts a notice without an account, and returns the same one for a repetition", async () => {
    const sent = await notices.send({ account: await notices.userNo(bo) });
    expect(sent).toEqual({ no: "N-7001", token: expect.stringMatching(/^7001\.[\w-]{43}$/) });
    expect(await notices.send({ account: await notices.userNo(bo) })).toEqual(sent);
    expect(await notices.send({ account: await notices.userNo(bo), text: "Another one." })).not.toEqual(sent);
    expect(await notices.status(sent.token)).toEqual({
      no: "N-7001",
      kind: "intimate",
      state: "received",
      at: world.clock.nowMs(),
      due_at: world.clock.nowMs() + noticeDueMs,
      is_hidden: false,
      question: "",
      decided_at: null,
      reason: "",
    });
    const [id, mac = ""] = sent.token.split(".");
    const forged = `${id}.${mac.startsWith("A") ? "B" : "A"}${mac.slice(1)}`;
    for (const token of [forged, `7002.${mac}`, "7001", ""])
      expect(await refusalOf(notices.status(token))).toEqual({ code: 400, data: { field: "token" } });
  });

  test("[NOTICE-1] stores one of two equal notices that arrive at once", async () => {
    const sent = await Promise.all([notices.send(), notices.send(), notices.send()]);
    expect(new Set(sent.map(({ no }) => no)).size).toBe(1);
    expect((await notices.list(mia)).waiting).toBe(1);
  });

  test("[NOTICE-1] requires a name and an address, except about a minor", async () => {
    expect(await refusalOf(notices.send({ signature: " " }))).toEqual({ code: 400, data: { field: "signature" } });
    expect(await refusalOf(notices.send({ email: "" }))).toEqual({ code: 400, data: { field: "email" } });
    expect(await refusalOf(notices.send({ text: " " }))).toEqual({ code: 400, data: { field: "text" } });
    const anonymous = { kind: "minor", signature: "", email: "", text: "A child in a call" } as const;
    const sent = await notices.send({ ...anonymous, ip: "203.0.113.7" });
    expect(await notices.send({ ...anonymous, ip: "203.0.113.7" })).toEqual(sent);
    // A stranger with the same words does not get the status page of the first.
    expect(await notices.send({ ...anonymous, ip: "198.51.100.4" })).not.toEqual(sent);
  });

  test("limits notices of one address to five a day, and of all to 200 an hour", async () => {
    const limits = new LocalLimits({ factor: 1 });
    const sendFrom = async (ip: string) => {
      const context = { session: null, ip, userAgent: "test", language: "en" };
      await limitCaller(limits, "noticeAdd", context);
      await limitInput(limits, "noticeAdd", { input: {}, context });
    };
    for (let sent = 0; sent < noticesPerDayMax; sent += 1) await sendFrom("203.0.113.7");
    expect(await refusalOf(sendFrom("203.0.113.7"))).toMatchObject({ code: 429 });
    for (let sent = noticesPerDayMax; sent < noticesPerHourMax; sent += 1) await sendFrom(`198.51.100.${sent}`);
    expect(await refusalOf(sendFrom("192.0.2.1"))).toMatchObject({ code: 429 });
  });

  test("[PRIV-8] seals what the sender wrote, and erases it 180 days after the decision", async () => {
    const sent = await notices.send({ hash });
    const stored = await rowOf(sent);
    expect(stored.sealed?.includes(Buffer.from("ana@example.com"))).toBe(false);
    expect(JSON.stringify({ ...stored, id: "", subject_id: "" })).not.toContain("Example");
    world.clock.advance(noticeKeptMs * 2);
    await eraseOldNotices(world.db, now());
    expect(await notices.info(mia, sent)).toMatchObject({
      written: { signature: "Ana Example", email: "ana@example.com" },
    });
    await notices.operate(mia, sent, { operation: unfounded });
    world.clock.advance(noticeKeptMs - 1);
    await eraseOldNotices(world.db, now());
    expect(await rowOf(sent)).toMatchObject({ reason: "We looked at it." });
    world.clock.advance(1);
    await eraseOldNotices(world.db, now());
    expect(await rowOf(sent)).toMatchObject({
      sealed: null,
      same_as: null,
      phash: null,
      reason: "",
      state: "unfounded",
    });
    expect(await notices.info(mia, sent)).toMatchObject({ written: null });
    expect(await notices.status(sent.token)).toMatchObject({ state: "unfounded", reason: "" });
  });
});

describe("the clock", () => {
  test("[NOTICE-3] keeps its deadline over a clock change and a restart", async () => {
    // The night of 28 to 29 March 2026 has 23 hours in Central Europe.
    world.clock.advance(Date.UTC(2026, 2, 28, 12) - world.clock.nowMs());
    const [urgent, minor] = [await notices.send(), await notices.send({ kind: "minor" })];
    const sentAt = world.clock.nowMs();
    const overdue = () => overdueNotices(world.db, now());
    expect(await overdue()).toBe(1);
    world.clock.advance(minorNoticeDueMs);
    const admin = await world.administrator();
    const { rows } = await notices.list(admin);
    expect(rows.map(({ no, due_at }) => [no, due_at - sentAt])).toEqual([
      [minor.no, minorNoticeDueMs],
      [urgent.no, noticeDueMs],
    ]);
    await notices.operate(admin, minor, { operation: unfounded });
    expect(await overdue()).toBe(0);
    world.clock.advance(40 * hourMs - minorNoticeDueMs - 1);
    expect(await overdue()).toBe(0);
    world.clock.advance(1);
    expect(await overdue()).toBe(1);
    const restarted = notices.anotherServer();
    const status = await restarted.noticeStatus(
      { session: null, ip: "", userAgent: "", language: "en" },
      { token: urgent.token },
    );
    expect(status.due_at).toBe(sentAt + noticeDueMs);
    expect(new Date(status.due_at).toISOString()).toBe("2026-03-30T12:00:00.000Z");
  });

  test("[NOTICE-3] lists a notice with less than 24 hours left first, and one that waits for its sender last", async () => {
    const rights = await notices.send({ kind: "rights" });
    const asked = await notices.send({ text: "Asked" });
    await notices.operate(mia, asked, { operation: ask, text: "Which picture?" });
    world.clock.advance(24 * hourMs - 1);
    const intimate = await notices.send({ text: "Newer" });
    const listed = async () => (await notices.list(mia)).rows.map(({ no }) => no);
    expect(await listed()).toEqual([intimate.no, rights.no, asked.no]);
    world.clock.advance(1);
    expect(await listed()).toEqual([rights.no, intimate.no, asked.no]);
  });
});

describe("a named picture", () => {
  test("[NOTICE-2] is hidden at once, and shown again if the notice is unfounded", async () => {
    const picture = await notices.picture(bo);
    const sent = await notices.send({ picture: picture.address });
    expect(await notices.isShown(picture)).toBe(false);
    expect(await notices.images.photosOf(bo)).toEqual([]);
    expect((await notices.images.mine(bo)).photos).toMatchObject([
      { status: "pending", url: expect.stringContaining("sign=") },
    ]);
    expect(await notices.status(sent.token)).toMatchObject({ is_hidden: true });
    expect(await notices.list(mia)).toMatchObject({ rows: [{ person: { nickname: "Bo" } }] });
    await notices.operate(mia, sent, { operation: unfounded, text: "It shows a cat." });
    expect(await notices.isShown(picture)).toBe(true);
    expect(await notices.status(sent.token)).toMatchObject({
      state: "unfounded",
      reason: "It shows a cat.",
      is_hidden: false,
    });
    expect(await world.caseOf(bo)).toBeUndefined();
    // A second notice about a picture that a moderator has looked at does not hide it.
    await notices.send({ picture: picture.address, text: "Again" });
    expect(await notices.isShown(picture)).toBe(true);
  });

  test("[NOTICE-2] stays hidden while another open notice names it", async () => {
    const picture = await notices.picture(bo);
    const [first, second] = [
      await notices.send({ picture: picture.address }),
      await notices.send({ picture: `${picture.address}?x`, text: "Mine too" }),
    ];
    await notices.operate(mia, first, { operation: unfounded });
    expect(await notices.isShown(picture)).toBe(false);
    await notices.operate(mia, second, { operation: unfounded });
    expect(await notices.isShown(picture)).toBe(true);
  });

  test("[NOTICE-2] is not kept hidden by notices that came after the first decision", async () => {
    const picture = await notices.picture(bo);
    const [first, second] = [
      await notices.send({ picture: picture.address }),
      await notices.send({ picture: picture.address, text: "Mine too" }),
    ];
    world.clock.advance(1);
    await notices.operate(mia, first, { operation: unfounded });
    expect(await notices.isShown(picture)).toBe(false);
    world.clock.advance(1);
    await notices.send({ picture: picture.address, text: "And mine" });
    await notices.operate(mia, second, { operation: unfounded });
    expect(await notices.isShown(picture)).toBe(true);
  });

  test("[NOTICE-2] is not hidden again if an upheld notice left it", async () => {
    const [removed, left] = [
      await notices.picture(bo, { bytes: "same" }),
      await notices.picture(await world.person(), { bytes: "same" }),
    ];
    const sent = await notices.send({ picture: left.address });
    await notices.operate(mia, sent, { operation: uphold, pictures: [removed.publicId] });
    expect(await notices.isShown(left)).toBe(true);
    await notices.send({ picture: left.address, text: "Again" });
    expect(await notices.isShown(left)).toBe(true);
  });

  test("[NOTICE-4] is removed when upheld: it cannot come back, its owner gets a case, and both get the reasons", async () => {
    const [picture, copy, left] = [
      await notices.picture(bo, { phash: hash, kind: "avatar" }),
      await notices.picture(await world.person(), { phash: copyHash }),
      await notices.picture(await world.person(), { phash: otherHash }),
    ];
    const sent = await notices.send({ picture: picture.address });
    const { pictures } = await notices.info(mia, sent);
    expect(pictures).toMatchObject([
      { id: picture.publicId, is_named: true, is_hidden: true, distance: null },
      { id: copy.publicId, is_named: false, is_hidden: false, distance: 8 },
    ]);
    await notices.operate(mia, sent, { operation: uphold, pictures: [picture.publicId], text: "We removed it." });
    expect(await notices.status(sent.token)).toMatchObject({
      state: "upheld",
      reason: "We removed it.",
      is_hidden: false,
    });
    expect([await notices.isShown(picture), await notices.isShown(copy), await notices.isShown(left)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(await world.db.selectFrom("removed_pictures").select("phash").execute()).toEqual([{ phash: hash }]);
    expect(await world.caseRow((await world.caseOf(bo)) ?? 0n)).toMatchObject({
      rule: "notice",
      reason_id: 4,
      queue: "reports",
    });
    expect(await world.db.selectFrom("users").select("avatar_key").where("id", "=", bo).executeTakeFirst()).toEqual({
      avatar_key: "",
    });
    expect(await world.db.selectFrom("outbox").select(["user_id", "kind", "about"]).execute()).toEqual([
      { user_id: bo, kind: "notice", about: 7001n },
    ]);
    expect(await refusalOf(notices.operate(mia, sent, { operation: unfounded }))).toEqual({
      code: 406,
      data: { reason: "already_decided" },
    });
  });

  test("is hidden for every user who has the same picture, also an imported avatar", async () => {
    const one = await notices.picture(bo, { bytes: "same" });
    const other = await world.person();
    const key = one.address.slice(one.address.lastIndexOf("/") + 1);
    await world.db.updateTable("users").set({ avatar_key: key }).where("id", "=", other).execute();
    const sent = await notices.send({ picture: `/media/avatars/${key}` });
    expect(await notices.isShown(one)).toBe(false);
    const { pictures } = await notices.info(mia, sent);
    expect(new Set(pictures.map(({ person }) => person.user_id))).toEqual(new Set([Number(bo), Number(other)]));
    await notices.operate(mia, sent, { operation: uphold, pictures: pictures.map(({ id }) => id) });
    expect(await world.db.selectFrom("users").select("avatar_key").where("id", "=", other).executeTakeFirst()).toEqual({
      avatar_key: "",
    });
  });
});

describe("a hash", () => {
  test("[NOTICE-2] alone hides and removes nothing: it only shows likely copies, also mirrored ones", async () => {
    const stranger = await world.person();
    const pictures = [
      await notices.picture(stranger, { phash: hash }),
      await notices.picture(bo, { phash: mirroredHash(copyHash) }),
      await notices.picture(bo, { phash: otherHash }),
    ];
    const sent = await notices.send({ hash });
    const shown = await Promise.all(pictures.map((picture) => notices.isShown(picture)));
    expect(shown).toEqual([true, true, true]);
    expect((await notices.info(mia, sent)).pictures).toMatchObject([
      { id: pictures[0]?.publicId, distance: 0, is_named: false },
      { id: pictures[1]?.publicId, distance: 8, is_named: false },
    ]);
    await notices.operate(mia, sent, { operation: uphold });
    expect(await Promise.all(pictures.map((picture) => notices.isShown(picture)))).toEqual([true, true, true]);
    expect(await world.db.selectFrom("removed_pictures").selectAll().execute()).toEqual([]);
    expect([await world.caseOf(stranger), await world.caseOf(bo)]).toEqual([undefined, undefined]);
  });

  test("[NOTICE-2] of a stranger's picture does not remove it together with the named one", async () => {
    const stranger = await world.person();
    const [named, poisoned] = [
      await notices.picture(bo, { phash: otherHash }),
      await notices.picture(stranger, { phash: "00ff00ff00ff00ff" }),
    ];
    const sent = await notices.send({ picture: named.address, hash: "00ff00ff00ff00ff" });
    await notices.operate(mia, sent, { operation: uphold, pictures: [named.publicId] });
    expect(await notices.isShown(poisoned)).toBe(true);
    // The hash of the removed picture is kept, never the one that was sent.
    expect(await world.db.selectFrom("removed_pictures").select("phash").execute()).toEqual([{ phash: otherHash }]);
    const foreign = await notices.send({ text: "Once more" });
    expect(
      await refusalOf(notices.operate(mia, foreign, { operation: uphold, pictures: [poisoned.publicId] })),
    ).toEqual({ code: 400, data: { field: "pictures" } });
    const empty = await notices.send({ hash: "0000000000000000" });
    expect((await notices.info(mia, empty)).pictures).toEqual([]);
  });
});

describe("deciding", () => {
  test("asks the sender, whose answer returns the notice to the moderators", async () => {
    const sent = await notices.send();
    expect(await refusalOf(notices.answer(sent.token, "The red one."))).toMatchObject({ code: 406 });
    await notices.operate(mia, sent, { operation: ask, text: "Which picture?" });
    expect(await notices.status(sent.token)).toMatchObject({ state: "asked", question: "Which picture?" });
    expect(await notices.answer(sent.token, "The red one.")).toMatchObject({ state: "received", question: "" });
    expect(await refusalOf(notices.answer(sent.token, "Or blue."))).toMatchObject({ code: 406 });
    expect(await notices.info(mia, sent)).toMatchObject({
      state: "received",
      written: { answers: [{ question: "Which picture?", text: "The red one." }] },
    });
  });

  test("[NOTICE-3] shows a notice about a minor to administrators only, and logs each access", async () => {
    const sent = await notices.send({ kind: "minor", account: await notices.userNo(bo) });
    const admin = await world.administrator();
    expect((await notices.list(mia)).rows).toEqual([]);
    const denied = { code: 403, data: { reason: "role" } };
    expect(await refusalOf(notices.info(mia, sent))).toEqual(denied);
    expect(await refusalOf(notices.operate(mia, sent, { operation: uphold }))).toEqual(denied);
    await notices.list(admin);
    await notices.info(admin, sent);
    await notices.operate(admin, sent, { operation: uphold });
    const caseId = await world.caseOf(bo);
    expect(await world.caseRow(caseId ?? 0n)).toMatchObject({ queue: "restricted", rule: "notice" });
    const log = await world.db.selectFrom("restricted_access").select(["actor_id", "act"]).orderBy("id").execute();
    expect(log).toEqual(["list", "read", "decide"].map((act) => ({ actor_id: admin, act })));
  });

  test("lists a moderator's notices beside any number about minors", async () => {
    const minor = { kind: "minor" as const, sealed: Buffer.from("x"), at: now(), due_at: now() };
    const many = Array.from({ length: 200 }, (_none, index) => ({ ...minor, same_as: `minor ${index}` }));
    await world.db.insertInto("notices").values(many).execute();
    const { no } = await notices.send();
    expect(await notices.list(mia)).toMatchObject({ rows: [{ no }], waiting: 1 });
  });

  test("refuses moderators about themselves and about colleagues, also for a likely copy", async () => {
    const colleague = await world.moderator();
    const own = await notices.send({ account: await notices.userNo(mia) });
    expect(await refusalOf(notices.info(mia, own))).toEqual({ code: 403, data: { reason: "own_case" } });
    expect(await refusalOf(notices.info(colleague, own))).toEqual({ code: 403, data: { reason: "colleague" } });
    expect((await notices.list(mia)).rows).toEqual([]);
    const copy = await notices.picture(colleague, { phash: hash });
    const sent = await notices.send({ hash });
    expect(await refusalOf(notices.operate(mia, sent, { operation: uphold, pictures: [copy.publicId] }))).toEqual({
      code: 403,
      data: { reason: "colleague" },
    });
  });

  test("[NOTICE-4] decides once, and only with the claim", async () => {
    const sent = await notices.send();
    const cem = await world.moderator();
    const context = await world.contextOf(cem);
    const input = { user_id: Number(cem), id: sent.no.slice(2), operation: unfounded, text: "No." } as const;
    expect(await refusalOf(notices.notices.adminNoticeOperate(context, { ...input, pictures: "" }))).toEqual({
      code: 403,
      data: { reason: "not_claimed" },
    });
    await world.claim(mia, `notice:${input.id}`);
    expect(await refusalOf(notices.notices.adminNoticeOperate(context, { ...input, pictures: "" }))).toMatchObject({
      code: 403,
      data: { reason: "claimed" },
    });
    expect(await notices.info(cem, sent)).toMatchObject({ closed_because: "claimed" });
  });
});

test("[NOTICE-5] tells the accused in an export that there was a notice, and nothing about its sender", async () => {
  const account = await notices.userNo(bo);
  const [intimate, minor] = [await notices.send({ account }), await notices.send({ account, kind: "minor" })];
  await notices.send({ account, text: "Still open" });
  await notices.operate(mia, intimate, { operation: uphold, text: "Ana Example is right." });
  await notices.operate(await world.administrator(), minor, { operation: unfounded });
  const exported: Entry[] = [];
  for await (const row of decisions(world.db, bo)) exported.push(row);
  expect(exported.filter(({ decision }) => decision === "notice")).toEqual([
    { decision: "notice", id: 7001n, kind: "intimate", state: "upheld", at: now(), decided_at: now() },
  ]);
  expect(JSON.stringify(exported, (_key, value: unknown) => String(value))).not.toContain("Example");
});

test("counts notices by kind, with the median hours to their decision", async () => {
  const [one, other] = [await notices.send(), await notices.send({ text: "Another" })];
  await notices.send({ kind: "rights" });
  world.clock.advance(2 * hourMs);
  await notices.operate(mia, one, { operation: uphold });
  world.clock.advance(2 * hourMs);
  await notices.operate(mia, other, { operation: unfounded });
  const { notices: counts } = await transparencyReport(world.db, world.clock.nowMs());
  expect(counts).toEqual([
    { kind: "minor", received: 0, upheld: 0, hours: null },
    { kind: "intimate", received: 2, upheld: 1, hours: 3 },
    { kind: "illegal", received: 0, upheld: 0, hours: null },
    { kind: "rights", received: 1, upheld: 0, hours: null },
  ]);
});
