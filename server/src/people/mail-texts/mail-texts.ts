import { ar } from "./ar.ts";
import { en } from "./en.ts";
import { id } from "./id.ts";
import type { MailTexts } from "./text-shape.ts";
import { tr } from "./tr.ts";
import { zhCn } from "./zh-cn.ts";

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
