import type * as v from "valibot";
import type { TextCover, TextSpan, textFindingSchema } from "@fava/wire/messages.ts";
import type { EndpointError } from "#lib/errors.ts";

export type TextFinding = v.InferOutput<typeof textFindingSchema>;
export type TextPlace = "message" | "nickname" | "about" | "location";

/** A text that its writer wants to store. */
export interface WrittenText {
  readonly writerId: bigint;
  /** Null where many may read it. */
  readonly readerId: bigint | null;
  readonly place: TextPlace;
  readonly text: string;
}

/** What the text rules say of a text. */
export interface TextReading {
  readonly findings: readonly TextFinding[];
  readonly spans: readonly TextSpan[];
  /** `friends`: in a conversation in which both may write, and under the cover where there is one. */
  readonly mayRead: "everybody" | "friends" | "nobody";
  readonly cover: TextCover["kind"] | null;
  /** For the record. */
  readonly noted: readonly NotedFinding[];
}

/** What may not be written (rules TEXT-*): ways to be reached outside, addresses, numbers of cards and accounts, abuse and solicitation. */
export interface TextRules {
  /** Reads a text as its writer and reader would. Records nothing. */
  read(written: Omit<WrittenText, "place">): Promise<TextReading>;
  /**
   * Records that a text was refused; the text itself is not kept.
   *
   * @returns EndpointError 406 `personal_data` or `abusive_text`, with `findings`, `field` and `spans`.
   */
  refusal(written: WrittenText, reading: TextReading): Promise<EndpointError>;
  /** Records that the reader got a text under a cover. */
  covered(written: WrittenText & { readonly clientId: string }, reading: TextReading): Promise<void>;
  /**
   * Allows a text that everybody may read.
   *
   * @throws EndpointError as `refusal` has it.
   */
  require(userId: bigint, text: string, place: TextPlace): Promise<void>;
}

/** What the text rules know of a person who writes or reads a text. */
export interface Speaker {
  /** Two letters; undefined where no country is known. */
  readonly country: string | undefined;
  /** Language of the interface, then the languages that the person says they talk in. */
  readonly languages: readonly string[];
}

/** A text as its reader gets it. */
export interface DeliveredText {
  /** `coverMask` where there is a cover. */
  readonly text: string;
  /** Stretches of the text, or of the cover's, whose letters were taken out. */
  readonly hidden: readonly TextSpan[];
  readonly cover: TextCover | null;
}

/** What the text rules say of a chat line of a call before the other reads it. */
export type ChatVerdict =
  | { readonly kind: "pass" }
  /** The writer reads the findings, and the spans of them in the text as it was written. */
  | {
      readonly kind: "changed";
      readonly delivered: DeliveredText;
      readonly findings: readonly TextFinding[];
      readonly spans: readonly TextSpan[];
    }
  | { readonly kind: "abusive" }
  | { readonly kind: "muted"; readonly untilMs: number };

/** Who writes a chat line, and to whom. */
export interface ChatLineContext {
  readonly userId: bigint;
  readonly readerId: bigint;
  readonly callId: string;
  readonly clientId: string;
  readonly writer: Speaker;
  readonly reader: Speaker;
}

/** The rules for chat lines of calls, decided at once from memory. */
export interface ChatMessageFilter {
  evaluate(line: ChatLineContext, text: string): ChatVerdict;
}

type ContactKind = "phone" | "email" | "link" | "handle" | "account_number" | "address";
export type TextFindingKind = ContactKind | "advert" | "insult" | "threat" | "hate" | "solicitation" | "minor";

/** What the text rules found in a text, as far as its record goes. */
export interface NotedFinding {
  readonly kind: TextFindingKind;
  readonly confidence: "sure" | "likely";
  /** File and row of the phrase, such as `en:12`, or `contact:phone`. */
  readonly ruleId: string;
}

/** A line, message or other text that was hidden, covered or refused. */
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

/** The record of what the text rules found (never the text) and what follows from it for the writer. */
export interface TextFindingLog {
  /** Records the `sure` findings of one text in the background. Drops a flood, but for findings about minors. */
  note(event: TextFindingEvent): void | Promise<void>;
}
