import type { MailKind } from "@fava/wire/mails.ts";
import { ar } from "./ar.ts";
import { en } from "./en.ts";
import { id } from "./id.ts";
import { tr } from "./tr.ts";
import { zhCn } from "./zh-cn.ts";

/** `text`: paragraphs; `{link}` is one of its own. */
export interface MailText {
  readonly subject: string;
  readonly text: readonly string[];
}

type TextName =
  | "confirm"
  | "appealUpheld"
  | "appealShortened"
  | "appealLifted"
  | "noticeUpheld"
  | "noticeUnfounded"
  | "ban"
  | "deletion"
  | "deletionLast"
  | "ageCheck"
  | "receipt"
  | "signIn"
  | "missedCall";

type Phrase = "wrote" | "byPerson" | "bySoftware" | "ends" | "noEnd" | "unknown" | "why" | "whyOnce" | "stop";

type PagePhrase =
  | "confirm"
  | "confirmText"
  | "confirmGo"
  | "confirmed"
  | "confirmedText"
  | "expired"
  | "expiredText"
  | "stop"
  | "stopText"
  | "stopGo"
  | "stopped"
  | "stoppedText"
  | "open";

export interface MailTexts extends Readonly<Record<TextName, MailText>>, Readonly<Record<Phrase, string>> {
  /** Pages behind the links of mails. */
  readonly page: Readonly<Record<PagePhrase, string>>;
  /** Names of the kinds that users choose, inside a sentence. */
  readonly kinds: Readonly<Record<MailKind, string>>;
}

/** The languages of mails. */
export const mailTexts: Readonly<Record<string, MailTexts>> = { "zh-CN": zhCn, en, ar, tr, id };

export function mailTextsIn(language: string): { language: string; texts: MailTexts } {
  const texts = mailTexts[language];
  return texts ? { language, texts } : { language: "en", texts: en };
}

/** Replaces placeholders such as `{until}`. A value that contains a placeholder stays as it is. */
export function filledText(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}
