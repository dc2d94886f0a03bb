import { beforeAll, describe, expect, test, vi } from "vitest";
import { codes } from "@fava/wire/codes.ts";
import { listPageRows, searchCursorLengthMax } from "@fava/wire/limits.ts";
import { unavailable } from "#lib/errors.ts";
import { limitRules } from "#ports/rate-limits.ts";
import { contextOf, refusals, SocialWorld } from "#test/fixtures/social-world.ts";
import { socialHandlers } from "./social-routes.ts";

let world: SocialWorld;
let me: bigint;
beforeAll(async () => {
  world = await SocialWorld.open();
  me = await world.person({ nickname: "searcher" });
});

interface Wish {
  sex?: 0 | 1 | 2;
  minAge?: number;
  maxAge?: number;
  country?: number;
  cursor?: string;
}

function search(text: string, wish: Wish = {}) {
  const { sex = 0, minAge = 18, maxAge = 65, country = 0, cursor } = wish;
  return world.handlers.userSearch(contextOf(me), { user_id: Number(me), text, sex, minAge, maxAge, country, cursor });
}

const found = async (text: string, wish: Wish = {}) =>
  (await search(text, wish)).rows.map(({ user_id }) => BigInt(user_id));

async function numberOf(userId: bigint): Promise<string> {
  const { db } = world.database;
  const row = await db.selectFrom("users").select("user_no").where("id", "=", userId).executeTakeFirstOrThrow();
  return row.user_no;
}

describe("search", () => {
  test("[PEOPLE-40] finds searchable users by a prefix of the nickname, in any case, ordered by name", async () => {
    const zoe = await world.person({ nickname: "ELIF zoe" });
    const ada = await world.person({ nickname: "elif Ada" });
    await world.person({ nickname: "elif hidden", searchable: false });
    await world.person({ nickname: "my elif" });
    expect(await found("Elif")).toEqual([ada, zoe]);
    expect(await found(" elif z ")).toEqual([zoe]);
  });

  test("[PEOPLE-40] treats the database's wildcards as letters", async () => {
    const percent = await world.person({ nickname: "100% me" });
    await world.person({ nickname: "100 me" });
    const slash = await world.person({ nickname: String.raw`100\% me` });
    expect(await found("100%")).toEqual([percent]);
    expect(await found(String.raw`100\%`)).toEqual([slash]);
    expect(await found("100_")).toEqual([]);
    expect(await found("%")).toEqual([]);
  });

  test.each([
    ["dotted and dotless i", ["ışıl folds", "Işıl folds", "IŞIL FOLDS", "isil folds", "İşil folds"]],
    ["forms of alif", ["أحمد المطوي", "احمد المطوى", "آحمد المطوي", "ٱحمد المطوي", "أَحْمَد المطوي", "أحـمد المطوي"]],
    ["forms of the last h", ["فاطمة المطوي", "فاطمه المطوي"]],
    ["composed and decomposed marks", ["Ren\u00e9e folds", "Rene\u0301e folds", "renee folds", "RENÉE folds"]],
    ["a diaeresis", ["zoe folds", "Zoë folds"]],
    ["apostrophes", ["O'Neil folds", "O\u2019Neil folds", "o\u02bcneil folds", "O\u00b4Neil folds"]],
    ["width", ["Ａｎａ folds", "ana folds"]],
    ["sharp s and letters with a stroke", ["Łukasz Groß folds", "lukasz gross folds"]],
    ["signs of no width", ["Am\u200bin\u00ad folds", "amin folds"]],
  ])("finds names whatever their %s", async (_what, names) => {
    const people: bigint[] = [];
    for (const nickname of names) people.push(await world.person({ nickname }));
    for (const name of names) expect([name, await found(name)]).toEqual([name, people]);
  });

  test("tells similar letters apart, and finds a changed name", async () => {
    const [ga, ka] = [
      await world.person({ nickname: "がんこ folds" }),
      await world.person({ nickname: "かんこ folds" }),
    ];
    expect([await found("がんこ"), await found("かんこ")]).toEqual([[ga], [ka]]);
    const hindi = await world.person({ nickname: "रिम folds" });
    await world.person({ nickname: "राम folds" });
    expect(await found("रिम")).toEqual([hindi]);
    const renamed = { nickname: "Çiğdem folds" };
    await world.database.db.updateTable("users").set(renamed).where("id", "=", ga).execute();
    expect([await found("cigdem"), await found("がんこ")]).toEqual([[ga], []]);
  });

  test("treats a full-width percent sign as itself, and a text of marks alone like no text", async () => {
    const percent = await world.person({ nickname: "50\uff05 folds" });
    await world.person({ nickname: "50 folds" });
    expect(await found("50%")).toEqual([percent]);
    const taken: string[] = [];
    world.takeFromLimit = async (limit) => {
      taken.push(limit);
      return null;
    };
    for (const text of ["\u0301\u0302\u0303\u0304", "\u200b\u200b\u200b\u200b", "\u064e\u064f\u0650\u0651", "ـــــ"])
      expect(await found(text, { country: 78 })).toEqual([]);
    await world.person({ nickname: "marks", country_id: 78 });
    for (const text of ["\u0301\u0302\u0303\u0304", "ــَــِـ"]) await found(text, { country: 78 });
    expect(taken).toEqual(["browsedPeopleByUser"]);
    world.takeFromLimit = async () => null;
  });

  test("[DATA-185] does not find a user who was banned, blocked or hidden a moment ago, however far a replica lags", async () => {
    const names = ["one", "banned", "blocked", "hidden", "gone"].map((name) => `lately ${name}`);
    const ids: bigint[] = [];
    for (const nickname of names) ids.push(await world.person({ nickname }));
    const [one, banned, blocked, hidden, gone] = ids as [bigint, bigint, bigint, bigint, bigint];
    const { db } = world.database;
    const clock = world.clock;
    // The replica is behind and returns users as they were before the changes below.
    const behind = { isThere: true, read: async () => ids.map((id) => ({ id, name: "lately" })) as never };
    const handlers = socialHandlers({ db, replica: behind, clock, social: world.social });
    await db.insertInto("bans").values({ user_id: banned, reason_id: 1 }).execute();
    await db
      .insertInto("blocks")
      .values({ user_id: blocked, other_id: me, at: new Date(clock.nowMs()) })
      .execute();
    await db.updateTable("users").set({ searchable: false }).where("id", "=", hidden).execute();
    await db
      .updateTable("users")
      .set({ deleted_at: new Date(clock.nowMs()) })
      .where("id", "=", gone)
      .execute();
    const wish = { sex: 0, minAge: 18, maxAge: 65, country: 0 } as const;
    const { rows } = await handlers.userSearch(contextOf(me), { user_id: Number(me), text: "lately", ...wish });
    expect(rows.map(({ user_id }) => BigInt(user_id))).toEqual([one]);
  });

  test("[PEOPLE-43] does not find a banned user by name or number while the ban is in force", async () => {
    const banned = await world.person({ nickname: "banned one" });
    const number = await numberOf(banned);
    const ban = { user_id: banned, reason_id: 1, reason: "", case_id: null, decided_by: null, seconded_by: null };
    const { db } = world.database;
    const { id } = await db
      .insertInto("bans")
      .values({ ...ban, until: null, rule: null, call_id: null, ended_because: null })
      .returning("id")
      .executeTakeFirstOrThrow();
    expect([await found("banned o"), await found(number)]).toEqual([[], []]);
    await db
      .updateTable("bans")
      .set({ until: new Date(0) })
      .where("id", "=", id)
      .execute();
    expect([await found("banned o"), await found(number)]).toEqual([[banned], [banned]]);
    await db
      .updateTable("bans")
      .set({ until: null, ended_early_at: new Date(0) })
      .where("id", "=", id)
      .execute();
    expect(await found(number)).toEqual([banned]);
  });

  test("[PEOPLE-40] finds anybody by the exact number, even unsearchable users", async () => {
    const shy = await world.person({ nickname: "shy", searchable: false });
    const number = await numberOf(shy);
    expect(await found(number)).toEqual([shy]);
    expect(await found(number.slice(0, 7))).toEqual([]);
    const named = await world.person({ nickname: `${number} is not me` });
    expect(await found(` ${number} `)).toEqual([shy, named]);
  });

  test("[PEOPLE-564] finds a user who allows no search by name by number under any filter", async () => {
    const shy = await world.person({ nickname: "of no age", searchable: false, birthday: "1990-06-01", sex: 2 });
    const open = await world.person({ nickname: "of an age", birthday: "1990-06-01", sex: 2 });
    const numbers = [await numberOf(shy), await numberOf(open)] as const;
    for (const wish of [{ minAge: 35, maxAge: 35 }, { minAge: 40, maxAge: 40 }, { sex: 1 }, { country: 60 }] as const)
      expect(await found(numbers[0], wish)).toEqual([shy]);
    expect(await found(numbers[1], { minAge: 35, maxAge: 35 })).toEqual([open]);
    expect(await found(numbers[1], { minAge: 36, maxAge: 36 })).toEqual([]);
    const unborn = await world.person({ nickname: "of no birthday", searchable: false, birthday: null });
    expect(await found(await numberOf(unborn))).toEqual([]);
    // The replica's result, too, is filtered by the primary.
    const behind = { isThere: true, read: async () => [{ id: shy, name: "of no age" }] as never };
    const handlers = socialHandlers({
      db: world.database.db,
      replica: behind,
      clock: world.clock,
      social: world.social,
    });
    const wish = { text: numbers[0], sex: 0, minAge: 18, maxAge: 18, country: 0 } as const;
    expect((await handlers.userSearch(contextOf(me), { user_id: Number(me), ...wish })).rows).toHaveLength(1);
  });

  test("applies sex, country and age to the day; 65 means 65 and over", async () => {
    const at = (birthday: string) => world.person({ nickname: `aged ${birthday}`, birthday });
    // Ages on 2026-01-01, when the tests' clock starts.
    const [eighteen, twenty, almost21, sixtyFive, ninety] = [
      await at("2008-01-01"),
      await at("2006-01-01"),
      await at("2005-01-02"),
      await at("1961-01-01"),
      await at("1936-01-01"),
    ];
    await at("2008-01-02");
    expect(await found("aged", { maxAge: 18 })).toEqual([eighteen]);
    expect(await found("aged", { minAge: 20, maxAge: 20 })).toEqual([almost21, twenty]);
    expect(await found("aged", { minAge: 65 })).toEqual([ninety, sixtyFive]);
    expect(await found("aged", { minAge: 19, maxAge: 64 })).toEqual([almost21, twenty]);
    const woman = await world.person({ nickname: "aged woman", sex: 2, country_id: 1 });
    expect(await found("aged", { sex: 2 })).toEqual([woman]);
    expect(await found("aged", { country: 1 })).toEqual([woman]);
    expect(await found("aged", { sex: 1, country: 1 })).toEqual([]);
  });

  test("never finds oneself, hidden users, the official account, or users without age and sex", async () => {
    await world.person({ nickname: "searcher unborn", birthday: null });
    await world.person({ nickname: "searcher unknown", sex: 0 });
    await world.person({ nickname: "searcher official", official: true });
    const gone = await world.person({ nickname: "searcher gone" });
    await world.delete(gone);
    const blocker = await world.person({ nickname: "searcher blocker" });
    await world.call(me, blocker);
    expect(await found("searcher")).toEqual([blocker]);
    await world.social.block(blocker, me);
    expect(await found("searcher")).toEqual([]);
    for (const hidden of [gone, blocker, me]) expect(await found(await numberOf(hidden))).toEqual([]);
  });

  test("[PEOPLE-40] pages results, also with equal names", async () => {
    const twins: bigint[] = [];
    for (let at = 0; at < listPageRows + 1; at += 1) twins.push(await world.person({ nickname: "twin" }));
    const last = await world.person({ nickname: "twins" });
    const first = await search("twin");
    const second = await search("twin", { cursor: first.next ?? "" });
    const seen = [...first.rows, ...second.rows].map(({ user_id }) => BigInt(user_id));
    expect(seen).toEqual([...twins, last]);
    expect([first.rows.length, second.next]).toEqual([listPageRows, null]);
  });

  test("reveals nothing about unsearchable users by a forged cursor", async () => {
    const shown = await world.person({ nickname: "cursor m" });
    const blocker = await world.person({ nickname: "cursor blocker" });
    await world.call(me, blocker);
    await world.social.block(blocker, me);
    const pages: string[] = [];
    for (const other of [
      await world.person({ nickname: "cursor a", searchable: false }),
      await world.person({ nickname: "cursor z", searchable: false }),
      blocker,
      9_999_999n,
    ]) {
      const cursor = Buffer.from(`${other}:cursor g`).toString("base64url");
      pages.push((await found("cursor", { cursor })).join());
      // A cursor without a name, which would reveal users if the server accepted it.
      const before = Buffer.from(`0.${other}`).toString("base64url");
      await expect(found("cursor", { cursor: before })).rejects.toMatchObject({ code: codes.badInput });
    }
    expect(new Set(pages)).toEqual(new Set([String(shown)]));
  });

  test("continues after the longest name, and rejects a malformed cursor with 400", async () => {
    const long = "\u{10331}".repeat(40);
    const people: bigint[] = [];
    for (let at = 0; at < listPageRows + 1; at += 1) people.push(await world.person({ nickname: long }));
    const { next } = await search(long);
    expect(next?.length).toBeLessThanOrEqual(searchCursorLengthMax);
    expect(await found(long, { cursor: next ?? "" })).toEqual(people.slice(-1));
    for (const text of ["0.7", "7", "7:", "x:name", "7:na\0me", "1234567890123456789:name"]) {
      const cursor = Buffer.from(text).toString("base64url");
      await expect(search("", { cursor })).rejects.toMatchObject({ code: 400, data: { field: "cursor" } });
    }
    const strange = Buffer.concat([Buffer.from("7:"), Buffer.from([0xff, 0xfe])]).toString("base64url");
    await expect(search("nobody at all", { cursor: strange })).resolves.toMatchObject({ rows: [] });
  });

  test("puts a shown name into the cursor when the last user of a page was hidden a moment ago", async () => {
    const people: bigint[] = [];
    for (let at = 0; at < listPageRows + 1; at += 1) people.push(await world.person({ nickname: `shown ${at}` }));
    const hidden = people[listPageRows - 1] ?? 0n;
    const { db } = world.database;
    await db.updateTable("users").set({ searchable: false }).where("id", "=", hidden).execute();
    const asBefore = people.map((id, at) => ({ id, name: id === hidden ? "a secret" : `shown ${at}` }));
    const behind = { isThere: true, read: async () => asBefore as never };
    const handlers = socialHandlers({ db, replica: behind, clock: world.clock, social: world.social });
    const wish = { user_id: Number(me), text: "", sex: 0, minAge: 18, maxAge: 65, country: 0 } as const;
    const { next } = await handlers.userSearch(contextOf(me), wish);
    const place = Buffer.from(next ?? "", "base64url").toString();
    expect(place).toBe(`${people[listPageRows - 2]}:shown ${listPageRows - 2}`);
  });

  test("finds searchable users by filters alone, in pages", async () => {
    const women: bigint[] = [];
    for (let at = 0; at < listPageRows + 1; at += 1) {
      const nickname = `w${String(at).padStart(3, "0")}`;
      women.push(await world.person({ nickname, sex: 2, country_id: 60, birthday: "1970-05-05" }));
    }
    await world.person({ nickname: "w hidden", sex: 2, country_id: 60, birthday: "1970-05-05", searchable: false });
    await world.person({ nickname: "w man", country_id: 60, birthday: "1970-05-05" });
    await world.person({ nickname: "w younger", sex: 2, country_id: 60 });
    const wish = { sex: 2, country: 60, minAge: 50 } as const;
    const first = await search("", wish);
    const second = await search("  ", { ...wish, cursor: first.next ?? "" });
    const seen = [...first.rows, ...second.rows].map(({ user_id }) => BigInt(user_id));
    expect(seen).toEqual(women);
    expect([first.rows.length, second.next]).toEqual([listPageRows, null]);
    expect((await search("")).rows).toHaveLength(listPageRows);
  });

  test("lets a found user be opened and followed for an hour", async () => {
    const stranger = await world.person({ nickname: "lonely" });
    expect(await world.social.isKnown(me, stranger)).toBe(false);
    await found("lonely");
    expect([await world.social.isKnown(me, stranger), await world.social.isKnown(stranger, me)]).toEqual([true, false]);
    world.clock.advance(3_599_999);
    expect(await world.social.follow(me, stranger, null)).toBe(1);
    await world.social.follow(me, stranger, null);
    world.clock.advance(1);
    await expect(world.social.follow(me, stranger, true)).rejects.toMatchObject(refusals.notMet);
  });

  test("answers 503 while the short memory is unavailable, and still knows other acquaintances", async () => {
    const [friend, stranger] = [await world.person({ nickname: "known" }), await world.person({ nickname: "sought" })];
    await Promise.all([found("known"), found("sought")]);
    await world.friends(me, friend);
    const away = unavailable(1);
    using _kept = vi.spyOn(world.temporaryStore, "remember").mockRejectedValue(away);
    using _recalled = vi.spyOn(world.temporaryStore, "recall").mockRejectedValue(away);
    await expect(found("sought")).rejects.toMatchObject({ code: 503, data: { retry_after: 1 } });
    await expect(world.social.isKnown(me, stranger)).rejects.toMatchObject({ code: 503 });
    await expect(world.social.follow(me, stranger, true)).rejects.toMatchObject({ code: 503 });
    expect(await world.social.isKnown(me, friend)).toBe(true);
  });

  test("counts the distinct users shown without a name, and rejects more than 500 a day", async () => {
    const taken: [string, string, number][] = [];
    world.takeFromLimit = async (limit, key, amount = 1) => {
      taken.push([limit, key, amount]);
      return taken.length > 2 ? 3_600 : null;
    };
    const wish = { country: 77 } as const;
    const people: bigint[] = [];
    for (let at = 0; at < 3; at += 1) people.push(await world.person({ nickname: `brow ${at}`, country_id: 77 }));
    expect(await found("", wish)).toEqual(people);
    expect(await found("br", wish)).toEqual(people);
    expect(taken).toEqual([["browsedPeopleByUser", String(me), 3]]);
    const late = await world.person({ nickname: "brow late", country_id: 77 });
    world.clock.advance(23 * 3_600_000);
    expect(await found(" ", wish)).toEqual([...people, late]);
    expect(taken.slice(1)).toEqual([["browsedPeopleByUser", String(me), 1]]);
    // Searches by name or number do not count, and the count restarts after a day.
    expect(await found("brow", wish)).toEqual([...people, late]);
    expect(await found(await numberOf(late))).toEqual([late]);
    expect(taken).toHaveLength(2);
    world.clock.advance(3_600_000);
    await expect(search("", wish)).rejects.toMatchObject({ code: codes.slowDown, data: { retry_after: 3_600 } });
    expect(taken.at(-1)).toEqual(["browsedPeopleByUser", String(me), 3]);
    world.takeFromLimit = async () => null;
    expect(limitRules.browsedPeopleByUser.windows).toEqual([{ count: 500, windowSeconds: 86_400 }]);
  });
});
