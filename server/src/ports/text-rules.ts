import type * as v from "valibot";
import type { TextCover, TextSpan, textFindingSchema } from "@fava/wire/messages.ts";
import type { EndpointError } from "#lib/errors.ts";

export type TextFinding = v.InferOutput<typeof textFindingSchema>;
export type TextPlace = "message" | "nickname" | "about" | "location";

export interface WrittenText {
  readonly writerId: bigint;
  /** Null for a text with many readers. */
  readonly readerId: bigint | null;
  readonly place: TextPlace;
  readonly text: string;
}

export interface TextReading {
  readonly findings: readonly TextFinding[];
  readonly spans: readonly TextSpan[];
  /** `friends`: only in an open conversation, under the cover if there is one. */
  readonly mayRead: "everybody" | "friends" | "nobody";
  readonly cover: TextCover["kind"] | null;
  readonly noted: readonly NotedFinding[];
}

/** Rules TEXT-*: no contact data, addresses, card or account numbers, abuse or soliciting in texts. */
export interface TextRules {
  /** Evaluates a text for its writer and reader. Records nothing. */
  read(written: Omit<WrittenText, "place">): Promise<TextReading>;
  /**
   * Records the refusal, without the text.
   * @returns EndpointError 406 `personal_data` or `abusive_text`, with `findings`, `field` and `spans`.
   */
  refusal(written: WrittenText, reading: TextReading): Promise<EndpointError>;
  /** Records that the reader received a text under a cover. */
  covered(written: WrittenText & { readonly clientId: string }, reading: TextReading): Promise<void>;
  /** Allows a text that everyone may read. @throws EndpointError as of `refusal`. */
  require(userId: bigint, text: string, place: TextPlace): Promise<void>;
}

export interface UserLocale {
  /** ISO alpha-2 code; undefined where unknown. */
  readonly country: string | undefined;
  /** Interface language, then the languages that the user speaks. */
  readonly languages: readonly string[];
}

/** A text as its reader receives it. */
export interface DeliveredText {
  /** `coverMask` where there is a cover. */
  readonly text: string;
  /** Removed parts of the text, or of the covered text. */
  readonly hidden: readonly TextSpan[];
  readonly cover: TextCover | null;
}

/** Decision about a chat line before the partner receives it. */
export type ChatVerdict =
  | { readonly kind: "pass" }
  /** The writer receives the findings and their places in the original text. */
  | {
      readonly kind: "changed";
      readonly delivered: DeliveredText;
      readonly findings: readonly TextFinding[];
      readonly spans: readonly TextSpan[];
    }
  | { readonly kind: "abusive" }
  | { readonly kind: "muted"; readonly untilMs: number };

export interface ChatLineContext {
  readonly userId: bigint;
  readonly readerId: bigint;
  readonly callId: string;
  readonly clientId: string;
  readonly writer: UserLocale;
  readonly reader: UserLocale;
}

/** The text rules for chat lines of calls; decides synchronously, from memory. */
export interface ChatMessageFilter {
  evaluate(line: ChatLineContext, text: string): ChatVerdict;
}

type ContactKind = "phone" | "email" | "link" | "handle" | "account_number" | "address";
export type TextFindingKind = ContactKind | "advert" | "insult" | "threat" | "hate" | "solicitation" | "minor";

export interface NotedFinding {
  readonly kind: TextFindingKind;
  readonly confidence: "sure" | "likely";
  /** `en:12`: file and row of the phrase; `contact:phone`: a kind of contact data. */
  readonly ruleId: string;
}

export interface TextFindingEvent {
  readonly writerId: bigint;
  /** Null where the text has no single reader, such as a nickname. */
  readonly readerId: bigint | null;
  readonly place: TextPlace | "call";
  /** The `clientId` of the line or message; null for an undelivered text. */
  readonly lineRef: string | null;
  readonly callId?: string;
  readonly findings: readonly NotedFinding[];
  /** Only with a finding about a minor: it is sealed with the restricted case. */
  readonly text?: string;
}

/** Record of findings (never of texts), and their consequences for the writer. */
export interface TextFindingLog {
  /** Records the `sure` findings of one text in the background. Drops a flood, except findings about minors. */
  note(event: TextFindingEvent): void | Promise<void>;
}
