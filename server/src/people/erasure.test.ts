import { sql } from "kysely";
import { beforeAll, expect, test, vi } from "vitest";
import { type AccountWorld, accountWorld } from "#test/fixtures/account-world.ts";
import { callContext, refusalOf, sessionWorld } from "#test/fixtures/session-world.ts";
import { erasePerson } from "./account-data-store.ts";
import { lockPerson } from "./image-store.ts";
import { insertTextQuestion } from "./text-question-store.ts";

const dayMs = 86_400_000;
const device = { source: 1, imei: "device-1" } as const;
let world: AccountWorld;

beforeAll(async () => {
  world = await accountWorld();
});

async function remove(name: string): Promise<bigint> {
  const person = await world.person(name);
  const { user_no } = await world.userRow(person.userId);
  await world.handlers.accountDel(person, { user_id: Number(person.userId), user_no });
  return person.userId;
}

async function traces(userId: bigint): Promise<string[]> {
  const { db } = world;
  const left: string[] = [];
  for (const table of [
    "follows",
    "likes",
    "blocks",
    "meet_wishes",
    "kind_words",
    "aparts",
    "ring_mutes",
    "invitations",
    "message_notifications",
  ] as const) {
    const rows = await db
      .selectFrom(table)
      .select("user_id")
      .where((where) => where.or([where("user_id", "=", userId), where("other_id", "=", userId)]))
      .execute();
    if (rows.length > 0) left.push(table);
  }
  const rings = await db
    .selectFrom("rings")
    .select("id")
    .where((where) => where.or([where("ringer_id", "=", userId), where("rung_id", "=", userId)]))
    .execute();
  if (rings.length > 0) left.push("rings");
  const findings = await db
    .selectFrom("text_findings")
    .select("id")
    .where((where) => where.or([where("writer_id", "=", userId), where("reader_id", "=", userId)]))
    .execute();
  if (findings.length > 0) left.push("text_findings");
  const owned = [
    "identities",
    "sessions",
    "login_events",
    "match_filters",
    "talk",
    "push_subscriptions",
    "appeal_subscriptions",
    "outbox",
    "mail_addresses",
    "mails",
    "match_subscriptions",
    "conversation_sides",
    "text_questions",
    "desk_shifts",
    "desk_texts",
    "data_exports",
  ] as const;
  for (const table of owned) {
    const rows = await db.selectFrom(table).select("user_id").where("user_id", "=", userId).execute();
    if (rows.length > 0) left.push(table);
  }
  const appeals = await db
    .selectFrom("appeals")
    .select("id")
    .where("user_id", "=", userId)
    .where((where) => where.or([where("text", "<>", ""), where("email", "<>", "")]))
    .execute();
  if (appeals.length > 0) left.push("appeals");
  return left;
}

/** Stores an appeal of the user, and a browser to notify of its answer. */
async function appealWithBrowser(user_id: bigint, at: Date): Promise<void> {
  const ban = { user_id, reason_id: 2, reason: "", created_at: at, until: at, strike: 0 };
  const { id: ban_id } = await world.db.insertInto("bans").values(ban).returning("id").executeTakeFirstOrThrow();
  const { id: appeal_id } = await world.db
    .insertInto("appeals")
    .values({
      ban_id,
      user_id,
      ground: 1,
      text: "It was my brother.",
      email: "a@b.test",
      language: "en",
      at,
      answer_by: at,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const browser = { endpoint_hash: "h", sealed: Buffer.alloc(1), language: "en", offset_min: 0 };
  await world.db
    .insertInto("appeal_subscriptions")
    .values({ appeal_id, user_id, ...browser, created_at: at })
    .execute();
  await world.db.insertInto("outbox").values({ user_id, kind: "appeal", about: appeal_id, created_at: at }).execute();
}

test("[DATA-10] erases all personal data after 14 days, and anonymizes what has to be kept", async () => {
  const { db, clock } = world;
  const [ana, bo] = [await world.person("Ana Erased", { ip: "203.0.113.7" }), await world.person("Bo Stays")];
  const callId = await world.met(ana.userId, bo.userId);
  for (const [one, other] of [
    [ana.userId, bo.userId],
    [bo.userId, ana.userId],
  ] as const) {
    await world.social.follow(one, other, true);
    await world.social.like(one, other, true);
    await world.social.sendRematchRequest(one, other, true);
  }
  const at = new Date(clock.nowMs());
  await db.insertInto("match_filters").values({ user_id: ana.userId, sex: 0, country: 0, updated_at: at }).execute();
  await db
    .insertInto("talk")
    .values({ user_id: ana.userId, languages: [1], interests: [0], prefer: true, changed_at: at })
    .execute();
  const until = new Date(clock.nowMs() + 90 * dayMs);
  const own = { own_sex: 1, own_country_id: 0 };
  await db
    .insertInto("match_subscriptions")
    .values({ user_id: ana.userId, sex: 0, country_id: 0, ...own, created_at: at, until })
    .execute();
  const pair = [ana.userId, bo.userId] as const;
  for (const [user_id, other_id] of [pair, pair.toReversed() as [bigint, bigint]]) {
    for (const table of ["aparts", "ring_mutes"] as const)
      await db.insertInto(table).values({ user_id, other_id, until }).execute();
    await db.insertInto("kind_words").values({ user_id, other_id, call_id: callId, word: 1, at }).execute();
  }
  for (const [user_id, other_id] of [pair, pair.toReversed() as [bigint, bigint]])
    await db
      .insertInto("invitations")
      .values({ id: `${user_id}`, user_id, other_id, at, until })
      .execute();
  for (const [ringer_id, rung_id] of [pair, pair.toReversed() as [bigint, bigint]])
    await db
      .insertInto("rings")
      .values({ id: `${ringer_id}`, ringer_id, rung_id, at, until, state: "missed", ended_at: at })
      .execute();
  await db.insertInto("desk_shifts").values({ user_id: ana.userId, since_at: at, seen_at: at }).execute();
  await db.insertInto("desk_texts").values({ user_id: ana.userId, what: "handover", text: "note", at }).execute();
  const caller = { userId: ana.userId, language: "en" };
  const { external_id } = await world.userRow(bo.userId);
  const { message } = await world.messages.send(caller, { externalId: external_id, clientId: "c", text: "a secret" });
  await refusalOf(world.texts.require(ana.userId, "ana@example.org", "about"));
  const asked = { userId: ana.userId, place: "about", text: "ana@example.org", before: "", findings: [], at } as const;
  await insertTextQuestion(db, { ...asked, source: "person" });
  await world.account.handlers.feedback(ana, { user_id: 1, other_id: Number(bo.userId), id: 5, call_id: callId });
  const key = "a".repeat(64);
  const image = { blob_key: `${key}.webp`, thumb_key: `${key}.webp`, width: 1, height: 1, created_at: at };
  await db
    .insertInto("images")
    .values({ public_id: "p", user_id: ana.userId, kind: "photo", ...image })
    .execute();
  world.blobs.set(image.blob_key, Buffer.from("picture"));
  await world.account.exports.begin(ana.session, "en");
  await world.account.exports.idle();
  const avatarOf = async (userId: bigint) => (await world.userRow(userId)).avatar_key;
  const [anasAvatar, bosAvatar] = [await avatarOf(ana.userId), await avatarOf(bo.userId)];
  const blobKeys = () => Array.from(world.blobs.keys(), (one) => (one.endsWith(".zip") ? "zip" : one)).toSorted();
  expect(blobKeys()).toEqual([image.blob_key, anasAvatar, bosAvatar, "zip"].toSorted());
  await db
    .updateTable("users")
    .set({ about: "about me", location: "Izmir", birthday: "2000-01-01", sex: 2 })
    .where("id", "=", ana.userId)
    .execute();
  await remove("Ana Erased");
  await world.notifications.idle();
  // A server crashed before it deleted this subscription.
  const browser = { session_id: "s", endpoint_hash: "h", sealed: Buffer.alloc(1), kinds: [0] };
  await db
    .insertInto("push_subscriptions")
    .values({ ...browser, user_id: ana.userId, names: false, quiet: true, offset_min: 0, created_at: at, used_at: at })
    .execute();
  await appealWithBrowser(ana.userId, at);
  for (const [user_id, other_id] of [
    [ana.userId, bo.userId],
    [bo.userId, ana.userId],
  ] as const)
    await db.insertInto("message_notifications").values({ user_id, other_id, message_id: 1n, at }).execute();

  clock.advance(14 * dayMs - 1);
  await world.account.erasure.runDue();
  expect(await world.userRow(ana.userId)).toMatchObject({ nickname: "Ana Erased", erased_at: null });
  clock.advance(1);
  await world.account.erasure.runDue();

  expect(await world.userRow(ana.userId)).toMatchObject({
    nickname: "Deleted",
    about: "",
    location: "",
    avatar_key: "",
    birthday: null,
    sex: 0,
    last_login_ip: "",
    device_id: "",
    erased_at: new Date(clock.nowMs()),
  });
  expect(await traces(ana.userId)).toEqual([]);
  expect(blobKeys()).toEqual([bosAvatar]);
  const text = await db.selectFrom("messages").select("text").where("id", "=", BigInt(message.id)).executeTakeFirst();
  expect(text).toEqual({ text: "" });
  const kept = await db.selectFrom("reports").select("id").where("reporter_id", "=", ana.userId).execute();
  expect(kept).toHaveLength(1);
  expect(await db.selectFrom("calls").select("id").where("id", "=", callId).execute()).toHaveLength(1);
  expect(await traces(bo.userId)).toContain("identities");
});

test("erases once when repeated, also at two servers at the same time", async () => {
  const userId = await remove("Twice");
  world.clock.advance(14 * dayMs);
  await Promise.all([world.account.erasure.runDue(), world.account.erasure.runDue()]);
  const erased = await world.userRow(userId);
  expect(erased.nickname).toBe("Deleted");
  world.clock.advance(dayMs);
  await world.account.erasure.runDue();
  expect(await world.userRow(userId)).toEqual(erased);
});

test("empties and keeps an appeal of an account that was erased before", async () => {
  const person = await world.person("Erased Before");
  const at = new Date(world.clock.nowMs());
  await appealWithBrowser(person.userId, at);
  await world.db.updateTable("users").set({ deleted_at: at, erased_at: at }).where("id", "=", person.userId).execute();
  await world.account.erasure.runDue();
  const kept = await world.db.selectFrom("appeals").selectAll().where("user_id", "=", person.userId).execute();
  expect(kept).toMatchObject([{ text: "", email: "", state: "received", ground: 1 }]);
});

test("keeps an account whose user restores it right before its erasure", async () => {
  const person = await world.person("Back Again");
  expect(await erasePerson(world.db, person.userId, new Date(world.clock.nowMs()))).toBe(false);
  expect(await world.userRow(person.userId)).toMatchObject({ nickname: "Back Again", erased_at: null });
  expect(await traces(person.userId)).toContain("sessions");
});

/** A user with a conversation who deleted the account, one second before the end of the time to restore it. */
async function nearlyDue(name: string) {
  const [person, friend] = [await world.person(name), await world.person(`Friend of ${name}`)];
  await world.met(person.userId, friend.userId);
  const { external_id } = await world.userRow(friend.userId);
  const input = { externalId: external_id, clientId: name, text: "words of mine" };
  const { message } = await world.messages.send({ userId: person.userId, language: "en" }, input);
  await remove(name);
  world.clock.advance(14 * dayMs - 1_000);
  const { data } = await refusalOf(world.login(name));
  const textOf = async () => {
    const row = world.db.selectFrom("messages").select("text").where("id", "=", BigInt(message.id));
    return (await row.executeTakeFirstOrThrow()).text;
  };
  return { userId: person.userId, token: (data as { restore_token: string }).restore_token, textOf };
}

test("[DATA-203] keeps all of an account whose user restores it while it falls due", async () => {
  const { userId, token, textOf } = await nearlyDue("Last Moment");
  const { avatar_key } = await world.userRow(userId);
  const waiting = async (connections: number) => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(world.db);
    expect(rows).toHaveLength(connections);
  };
  const both = await world.db.transaction().execute(async (trx) => {
    await lockPerson(trx, userId);
    const restoring = world.sessions.restore(token, device, callContext());
    await vi.waitFor(() => waiting(1), { timeout: 5_000 });
    world.clock.advance(1_000);
    const erasing = world.account.erasure.runDue();
    await vi.waitFor(() => waiting(2), { timeout: 5_000 });
    return { done: Promise.all([restoring, erasing]) };
  });
  await both.done;
  expect(await world.userRow(userId)).toMatchObject({ nickname: "Last Moment", avatar_key, erased_at: null });
  expect(world.blobs.has(avatar_key)).toBe(true);
  expect(await textOf()).toBe("words of mine");
});

test("[DATA-203] restores no account whose erasure has begun, whatever the server's clock says", async () => {
  const { userId, token, textOf } = await nearlyDue("Too Late");
  const behind = await sessionWorld({}, { take: async () => null }, world.database);
  behind.clock.advance(world.clock.nowMs() - behind.clock.nowMs());
  world.clock.advance(1_000);
  using pictures = vi.spyOn(world.images, "removeAll").mockRejectedValueOnce(new Error("storage is away"));
  await world.account.erasure.runDue();
  expect([pictures.mock.calls, await textOf()]).toEqual([[[userId]], ""]);
  const refused = { code: 400, data: { field: "restore_token" } };
  expect(await refusalOf(behind.sessions.restore(token, device, callContext()))).toEqual(refused);
  expect(await behind.login("Too Late")).toMatchObject({ isNew: true });
  await world.account.erasure.runDue();
  expect(await world.userRow(userId)).toMatchObject({ nickname: "Deleted", avatar_key: "" });
});

test("erases more users than fit one batch in one run", async () => {
  const at = new Date(world.clock.nowMs() - 15 * dayMs);
  const row = { sex: 1, birthday: null, country_id: 18, role: 0, language: "en", avatar_key: "", deleted_at: at };
  const people = Array.from({ length: 45 }, (_, index) => ({
    ...row,
    user_no: String(20_000_000 + index),
    external_id: `many-${index}`,
    nickname: "many",
    last_login_ip: "",
    device_id: "",
  }));
  await world.db.insertInto("users").values(people).execute();
  await world.account.erasure.runDue();
  const left = await world.db.selectFrom("users").select("id").where("nickname", "=", "many").execute();
  expect(left).toEqual([]);
});

test("registers the same identity as a new user afterwards", async () => {
  const before = await remove("Phoenix");
  world.clock.advance(14 * dayMs);
  // The time to restore the account ends before the job runs.
  const early = await world.login("Phoenix");
  expect(early).toMatchObject({ isNew: true });
  expect(early.user.id).not.toBe(before);
  await world.account.erasure.runDue();
  expect(await world.userRow(before)).toMatchObject({ nickname: "Deleted" });
  expect((await world.login("Phoenix")).user.id).toBe(early.user.id);

  const second = await remove("Later");
  world.clock.advance(14 * dayMs);
  await world.account.erasure.runDue();
  const later = await world.login("Later");
  expect(later).toMatchObject({ isNew: true, user: { nickname: "Later" } });
  expect(later.user.id).not.toBe(second);
});

test("[DATA-13] does not let a deletion evade a ban in force, even after 14 days", async () => {
  const userId = await remove("Banned Once");
  const until = new Date(world.clock.nowMs() + 30 * dayMs);
  await world.db.insertInto("bans").values({ user_id: userId, reason_id: 2, reason: "", until }).execute();
  world.clock.advance(14 * dayMs);
  await world.account.erasure.runDue();
  expect(await world.userRow(userId)).toMatchObject({ nickname: "Deleted" });
  expect((await refusalOf(world.login("Banned Once"))).code).toBe(408);
  world.clock.advance(17 * dayMs);
  await world.account.erasure.runDue();
  expect(await traces(userId)).toEqual([]);
  expect(await world.login("Banned Once")).toMatchObject({ isNew: true });
});

test("keeps cases, evidence and a reported message of a deleted account", async () => {
  const [ana, bo] = [await world.person("Ana Holds"), await world.person("Bo Held")];
  await world.met(ana.userId, bo.userId);
  const { external_id } = await world.userRow(ana.userId);
  const input = { externalId: external_id, clientId: "held", text: "words to be judged" };
  const { message } = await world.messages.send({ userId: bo.userId, language: "en" }, input);
  const report = { user_id: Number(ana.userId), other_id: Number(bo.userId), id: 6 as const, message_id: message.id };
  await world.handlers.chatReport(ana, report);
  await remove("Bo Held");
  world.clock.advance(14 * dayMs);
  await world.account.erasure.runDue();
  const { text } = await world.db
    .selectFrom("messages")
    .select("text")
    .where("id", "=", BigInt(message.id))
    .executeTakeFirstOrThrow();
  expect(text).toBe("");
  const held = await world.db.selectFrom("cases").selectAll().where("subject_id", "=", bo.userId).execute();
  expect(held).toMatchObject([{ state: "open", message_id: BigInt(message.id) }]);
  const [piece, ...more] = await world.moderation.evidence.of(held[0]?.id ?? 0n);
  expect(more).toEqual([]);
  expect(String(piece && (await world.moderation.evidence.bytesOf(piece)))).toBe("words to be judged");
});

test("releases the identity of an erased user whose ban was lifted", async () => {
  const userId = await remove("Lifted Once");
  const [until, at] = [new Date(world.clock.nowMs() + 30 * dayMs), new Date(world.clock.nowMs())];
  const ended = { ended_early_at: at, ended_because: "lifted" };
  const ban = { user_id: userId, reason_id: 2, reason: "", until, ...ended };
  await world.db
    .insertInto("bans")
    .values({ ...ban, case_id: null, decided_by: null, seconded_by: null, rule: null, call_id: null })
    .execute();
  world.clock.advance(14 * dayMs);
  await world.account.erasure.runDue();
  expect(await traces(userId)).toEqual([]);
});

test("[SAFE-520] erases the estimated age of a case", async () => {
  const userId = await remove("erased-age");
  const at = new Date();
  await world.db
    .insertInto("cases")
    .values({
      subject_id: userId,
      queue: "restricted",
      reason_id: 8,
      rule: "minor_in_picture",
      harm: 1,
      opened_at: at,
      changed_at: at,
      estimated_age: 15,
    })
    .execute();
  await erasePerson(world.db, userId, at);
  const row = await world.db
    .selectFrom("cases")
    .select("estimated_age")
    .where("subject_id", "=", userId)
    .executeTakeFirstOrThrow();
  expect(row.estimated_age).toBeNull();
});
