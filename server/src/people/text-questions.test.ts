import { beforeAll, beforeEach, expect, test } from "vitest";
import { codes } from "@fava/wire/codes.ts";
import { evidenceKeptMs, reviewPromisedMs, socketResumeMs, textReviewPromisedMs } from "@fava/wire/limits.ts";
import { type AskOutcome, pushCodes } from "@fava/wire/pushes.ts";
import { ModerationWorld } from "#test/fixtures/moderation-world.ts";
import { requireTexts } from "./profile-edits.ts";
import { lockedUser } from "./profile-store.ts";
import { deleteExpiredData } from "./retention.ts";
import { answerTo, insertTextQuestion } from "./text-question-store.ts";

let world: ModerationWorld;
let bo: bigint;
let mia: bigint;

beforeAll(async () => {
  world = await ModerationWorld.open();
});
beforeEach(async () => {
  await world.db.deleteFrom("text_questions").execute();
  [bo, mia] = [await world.person(), await world.moderator()];
});

const refusedText = "ana@example.com is mine";
const ask = (text = refusedText, place: "nickname" | "about" | "location" = "about", userId = bo) =>
  world.questions.askAboutText(userId, place, text);
const waiting = async (moderatorId = mia) =>
  (await world.questions.list(await world.viewer(moderatorId), undefined)).rows;
const user = (id = bo) => lockedUser(world.db, id);
const failing = (code: number, reason?: string) => ({ code, ...(reason !== undefined && { data: { reason } }) });

async function answer(operation: 1 | 2, id?: string): Promise<void> {
  const of = id ?? (await waiting()).at(-1)?.id ?? "";
  await world.claim(mia, `text:${of}`);
  await world.questions.operate(await world.viewer(mia), of, operation);
  await world.told();
}

const notice = (outcome: AskOutcome) =>
  expect.objectContaining({ code: pushCodes.reportNotice, outcome, reason_id: 0 }) as unknown;

test("queues a refused text with its findings, and keeps the stored text", async () => {
  const due = await ask();
  expect(due.getTime()).toBe(world.clock.nowMs() + textReviewPromisedMs);
  expect(await waiting()).toMatchObject([
    {
      person: { user_id: Number(bo) },
      place: "about",
      source: "person",
      text: refusedText,
      spans: [{ start: 0, end: 15, finding: "email", rule: expect.any(String) as string }],
      current: "",
      mute: null,
      due_at: due.getTime(),
      claim: null,
    },
  ]);
  expect((await user()).about).toBe("");
});

test("ignores a repeated question, and replaces the question by one about another text", async () => {
  const due = await ask();
  world.clock.advance(1_000);
  expect(await ask()).toEqual(due);
  await ask("ana@example.com, please");
  expect((await waiting()).map(({ text }) => text)).toEqual(["ana@example.com, please"]);
  await ask("ana@example.com", "location");
  expect((await waiting()).map(({ place }) => place)).toEqual(["about", "location"]);
});

test("keeps the question about a provider's name when its user asks about another name", async () => {
  const { nickname } = await user();
  const at = new Date(world.clock.nowMs());
  const name = { userId: bo, place: "nickname", text: nickname, before: nickname } as const;
  await insertTextQuestion(world.db, { ...name, source: "provider", findings: [], at });
  for (const text of ["ana@example.com", "bo@example.com"]) await ask(text, "nickname");
  expect((await waiting()).map(({ source, text }) => [source, text])).toEqual([
    ["provider", nickname],
    ["person", "bo@example.com"],
  ]);
});

test("rejects a question about a stored, allowed or invisible text or a reserved name", async () => {
  await expect(ask("I like tea")).rejects.toMatchObject(failing(codes.badInput));
  await expect(ask("\u3164")).rejects.toMatchObject(failing(codes.refused, "invisible_text"));
  await expect(ask("Fava Support", "nickname")).rejects.toMatchObject(failing(codes.refused, "name_reserved"));
  await world.db.updateTable("users").set({ about: refusedText }).where("id", "=", bo).execute();
  await expect(ask()).rejects.toMatchObject(failing(codes.badInput));
  const changed = new Date(world.clock.nowMs());
  await world.db.updateTable("users").set({ nickname_changed_at: changed }).where("id", "=", bo).execute();
  await expect(ask("ana@example.com", "nickname")).rejects.toMatchObject(failing(codes.refused, "nickname_too_soon"));
  expect(await waiting()).toEqual([]);
});

test("rejects a question about a text about minors", async () => {
  await expect(ask("looking for underage girls")).rejects.toMatchObject(failing(codes.refused, "abusive_text"));
  expect(await world.db.selectFrom("text_questions").select("id").execute()).toEqual([]);
});

test("stores an accepted text at once, and from then on allows exactly this text to this user", async () => {
  await ask();
  world.bus.arrive(bo);
  await answer(1);
  expect((await user()).about).toBe(refusedText);
  expect(world.changedProfiles).toContain(bo);
  expect(world.bus.take(bo)).toEqual([notice("text_accepted")]);
  const { db, serverSecret } = world;
  const parts = {
    texts: { require: () => Promise.reject(new Error("stopped")) },
    isAccepted: async (place: "nickname" | "about" | "location", text: string) =>
      (await answerTo(db, serverSecret, { userId: bo, place, text })) === "accepted",
  };
  const before = { ...(await user()), about: "something else" };
  await requireTexts(parts, before, { about: refusedText });
  await expect(requireTexts(parts, before, { about: `${refusedText}!` })).rejects.toThrow("stopped");
  await expect(requireTexts(parts, before, { location: refusedText })).rejects.toThrow("stopped");
});

test("counts an accepted name as a change of the name", async () => {
  await ask("ana@example.com", "nickname");
  await answer(1);
  expect(await user()).toMatchObject({
    nickname: "ana@example.com",
    nickname_changed_at: new Date(world.clock.nowMs()),
  });
});

test("keeps a text that its user changed meanwhile", async () => {
  await ask();
  await world.db.updateTable("users").set({ about: "I like tea" }).where("id", "=", bo).execute();
  await answer(1);
  expect((await user()).about).toBe("I like tea");
});

test("changes nothing for a refused text, notifies its user, and rejects a second question", async () => {
  await ask();
  world.bus.arrive(bo);
  await answer(2);
  expect((await user()).about).toBe("");
  expect(world.bus.take(bo)).toEqual([notice("text_refused")]);
  await expect(ask()).rejects.toMatchObject(failing(codes.refused, "answered_before"));
});

test("lists a mute before all texts, promises an answer within an hour, and takes one question", async () => {
  expect(await world.questions.askAboutMute(bo)).toBeNull();
  await ask();
  // The answer about the text is due before the one about the mute.
  world.clock.advance(textReviewPromisedMs - 60_000);
  const untilMs = world.clock.nowMs() + 2 * reviewPromisedMs;
  await world.moderation.muteChat(bo, { rule: "contact_in_chat", untilMs });
  const due = await world.questions.askAboutMute(bo);
  expect(due?.getTime()).toBe(world.clock.nowMs() + reviewPromisedMs);
  expect(await world.questions.askAboutMute(bo)).toEqual(due);
  const rows = await waiting();
  expect(rows).toMatchObject([
    { place: "mute", text: "", mute: { rule: "contact_in_chat", until: untilMs, case_id: null } },
    { place: "about" },
  ]);
  world.bus.arrive(bo);
  await answer(2, rows[0]!.id);
  expect(world.bus.take(bo)).toEqual([notice("mute_kept")]);
  expect((await world.moderation.restrictionsOf(bo)).mutedUntil).toBe(untilMs);
  await expect(world.questions.askAboutMute(bo)).rejects.toMatchObject(failing(codes.refused, "answered_before"));
});

test("erases the text of an answered question with its evidence, and still allows an accepted text", async () => {
  await ask();
  await answer(1);
  const kept = () => world.db.selectFrom("text_questions").select(["text", "findings"]).executeTakeFirstOrThrow();
  world.clock.advance(evidenceKeptMs - 1);
  await deleteExpiredData(world.db, world.clock.nowMs());
  expect((await kept()).text).toBe(refusedText);
  world.clock.advance(1);
  await deleteExpiredData(world.db, world.clock.nowMs());
  expect(await kept()).toEqual({ text: "", findings: "[]" });
  const asked = { userId: bo, place: "about", text: refusedText } as const;
  expect(await answerTo(world.db, world.serverSecret, asked)).toBe("accepted");
});

test("keeps a doubtful name without a notice, or replaces it by the number", async () => {
  const at = new Date(world.clock.nowMs());
  const named = async (text: string) => {
    const userId = await world.person({ nickname: text });
    const found = { source: "provider", findings: [], before: text, at } as const;
    await insertTextQuestion(world.db, { userId, place: "nickname", text, ...found });
    world.bus.arrive(userId);
    return userId;
  };
  const randi = await named("Randi");
  await answer(1);
  expect((await user(randi)).nickname).toBe("Randi");
  expect(world.bus.take(randi)).toEqual([]);
  const other = await named("Ibne");
  await answer(2);
  const { nickname, user_no } = await user(other);
  expect(nickname).toBe(user_no);
  expect(world.bus.take(other)).toEqual([notice("name_replaced")]);
});

test("[TEXT-765] takes one answer, with the claim, and none from the asking user or about a colleague", async () => {
  await ask();
  const { id } = (await waiting())[0]!;
  const viewer = await world.viewer(mia);
  await expect(world.questions.operate(viewer, id, 1)).rejects.toMatchObject(failing(codes.forbidden, "not_claimed"));
  await world.claim(await world.moderator(), `text:${id}`);
  const { handlers } = world.cases;
  const claimed = await handlers.adminClaim(await world.contextOf(mia), {
    user_id: Number(mia),
    item: `text:${id}`,
    on: 1,
  });
  expect(claimed.claim?.mine).toBe(false);
  await expect(world.questions.operate(viewer, id, 1)).rejects.toMatchObject(failing(codes.forbidden, "claimed"));
  world.clock.advance(600_000);
  await answer(2, id);
  await expect(answer(1, id)).rejects.toMatchObject(failing(codes.refused, "already_decided"));
  await ask("ana@example.org", "about", mia);
  const own = await world.db
    .selectFrom("text_questions")
    .select("id")
    .where("user_id", "=", mia)
    .executeTakeFirstOrThrow();
  const admin = await world.administrator();
  expect([await waiting(), await waiting(await world.moderator())]).toEqual([[], []]);
  expect(await waiting(admin)).toHaveLength(1);
  const decide = async (by: bigint) => world.questions.operate(await world.viewer(by), String(own.id), 1);
  await expect(decide(mia)).rejects.toMatchObject(failing(codes.forbidden, "own_case"));
  await expect(decide(await world.moderator())).rejects.toMatchObject(failing(codes.forbidden, "colleague"));
});

test("[TEXT-765] logs an answer without the text, and counts it for the moderator's day", async () => {
  await ask();
  await answer(2);
  const log = await world.db
    .selectFrom("audit_log")
    .select(["kind", "actor_id", "detail"])
    .where("subject_id", "=", bo)
    .orderBy("id")
    .execute();
  expect(log.map(({ kind, actor_id }) => [kind, actor_id])).toEqual([
    ["ask_text", bo],
    ["text_refuse", mia],
  ]);
  expect(log.map(({ detail }) => detail).join("")).not.toContain("example");
  const numbers = await world.cases.handlers.adminDesk(await world.contextOf(mia), { user_id: Number(mia) });
  expect(numbers).toMatchObject({ texts: 0, decided_today: 1 });
});

test("notifies an absent user of an answer once, at the next session", async () => {
  await ask();
  await answer(2);
  world.bus.arrive(bo);
  await world.told();
  expect(world.bus.take(bo)).toEqual([notice("text_refused")]);
  world.bus.arrive(bo);
  await world.told();
  expect(world.bus.take(bo)).toEqual([]);
});

test("sends an answer again that a lost page did not acknowledge", async () => {
  world.bus.arrive(bo);
  await ask();
  world.bus.close(bo, 1006);
  await answer(2);
  world.clock.advance(socketResumeMs);
  world.bus.tick();
  await world.told();
  world.bus.arrive(bo);
  await world.told();
  expect(world.bus.take(bo)).toEqual([notice("text_refused")]);
});

test("lists questions page by page, in one order", async () => {
  const people = await Promise.all(Array.from({ length: 52 }, () => world.person()));
  for (const userId of people) await ask(refusedText, "about", userId);
  const viewer = await world.viewer(mia);
  const first = await world.questions.list(viewer, undefined);
  const second = await world.questions.list(viewer, first.next ?? "");
  expect([first.waiting, second.next]).toEqual([52, null]);
  const ids = [...first.rows, ...second.rows].map(({ person }) => BigInt(person.user_id));
  expect(new Set(ids)).toEqual(new Set(people));
  await expect(world.questions.list(viewer, "x")).rejects.toMatchObject(failing(codes.badInput));
});
