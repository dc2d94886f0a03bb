import { expect, test } from "vitest";
import { interfaceLanguages } from "@fava/wire/languages.ts";
import type { BanFacts } from "@fava/wire/moderation.ts";
import { textsIn } from "#lib/i18n.ts";
import { banStatement, statementFormat } from "./ban-statement.ts";

const callAt = Date.UTC(2026, 10, 21, 14, 4);
const facts: BanFacts = {
  at: Date.UTC(2026, 10, 21, 14, 12),
  until: Date.UTC(2026, 10, 28, 14, 12),
  reason_id: 6,
  by: "person",
  is_provisional: false,
  rule: null,
  call_at: callAt,
  reports: 3,
  strike: 2,
  strike_until: Date.UTC(2027, 1, 19),
};
const english = statementFormat("en", "utc");

test("[DESK-100] states until when, what was found, who decided, which strike it is and how to appeal", async () => {
  const { title, lines } = banStatement(await textsIn("en"), english, facts);
  expect(title).toBe("You can’t use video chat until November 28, 2026 at 2:12 PM UTC.");
  expect(lines).toEqual([
    "In your call of November 21, 2026 at 2:04 PM UTC you recorded someone, or threatened them to get something. Our rules forbid recording and blackmail.",
    "A person made this decision, after 3 reports.",
    "It counts as strike 2 of 3 until February 19, 2027.",
    "You can appeal within six months. Someone else will decide. Your beans stay yours.",
  ]);
});

test("[DESK-100] states that software decided for a short time, and that a person will review it", async () => {
  const bySoftware: BanFacts = { ...facts, reason_id: 1, by: "software", is_provisional: true, strike: 0, reports: 0 };
  const { title, lines } = banStatement(await textsIn("en"), english, bySoftware);
  expect(title).toMatch(/^For now,/);
  expect(lines).toHaveLength(4);
  expect(lines[0]).toContain("our check found nudity");
  expect(lines.join(" ")).toContain("Software made this decision. A person will look at it.");
});

test("[DESK-100] states no end for a permanent ban, and no call if it is about none", async () => {
  const { title, lines } = banStatement(await textsIn("en"), english, { ...facts, until: null, call_at: null });
  expect(title).toBe("You can no longer use video chat.");
  expect(lines[0]).toMatch(/^You recorded/);
});

test.each(interfaceLanguages.map(({ value }) => value))(
  "writes the statement in %s without changing the active language",
  async (language) => {
    const statement = banStatement(await textsIn(language), statementFormat(language, "utc"), facts);
    for (const line of [statement.title, ...statement.lines]) expect(line).not.toMatch(/statementOf|[{}]/);
    const inEnglish = banStatement(await textsIn("en"), english, facts);
    expect(statement.title === inEnglish.title).toBe(language === "en");
  },
  // A catalog is compiled while it is loaded.
  20_000,
);
