import { expect, test } from "vitest";
import { offeredLanguagesDefault } from "@fava/wire/languages.ts";
import { mailKinds } from "@fava/wire/mails.ts";
import { ServerSecret } from "#lib/server-secret.ts";
import { isByChoice, type MailFacts, type MailTemplate } from "#ports/mails.ts";
import { mailSecret } from "#test/fakes/mails.ts";
import { mailTexts } from "./mail-texts/mail-texts.ts";
import { MailTokens } from "./mail-tokens.ts";
import { writtenMail } from "./mail-writing.ts";

const tokens = new MailTokens(mailSecret);
const origin = "https://fava.test";
const untilMs = Date.UTC(2026, 11, 24, 18, 30);

const facts: { readonly [Template in MailTemplate]: readonly MailFacts[Template][] } = {
  confirm: [{ atMs: untilMs }],
  appeal: (["upheld", "shortened", "lifted"] as const).map((outcome) => ({
    outcome,
    answer: "You said\nit was not you.",
    untilMs: outcome === "shortened" ? untilMs : null,
  })),
  notice: (["upheld", "unfounded"] as const).map((outcome) => ({
    outcome,
    no: "N-7",
    reason: "We <looked>.",
    link: "/notice#7.x",
  })),
  ban: [
    { reasonId: 1, untilMs, by: "person" },
    { reasonId: 2, untilMs: null, by: "software" },
  ],
  deletion: [{ untilMs }],
  deletion_last: [{ untilMs }],
  age_check: [{ untilMs }],
  receipt: [{ orderNo: "A-1", beans: "12500", amountMinor: "999", currency: "USD", atMs: untilMs }],
  sign_in: [
    { browser: "Firefox", system: "Linux", countryId: 1, atMs: untilMs },
    { browser: "", system: "", countryId: null, atMs: untilMs },
  ],
  missed_call: [{ atMs: untilMs }],
  test: [{ atMs: untilMs }],
};
const all = Object.entries(facts).flatMap(([template, examples]) =>
  examples.map((example) => ({ template: template as MailTemplate, facts: example })),
);

function write(mail: (typeof all)[number], language: string, confirmedAtMs: number | null = 1) {
  return writtenMail(mail, { receiver: { userId: 7n, language, confirmedAtMs }, tokens, origin });
}

test("[MAIL-5] writes every mail in every offered language, complete, the same in text and HTML, with own links only", () => {
  expect(Object.keys(mailTexts)).toEqual([...offeredLanguagesDefault]);
  for (const language of offeredLanguagesDefault)
    for (const mail of all) {
      const { subject, text, html, stopUrl } = write(mail, language);
      expect(subject).toMatch(/^[^{}\n]{5,150}$/u);
      expect(text).not.toMatch(/\{\w+\}|undefined|null|NaN/);
      const words = html.replace(/^.*<body>\n/s, "").replaceAll(/<[^>]+>/g, "");
      const read = words.replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)));
      expect(read.split("\n").filter(Boolean)).toEqual(text.split("\n").filter(Boolean));
      for (const [url] of `${text} ${html}`.matchAll(/https?:\/\/[^\s"<]+/g))
        expect(url.startsWith(`${origin}/`)).toBe(true);
      expect(html).not.toMatch(/<(?:img|script|link|style)|src=/);
      expect(html).toContain(`dir="${language === "ar" ? "rtl" : "ltr"}"`);
      expect(stopUrl !== null).toBe(isByChoice(mail.template));
      expect(text === write(mail, "en").text).toBe(language === "en");
    }
});

test("[MAIL-5] writes in English where the language has no mails", () => {
  for (const mail of all) expect(write(mail, "de").text).toBe(write(mail, "en").text);
});

test("tells what was decided, until when, and by whom", () => {
  const text = (template: MailTemplate, at: number) => write({ template, facts: facts[template][at]! }, "en").text;
  expect(text("appeal", 1)).toContain("it ends on December 24, 2026 at 6:30 PM (UTC)");
  expect(text("appeal", 0)).toContain("The moderator wrote:\n\nYou said\n\nit was not you.");
  expect(text("notice", 1)).toContain(`${origin}/notice#7.x`);
  expect(text("ban", 0)).toContain("Reason: Pornography.\n\nA person decided this.\n\nIt ends on December 24");
  expect(text("ban", 1)).toContain("Software decided this");
  expect(text("ban", 1)).toContain("It has no end date.");
  expect(text("receipt", 0)).toContain("You bought 12,500 beans for $9.99");
  expect(text("sign_in", 1)).toContain("unknown device");
});

test("says why the receiver gets it: for the account, or for one matter only", () => {
  const mail = { template: "appeal", facts: facts.appeal[0]! } as const;
  expect(write(mail, "en").text).toContain("in your Fava account");
  expect(write(mail, "en", null).text).toContain("for this matter");
});

test("[MAIL-8] keeps facts out of headers and markup", () => {
  const attack = { ...facts.notice[0]!, no: "N-7\r\nBcc: bo@example.org", reason: "<b>{link}</b>" };
  const { subject, html, text } = write({ template: "notice", facts: attack }, "en");
  expect(subject).toBe("Our decision on your notice N-7 Bcc: bo@example.org");
  expect(html).not.toContain("<b>");
  expect(text).toContain("<b>{link}</b>");
});

test("[MAIL-6] makes links that only their receiver can use, for one purpose", () => {
  const confirm = tokens.confirm({ userId: 7n, atMs: 5 });
  expect(tokens.confirmed(confirm)).toMatchObject({ userId: 7n, atMs: 5 });
  expect(tokens.stopped(confirm)).toBeNull();
  for (const kind of mailKinds) {
    const stop = tokens.stop({ userId: 7n, atMs: 5, kind });
    expect(tokens.stopped(stop)).toMatchObject({ userId: 7n, kind });
    expect(tokens.confirmed(stop)).toBeNull();
    for (const forged of [stop.replace(".7.", ".8."), stop.replace(".5.", ".6."), stop.slice(0, -1), `${stop}x`, ""])
      expect(tokens.stopped(forged)).toBeNull();
  }
  expect(new MailTokens(new ServerSecret("another secret, which is long enough")).confirmed(confirm)).toBeNull();
});
