import { directionOf } from "@fava/wire/languages.ts";
import { majorText } from "@fava/wire/money.ts";
import { banReasonKey } from "@fava/wire/reasons.ts";
import { catalogText } from "#lib/catalog-text.ts";
import { countryName } from "#lib/country-name.ts";
import { escapeHtml } from "#lib/escape-html.ts";
import type { Mail } from "#ports/mailer.ts";
import { isByChoice, type MailFacts, type MailTemplate } from "#ports/mails.ts";
import { filledText, mailTextsIn } from "./mail-texts/mail-texts.ts";
import type { MailText, MailTexts } from "./mail-texts/text-shape.ts";
import type { MailTokens } from "./mail-tokens.ts";

type Values = Readonly<Record<string, string>>;

/** `path`: what `{link}` opens. `quoted`: a moderator's own words. */
interface Content {
  readonly text: MailText;
  readonly values?: Values;
  readonly path?: string;
  readonly quoted?: string;
}

export interface Receiver {
  readonly userId: bigint | null;
  readonly language: string;
  readonly confirmedAtMs: number | null;
}

interface Written extends Pick<Mail, "subject" | "text" | "html" | "stopUrl"> {}

export const confirmPath = "/api/user/mail/confirm";
export const stopPath = "/api/mail/stop";

const subjectLengthMax = 150;

/** Subject and text of a mail, in the receiver's language (rule MAIL-5). `origin`: empty in development. */
export function writtenMail(
  mail: { template: MailTemplate; facts: MailFacts[MailTemplate] },
  { receiver, tokens, origin }: { receiver: Receiver; tokens: MailTokens; origin: string },
): Written {
  const { language, texts } = mailTextsIn(receiver.language);
  const { userId, confirmedAtMs } = receiver;
  const { template } = mail;
  const link = (path: string, token: string) =>
    `${origin}${path}?${new URLSearchParams({ token, language }).toString()}`;
  const content = contentOf(mail, { texts, language });
  let address = `${origin}${content.path ?? "/"}`;
  if (template === "confirm" && userId !== null)
    address = link(confirmPath, tokens.confirm({ userId, atMs: (mail.facts as MailFacts["confirm"]).atMs }));
  const stopUrl =
    isByChoice(template) && userId !== null && confirmedAtMs !== null
      ? link(stopPath, tokens.stop({ userId, atMs: confirmedAtMs, kind: template }))
      : null;
  const values = { ...content.values, link: address };
  const paragraphs = [
    ...content.text.text.map((text) => filledText(text, values)),
    ...(content.quoted ? [texts.wrote, ...content.quoted.split(/\s*\n\s*/)] : []),
    // The confirmation explains itself.
    ...(template === "confirm" ? [] : [confirmedAtMs === null ? texts.whyOnce : texts.why]),
    ...(stopUrl === null ? [] : [texts.stop, stopUrl]),
  ];
  return {
    subject: oneLine(filledText(content.text.subject, values)),
    text: `${paragraphs.join("\n\n")}\n`,
    html: htmlOf(paragraphs, { language, links: new Set([address, stopUrl]) }),
    stopUrl,
  };
}

/** One case for each template, which `switch` over a generic parameter could not narrow. */
const contents: {
  readonly [Template in MailTemplate]: (
    facts: MailFacts[Template],
    about: { texts: MailTexts; format: Format },
  ) => Content;
} = {
  confirm: (_facts, { texts }) => ({ text: texts.confirm }),
  appeal: ({ outcome, answer, untilMs }, { texts, format }) => {
    const text = { upheld: texts.appealUpheld, shortened: texts.appealShortened, lifted: texts.appealLifted }[outcome];
    return { text, values: { until: untilMs === null ? "" : format.time(untilMs) }, quoted: answer };
  },
  notice: ({ no, outcome, reason, link: path }, { texts }) => ({
    text: outcome === "upheld" ? texts.noticeUpheld : texts.noticeUnfounded,
    values: { no },
    path,
    quoted: reason,
  }),
  ban: ({ reasonId, untilMs, by }, { texts, format }) => ({
    text: texts.ban,
    values: {
      reason: catalogText(format.language, banReasonKey(reasonId)),
      by: by === "software" ? texts.bySoftware : texts.byPerson,
      end: untilMs === null ? texts.noEnd : filledText(texts.ends, { until: format.time(untilMs) }),
    },
  }),
  deletion: ({ untilMs }, { texts, format }) => ({ text: texts.deletion, values: { until: format.time(untilMs) } }),
  deletion_last: ({ untilMs }, { texts, format }) => ({
    text: texts.deletionLast,
    values: { until: format.time(untilMs) },
  }),
  age_check: ({ untilMs }, { texts, format }) => ({ text: texts.ageCheck, values: { until: format.time(untilMs) } }),
  receipt: ({ orderNo: order, beans, amountMinor, currency, atMs }, { texts, format }) => ({
    text: texts.receipt,
    values: { order, beans: format.count(beans), money: format.money(amountMinor, currency), at: format.time(atMs) },
  }),
  sign_in: ({ browser, system, countryId, atMs }, { texts, format }) => {
    const country = countryId === null ? "" : countryName(countryId, format.language);
    const device = [browser, system, country].filter((part) => part !== "").join(", ") || texts.unknown;
    return { text: texts.signIn, values: { device, at: format.time(atMs) } };
  },
  missed_call: ({ atMs }, { texts, format }) => ({ text: texts.missedCall, values: { at: format.time(atMs) } }),
  test: ({ atMs }, { texts, format }) => ({ text: texts.test, values: { at: format.time(atMs) } }),
};

function contentOf(
  { template, facts }: { template: MailTemplate; facts: MailFacts[MailTemplate] },
  { texts, language }: { texts: MailTexts; language: string },
): Content {
  const content = contents[template] as (facts: unknown, about: { texts: MailTexts; format: Format }) => Content;
  return content(facts, { texts, format: formatOf(language) });
}

type Format = ReturnType<typeof formatOf>;

/** Times are UTC: the server does not know the reader's time zone. */
function formatOf(language: string) {
  const numbers = { numberingSystem: "latn" } as const;
  const times = new Intl.DateTimeFormat(language, {
    ...numbers,
    calendar: "gregory",
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  });
  return {
    language,
    time: (ms: number) => `${times.format(ms)} (UTC)`,
    count: (count: string) => new Intl.NumberFormat(language, numbers).format(BigInt(count)),
    money: (minor: string, currency: string) =>
      new Intl.NumberFormat(language, { ...numbers, style: "currency", currency }).format(
        majorText(BigInt(minor), currency) as Intl.StringNumericLiteral,
      ),
  };
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").slice(0, subjectLengthMax);
}

function htmlOf(
  paragraphs: readonly string[],
  { language, links }: { language: string; links: ReadonlySet<string | null> },
): string {
  const lines = paragraphs.map((text) => {
    const shown = escapeHtml(text);
    return `<p>${links.has(text) ? `<a href="${shown}">${shown}</a>` : shown}</p>`;
  });
  return `<!doctype html>\n<html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8"></head><body>\n${lines.join("\n")}\n</body></html>\n`;
}
