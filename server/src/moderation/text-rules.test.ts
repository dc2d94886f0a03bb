import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { findPersonalData } from "@fava/wire/personal-data.ts";
import { countryByCode } from "@fava/wire/countries.ts";
import { spokenLanguageId } from "@fava/wire/talk.ts";
import { fuzz } from "@fava/wire/testing/depth.ts";
import { refusalOf, sessionWorld, type SessionWorld } from "#test/fixtures/session-world.ts";
import { TextFindings } from "./text-findings.ts";
import { namedFindings, scanText, TextRulesService } from "./text-service.ts";

const findingsIn = (text: string, country?: string) =>
  namedFindings(scanText(text, country === undefined ? {} : { countries: [country] }));

let world: SessionWorld;
let rules: TextRulesService;

beforeAll(async () => {
  world = await sessionWorld();
  const { db } = world.database;
  const findings = new TextFindings({ db, clock: world.clock, recordQueue: { add: (work) => work() } });
  rules = new TextRulesService({ db, log: findings });
});

test.each([
  ["16.30 then 2000 beans", ""],
  ["it costs 1.500.000", ""],
  ["I was born 12.05.1998", ""],
  ["yes.it is, hi.my name", ""],
  ["Scunthorpe", ""],
  ["v1.2.3", ""],
  ["see youtu.be/abc", "link"],
  ["example.co.uk", "link"],
  ["card 4242 4242 4242 4242", "account_number"],
  ["4242 4242 4242 4243 0000", ""],
  ["TR33 0006 1005 1978 6457 8413 26 hocam", "account_number"],
])("finds in %j exactly %j", (text, findings) => {
  expect(findingsIn(text, "TR").join()).toBe(findings);
});

test("recognizes a number in national form by the writer's country", async () => {
  const text = "it is 4952 4511";
  expect(findingsIn(text, "DK")).toEqual(["phone"]);
  expect(findingsIn(text, undefined)).toEqual([]);
  const { user } = await world.login("Dana", { ip: "203.0.113.7" });
  expect(await readingOf(user.id, "5321234567")).toMatchObject({ findings: ["phone"] });
});

const readingOf = (writerId: bigint, text: string, readerId: bigint | null = null) =>
  rules.read({ writerId, readerId, text });

test("scans a text by the countries and languages of its writer and its reader", async () => {
  const { db } = world.database;
  const [writer, reader] = [(await world.login("Wu")).user, (await world.login("Ren")).user];
  await db.updateTable("users").set({ country_id: 18, language: "en" }).where("id", "=", writer.id).execute();
  await db
    .updateTable("users")
    .set({ country_id: countryByCode("DK")!.id, language: "en" })
    .where("id", "=", reader.id)
    .execute();
  expect(await readingOf(writer.id, "it is 4952 4511")).toMatchObject({ findings: [] });
  expect(await readingOf(writer.id, "it is 4952 4511", reader.id)).toMatchObject({ findings: ["phone"] });
  expect(await readingOf(writer.id, "hurensohn")).toMatchObject({ findings: [] });
  const german = {
    user_id: reader.id,
    languages: [spokenLanguageId("de")!],
    interests: [],
    prefer: true,
    changed_at: new Date(),
  };
  await db.insertInto("talk").values(german).execute();
  rules.locales.forget(reader.id);
  expect(await readingOf(writer.id, "hurensohn", reader.id)).toMatchObject({ findings: ["abuse"], cover: "insult" });
});

test("refuses a text with kinds, place and spans of its findings, and records it without the text", async () => {
  const { user } = await world.login("Tia");
  await expect(rules.require(user.id, "hello there", "message")).resolves.toBeUndefined();
  expect(await refusalOf(rules.require(user.id, "ana@example.org or t.me/ana", "about"))).toEqual({
    code: 406,
    data: {
      reason: "personal_data",
      findings: ["email", "link"],
      field: "about",
      spans: [
        { start: 0, end: 15, finding: "email" },
        { start: 19, end: 27, finding: "link" },
      ],
    },
  });
  const rows = await world.database.db
    .selectFrom("text_findings")
    .selectAll()
    .where("writer_id", "=", user.id)
    .orderBy("rule_id")
    .execute();
  expect(rows).toMatchObject([
    { place: "about", kind: "email", rule_id: "contact:email", line_ref: null },
    { place: "about", kind: "link", rule_id: "contact:link", line_ref: null },
  ]);
  expect(rows.flatMap((row) => Object.values(row).map(String)).join()).not.toContain("example");
});

test("scans any text of 1,000 characters without an error, and finds at least what the page finds", () => {
  const signs = fc.constantFrom(
    ...Array.from("019+-(). @ab_:/\n٣①微信"),
    "snap ",
    "whatsapp",
    " at ",
    " dot ",
    "com",
    "tr33 ",
    "4242",
    "\ud800",
  );
  const anything = fc.oneof(
    fc.string({ unit: "binary", maxLength: 1_000 }),
    fc.array(signs, { maxLength: 250 }).map((parts) => parts.join("").slice(0, 1_000)),
  );
  fc.assert(
    fc.property(anything, fc.constantFrom("TR", "US", "XX", undefined), (text, country) => {
      const findings = findingsIn(text, country);
      expect(new Set(findings).size).toBe(findings.length);
      expect(findings).toEqual(expect.arrayContaining(findPersonalData(text)));
    }),
    fuzz(60),
  );
});

test.each(["1 ", "a@", "snap ", "+1", "微信", "a1b2 ", "gb82 ", "x.tr/", "1.1 "])(
  "scans the longest message, made of %j, without an error",
  (part) => {
    expect(() => findingsIn(part.repeat(1_000).slice(0, 1_000), "TR")).not.toThrow();
  },
);

test("[TEXT-68] rejects insults, threats and requests for nudity in stored texts, and tells them apart", async () => {
  const { user } = await world.login("Abel");
  for (const [text, findings] of [
    ["you stupid whore", ["abuse"]],
    ["kendini öldür", ["abuse"]],
    ["send nudes", ["solicitation"]],
  ] as const) {
    expect(await refusalOf(rules.require(user.id, text, "message"))).toMatchObject({
      code: 406,
      data: { reason: "abusive_text", findings, field: "message", spans: [{ finding: findings[0] }] },
    });
  }
  expect(await refusalOf(rules.require(user.id, "you whore, t.me/ana", "about"))).toMatchObject({
    data: { reason: "personal_data", findings: ["link", "abuse"] },
  });
});
