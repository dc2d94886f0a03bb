import type { MailKind } from "@fava/wire/mails.ts";

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
  | "missedCall"
  | "test";

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
