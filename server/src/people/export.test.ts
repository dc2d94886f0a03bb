import { unzipSync, strFromU8 } from "fflate";
import { beforeAll, expect, test, vi } from "vitest";
import { interfaceLanguages } from "@fava/wire/languages.ts";
import { BlobsUnavailableError } from "#ports/blobs.ts";
import { mailOutbox } from "#test/fakes/mails.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { fakeBrowser } from "#test/fakes/fake-browser.ts";
import { memoryBlobs } from "#test/fakes/memory-blobs.ts";
import { noReplica } from "#test/fakes/no-replica.ts";
import { type AccountWorld, accountWorld } from "#test/fixtures/account-world.ts";
import { openEdge, type Edge } from "#test/fixtures/edge.ts";
import { refusalOf } from "#test/fixtures/session-world.ts";
import { ExportService } from "./export-service.ts";
import { exportFileNames, readmeText } from "./export-writer.ts";
import { insertTextQuestion } from "./text-question-store.ts";
import { ServerSecret } from "#lib/server-secret.ts";

const dayMs = 86_400_000;
let world: AccountWorld;
let edge: Edge;
type Person = Awaited<ReturnType<AccountWorld["person"]>>;

beforeAll(async () => {
  world = await accountWorld({ limited: true });
  edge = await openEdge({}, { plugins: async (app) => world.account.routes(app), clock: world.clock });
});

const userExport = (person: Person, begin: 0 | 1) =>
  world.handlers.userExport(person, { user_id: Number(person.userId), begin });

async function ready(person: Person) {
  await userExport(person, 1);
  await world.account.exports.idle();
  const view = await userExport(person, 0);
  if (view.state !== "ready") throw new Error(`the export is ${view.state}`);
  return view;
}

async function filesOf(url: string): Promise<Record<string, string>> {
  const answer = await edge.app.inject({ method: "GET", url });
  const files = unzipSync(new Uint8Array(answer.rawPayload));
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]));
}

test("[DATA-30] contains everything in one zip: readable files, machine-readable files and pictures", async () => {
  const [ana, bo] = [await world.person("Ana Export", { ip: "203.0.113.7" }), await world.person("Bo Export")];
  const callId = await world.met(ana.userId, bo.userId);
  await world.social.follow(ana.userId, bo.userId, true);
  await world.social.follow(bo.userId, ana.userId, true);
  const [anaRow, boRow] = [await world.userRow(ana.userId), await world.userRow(bo.userId)];
  const say = (from: Person, to: { external_id: string }, text: string) =>
    world.messages.send({ userId: from.userId, language: "en" }, { externalId: to.external_id, clientId: text, text });
  await say(ana, boRow, "hello bo");
  await say(bo, anaRow, "hello ana");
  await say(bo, anaRow, "you whore");
  await world.account.handlers.feedback(ana, {
    user_id: 1,
    other_id: Number(bo.userId),
    id: 4,
    call_id: callId,
    note: "He shouted at me",
  });
  await refusalOf(world.texts.require(ana.userId, "ana@example.org", "about"));
  const key = `${"b".repeat(64)}.webp`;
  world.blobs.set(key, Buffer.from("a picture"));
  const image = { blob_key: key, thumb_key: key, width: 1, height: 1, created_at: new Date(world.clock.nowMs()) };
  await world.db
    .insertInto("images")
    .values({ public_id: "x", user_id: ana.userId, kind: "photo", ...image })
    .execute();

  await world.social.keepApart(ana.userId, bo.userId, true);
  const until = new Date(world.clock.nowMs() + 90 * dayMs).toISOString();
  const at = new Date(world.clock.nowMs());
  const [mine, theirs] = [ana.userId, bo.userId];
  for (const [user_id, other_id] of [
    [mine, theirs],
    [theirs, mine],
  ] as const) {
    await world.db.insertInto("ring_mutes").values({ user_id, other_id, until }).execute();
    await world.db
      .insertInto("invitations")
      .values({ id: user_id === mine ? "a" : "b", user_id, other_id, at, until })
      .execute();
    const read_at = user_id === mine ? null : at;
    await world.db
      .insertInto("kind_words")
      .values({ user_id, other_id, call_id: callId, word: 1, at, read_at })
      .execute();
    const ring = { id: user_id === mine ? "a" : "b", ringer_id: user_id, rung_id: other_id, at, until: at };
    await world.db
      .insertInto("rings")
      .values({ ...ring, state: "declined", ended_at: at })
      .execute();
  }
  const talk = {
    languages: [12, 1],
    interests: [7],
    prefer: true,
    leaves_out: [18],
    changed_at: new Date(world.clock.nowMs()),
  };
  await world.db
    .insertInto("talk")
    .values({ user_id: ana.userId, ...talk })
    .execute();

  const desk = { user_id: ana.userId, at: new Date(world.clock.nowMs()) };
  await world.db
    .insertInto("desk_texts")
    .values({ ...desk, what: "answer1", text: "We read it again." })
    .execute();
  const { target } = fakeBrowser("https://push.test/of-ana");
  const choice = { kinds: [0], names: 1 as const, quiet: 1 as const, offset_min: 180 };
  await world.notifications.add(ana.session, target, choice);
  const asked = { sex: 2, country_id: -1, own_sex: 1, own_country_id: 0 };
  await world.db
    .insertInto("match_subscriptions")
    .values({ user_id: ana.userId, ...asked, created_at: new Date(), until: new Date() })
    .execute();

  await world.db.updateTable("messages").set({ reaction: "heart" }).where("text", "=", "hello bo").execute();

  const view = await ready(ana);
  expect(view).toMatchObject({ until: world.clock.nowMs() + 7 * dayMs, name: expect.stringMatching(/^fava-.*\.zip$/) });
  const files = await filesOf(view.url);
  expect(Object.keys(files).toSorted()).toEqual(
    ["README.txt", ...exportFileNames, "photos/avatar.webp", "photos/1-photo-pending.webp"].toSorted(),
  );
  const read = (name: string): unknown => JSON.parse(files[name] ?? "");
  expect(files["README.txt"]).toContain(anaRow.user_no);
  expect(files["photos/1-photo-pending.webp"]).toBe("a picture");
  expect(read("profile.json")).toMatchObject({
    nickname: "Ana Export",
    last_login_ip: "203.0.113.7",
    signs_in_with: [{ login_type: 1 }],
    passkeys: [],
    unused_recovery_codes: [],
    talk: { languages: ["pt", "en"], interests: ["cycling"], prefer: true, leaves_out: ["US"] },
    notifications: [{ kinds: ["message"], names: true, quiet: true, offset_min: 180 }],
    to_be_told_of: { sex: 2, country_id: -1 },
    texts_at_the_desk: [{ what: "answer1", text: "We read it again." }],
  });
  expect(files["profile.json"]).not.toContain("of-ana");
  const written = (read("messages.json") as Record<"kind" | "from_me" | "text" | "covered_as" | "reaction", unknown>[])
    .filter(({ kind }) => kind === "text")
    .map(({ from_me, text, covered_as, reaction }) => [from_me, text, covered_as, reaction]);
  expect(written).toEqual([
    [true, "hello bo", null, "heart"],
    [false, "hello ana", null, null],
    [false, "you whore", "insult", null],
  ]);
  expect(read("relations.json")).toMatchObject([
    { relation: "follow", nickname: "Bo Export" },
    { relation: "not_again", account: boRow.user_no, nickname: "Bo Export", until },
    { relation: "not_to_be_rung_by", account: boRow.user_no, nickname: "Bo Export", until },
    { relation: "kind_word_to", account: boRow.user_no, nickname: "Bo Export", word: 1 },
    { relation: "kind_word_from", account: boRow.user_no, nickname: "Bo Export", word: 1 },
    { relation: "rang", account: boRow.user_no, nickname: "Bo Export", state: "declined" },
    { relation: "was_rung_by", account: boRow.user_no, nickname: "Bo Export", state: "declined", away: false },
    { relation: "invited", account: boRow.user_no, nickname: "Bo Export", until },
    { relation: "was_invited_by", account: boRow.user_no, nickname: "Bo Export", until },
    { relation: "followed_by", nickname: "Bo Export" },
  ]);
  expect(read("calls.json")).toMatchObject([{ id: callId, end_reason: "left" }]);
  expect(read("reports.json")).toMatchObject([
    { reason_id: 4, about_account: boRow.user_no, outcome_due: false, note: "He shouted at me" },
  ]);
  expect(read("sign-ins.json")).toMatchObject([{ ip: "203.0.113.7" }]);
  expect(read("stopped-texts.json")).toMatchObject([{ place: "about", kind: "email", disputed_at: null }]);
  expect([read("beans.json"), read("orders.json"), read("decisions.json")]).toEqual([[], [], []]);
  // Neither the reporter nor the other user's sign-in provider is data of this user.
  expect(files["relations.json"]).not.toContain("third_party");
});

test("contains bans, strikes, warnings, appeals and their browsers, without reporters and moderators", async () => {
  const [person, moderator] = [await world.person("Judged"), await world.person("Mia Moderates")];
  const at = new Date(world.clock.nowMs());
  const userId = person.userId;
  const { id: ban_id } = await world.db
    .insertInto("bans")
    .values({ user_id: userId, reason_id: 2, reason: "", created_at: at, until: at, decided_by: moderator.userId })
    .returning("id")
    .executeTakeFirstOrThrow();
  await world.db
    .insertInto("strikes")
    .values({ user_id: userId, case_id: null, ban_id, reason_id: 2, at, expires_at: at })
    .execute();
  const warning = {
    subject_id: userId,
    queue: "reports" as const,
    reason_id: 4,
    rule: "report",
    harm: 1,
    opened_at: at,
  };
  await world.db
    .insertInto("cases")
    .values({
      ...warning,
      changed_at: at,
      state: "decided",
      operation: 3,
      decided_by: moderator.userId,
      decided_at: at,
    })
    .execute();
  const { id: appeal_id } = await world.db
    .insertInto("appeals")
    .values({ ban_id, user_id: userId, ground: 1, text: "It was my brother.", language: "en", at, answer_by: at })
    .returning("id")
    .executeTakeFirstOrThrow();
  const browser = { endpoint_hash: "of-ana", sealed: Buffer.from("of-ana"), language: "tr", offset_min: 180 };
  await world.db
    .insertInto("appeal_subscriptions")
    .values({ appeal_id, user_id: userId, ...browser, created_at: at })
    .execute();
  const asked = { userId, place: "about", text: "me@example.org", before: "", findings: [], at } as const;
  await insertTextQuestion(world.db, { ...asked, source: "person" });
  const files = await filesOf((await ready(person)).url);
  expect(JSON.parse(files["decisions.json"] ?? "")).toMatchObject([
    { decision: "ban", id: Number(ban_id), reason_id: 2, by_software: false },
    { decision: "strike", ban_id: Number(ban_id), revoked_at: null },
    { decision: "warning", reason_id: 4 },
    { decision: "appeal", ban_id: Number(ban_id), text: "It was my brother.", state: "received" },
    { decision: "asked", place: "about", text: "me@example.org", state: "open" },
  ]);
  expect(files["decisions.json"]).not.toMatch(/moderat|reporter|decided_by/);
  expect(JSON.parse(files["profile.json"] ?? "")).toMatchObject({
    notifications_of_appeals: [{ appeal_id: Number(appeal_id), language: "tr", offset_min: 180 }],
  });
  expect(files["profile.json"]).not.toContain("of-ana");
});

test("contains pauses, mutes and signals, without cases and other accounts", async () => {
  const [person, other] = [await world.person("Paused"), await world.person("Shares a device")];
  const at = new Date(world.clock.nowMs());
  const restraint = { user_id: person.userId, from_at: at, until: at, lifted_at: null };
  await world.db
    .insertInto("restraints")
    .values([
      { ...restraint, what: "chat", rule: "spam" },
      { ...restraint, what: "matching", rule: "reports_many", until: null },
      { ...restraint, user_id: other.userId, what: "matching", rule: "not theirs" },
    ])
    .execute();
  const detail = JSON.stringify({ with: String(other.userId), what: "device" });
  const noticed = { user_id: person.userId, rule: "cluster", dry_run: false, detail, at };
  await world.db
    .insertInto("signals")
    .values([noticed, { ...noticed, user_id: other.userId, rule: "not theirs" }])
    .execute();
  const files = await filesOf((await ready(person)).url);
  const [from_at, id] = [at.toISOString(), expect.any(Number) as number];
  expect(JSON.parse(files["decisions.json"] ?? "")).toEqual([
    { decision: "pause", id, rule: "reports_many", from_at, until: null, lifted_at: null, look_asked_at: null },
    { decision: "mute", id, rule: "spam", from_at, until: from_at, lifted_at: null },
    { decision: "noticed", id, rule: "cluster", at: from_at },
  ]);
});

test("[DATA-30] contains each entry of lists longer than a page once", async () => {
  const person = await world.person("Many");
  const at = new Date(world.clock.nowMs());
  const rows = Array.from({ length: 1_203 }, (_, index) => ({
    writer_id: person.userId,
    place: "about" as const,
    kind: "insult" as const,
    rule_id: `en:${index}`,
    at: new Date(at.getTime() + index),
  }));
  await world.db.insertInto("text_findings").values(rows).execute();
  const files = await filesOf((await ready(person)).url);
  const list = JSON.parse(files["stopped-texts.json"] ?? "") as { at: string }[];
  expect(list.map(({ at: noted }) => noted)).toEqual(rows.map(({ at: noted }) => noted.toISOString()));
});

test("prepares one export at a time, whose progress can be read", async () => {
  const person = await world.person("Patient");
  expect(await userExport(person, 0)).toEqual({ state: "none" });
  // The lock keeps the export in progress.
  const holding = await world.database.pool.connect();
  await holding.query("begin; lock table login_events in access exclusive mode");
  const [first, second] = await Promise.all([userExport(person, 1), userExport(person, 1)]);
  expect([first.state, second.state]).toEqual(["preparing", "preparing"]);
  await holding.query("commit");
  holding.release();
  await world.account.exports.idle();
  expect((await userExport(person, 0)).state).toBe("ready");
});

test("[DATA-32] opens the address for its own file and time only, uncached and as a download", async () => {
  const person = await world.person("Addressee");
  const { url } = await ready(person);
  const answer = await edge.app.inject({ method: "GET", url });
  expect(answer.headers).toMatchObject({
    "content-type": "application/zip",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "content-disposition": expect.stringMatching(/^attachment; filename="fava-[\d-]+\.zip"$/),
  });
  const status = async (address: string) => (await edge.app.inject({ method: "GET", url: address })).statusCode;
  const { url: other } = await ready(await world.person("Other User"));
  const otherKey = /exports\/([^?]+)/.exec(other)?.[1] ?? "";
  expect(await status(url.split("?")[0] ?? "")).toBe(404);
  expect(await status(url.replace(/exports\/[^?]+/, `exports/${otherKey}`))).toBe(404);
  expect(await status(url.replace(/until=\d/, "until=9"))).toBe(404);
  expect(await status(`${url}&sign=${"0".repeat(64)}`)).toBe(404);
  world.clock.advance(7 * dayMs);
  expect(await status(url)).toBe(404);
  expect(await userExport(person, 0)).toEqual({ state: "none" });
});

const statusOf = async (url: string) => (await edge.app.inject({ method: "GET", url })).statusCode;

test("opens an address for an hour, and issues a new one on request", async () => {
  const person = await world.person("Hourly");
  const { url } = await ready(person);
  world.clock.advance(3_599_000);
  expect(await statusOf(url)).toBe(200);
  const later = await userExport(person, 0);
  world.clock.advance(1_000);
  expect(await statusOf(url)).toBe(404);
  expect(later.state === "ready" && (await statusOf(later.url))).toBe(200);
});

test("stops opening an address when its session ends, and for another session", async () => {
  const person = await world.person("Leaving");
  const { url } = await ready(person);
  const { id: otherSession } = (await world.person("New User")).session;
  expect(await statusOf(url.replace(person.session.id, otherSession))).toBe(404);
  expect(await statusOf(url)).toBe(200);
  await world.sessions.logout(person.session);
  expect(await statusOf(url)).toBe(404);
});

test("opens the address of an appeal token while its ban is in force", async () => {
  const person = await world.person("Appealing");
  const { url: before } = await ready(person);
  const at = new Date(world.clock.nowMs());
  const { id } = await world.db
    .insertInto("bans")
    .values({ user_id: person.userId, reason_id: 2, reason: "", created_at: at, until: null, decided_by: null })
    .returning("id")
    .executeTakeFirstOrThrow();
  await world.sessions.endAllOf(person.userId, "banned");
  const appealing = { ...person, session: { ...person.session, id: `appeal:${id}` } };
  const view = await userExport(appealing, 0);
  if (view.state !== "ready") throw new Error(`the export is ${view.state}`);
  expect([await statusOf(before), await statusOf(view.url)]).toEqual([404, 200]);
  await world.db.updateTable("bans").set({ ended_early_at: at }).where("id", "=", id).execute();
  expect(await statusOf(view.url)).toBe(404);
});

test("deletes the file after a week; replaces it by a new export", async () => {
  const person = await world.person("Again");
  const before = world.blobs.size;
  const first = await ready(person);
  world.clock.advance(60_000);
  const second = await ready(person);
  expect(second.url).not.toBe(first.url);
  expect((await edge.app.inject({ method: "GET", url: first.url })).statusCode).toBe(404);
  expect(world.blobs.size).toBe(before + 1);
  world.clock.advance(7 * dayMs);
  await world.account.exports.tidy();
  const zips = Array.from(world.blobs.keys()).filter((key) => key.endsWith(".zip"));
  expect(zips).toEqual([]);
});

test("fails an unfinished export at the next start or after an hour", async () => {
  const person = await world.person("Crashed");
  const begun = (ageMs: number) =>
    world.db
      .insertInto("data_exports")
      .values({ user_id: person.userId, state: "preparing", begun_at: new Date(world.clock.nowMs() - ageMs) })
      .onConflict((conflict) =>
        conflict.column("user_id").doUpdateSet({ state: "preparing", begun_at: new Date(world.clock.nowMs() - ageMs) }),
      )
      .execute();
  const state = async () => (await userExport(person, 0)).state;
  await begun(3_500_000);
  await world.account.exports.tidy();
  expect(await state()).toBe("preparing");
  await begun(3_600_000);
  await world.account.exports.tidy();
  expect(await state()).toBe("failed");
  await begun(0);
  await world.account.exports.recover();
  expect(await state()).toBe("failed");
  expect((await ready(person)).state).toBe("ready");
});

test("continues another server's export while that server is alive", async () => {
  const person = await world.person("Elsewhere");
  await world.db.insertInto("processes").values({ id: "another", dead_at: null }).execute();
  const preparing = { user_id: person.userId, state: "preparing", owner: "another" } as const;
  await world.db
    .insertInto("data_exports")
    .values({ ...preparing, begun_at: new Date(world.clock.nowMs()) })
    .execute();
  await world.account.exports.recover();
  expect((await userExport(person, 0)).state).toBe("preparing");
  await world.db.updateTable("processes").set({ dead_at: new Date() }).where("id", "=", "another").execute();
  await world.account.exports.recover();
  expect((await userExport(person, 0)).state).toBe("failed");
});

test("fails an export that cannot be written, and lets the user start another", async () => {
  const person = await world.person("Unlucky");
  let broken = true;
  const { db, clock } = world;
  const logged: string[] = [];
  const exports = new ExportService({
    db,
    jobs: db,
    replica: noReplica,
    clock,
    sessions: world.sessions,
    moderation: { evidence: { noteOf: async () => null } },
    serverSecret: new ServerSecret("secret of the account tests, long enough"),
    self: "the process of the test",
    mails: mailOutbox(clock),
    limits: { take: async () => null, waitSeconds: async () => null },
    logger: { error: (_details: unknown, message?: string) => void logged.push(message ?? "") },
    blobs: {
      put: async () => {
        if (broken) throw new Error("no room");
        return "";
      },
      get: async () => null,
      delete: async () => undefined,
    },
  });
  await exports.begin(person.session, "en");
  await exports.idle();
  expect(await exports.status(person.session)).toEqual({ state: "failed" });
  expect(logged).toEqual(["failed to write an export"]);
  broken = false;
  await exports.begin(person.session, "en");
  await exports.idle();
  expect(await exports.status(person.session)).toMatchObject({ state: "ready" });
});

test("resumes an export once the storage is back, and keeps the row of a file that it could not delete", async () => {
  const person = await world.person("Patient");
  let isAway = true;
  const stored = new Map<string, Buffer>();
  const storage = memoryBlobs(stored);
  const orAway = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (isAway) throw new BlobsUnavailableError(new Error("ECONNREFUSED"));
    return work();
  };
  const { db } = world;
  // A clock of its own: with the clock of `world`, other exports would expire.
  const clock = new TestClock(world.clock.nowMs());
  const exports = new ExportService({
    db,
    jobs: db,
    replica: noReplica,
    clock,
    sessions: world.sessions,
    serverSecret: new ServerSecret("secret of the account tests, long enough"),
    self: "the process of the test",
    mails: mailOutbox(clock),
    moderation: { evidence: { noteOf: async () => null } },
    limits: { take: async () => null, waitSeconds: async () => null },
    logger: { error: () => undefined },
    blobs: {
      put: (bytes, extension) => orAway(() => storage.put(bytes, extension)),
      get: (key) => orAway(() => storage.get(key)),
      delete: (key) => orAway(() => storage.delete(key)),
    },
  });
  await exports.begin(person.session, "en");
  const before = clock.pendingCount;
  await vi.waitFor(() => expect(clock.pendingCount).toBe(before + 1));
  expect(await exports.status(person.session)).toMatchObject({ state: "preparing" });
  isAway = false;
  clock.advance(5_000);
  await exports.idle();
  expect([(await exports.status(person.session)).state, stored.size]).toEqual(["ready", 1]);
  clock.advance(7 * dayMs);
  isAway = true;
  await expect(exports.tidy()).rejects.toBeInstanceOf(BlobsUnavailableError);
  isAway = false;
  await exports.tidy();
  expect(stored.size).toBe(0);
});

test("allows three exports a day", async () => {
  const person = await world.person("Greedy");
  for (let times = 0; times < 3; times += 1) await ready(person);
  expect(await refusalOf(userExport(person, 1))).toMatchObject({ code: 429 });
});

test("[DATA-30] explains the files in the user's language", () => {
  const about = { account: "12345678", day: "2026-01-01" };
  const texts = interfaceLanguages.map(({ value }) => readmeText(value, about));
  expect(new Set(texts).size).toBe(interfaceLanguages.length);
  for (const text of texts) {
    expect(text).toContain("12345678");
    for (const name of exportFileNames) expect(text).toContain(name);
  }
  expect(readmeText("xx", about)).toBe(readmeText("en", about));
});
