import type * as v from "valibot";
import type { TextCover, TextSpan, textFindingSchema } from "@fava/wire/messages.ts";
import type { EndpointError } from "#lib/errors.ts";

export type TextFinding = v.InferOutput<typeof textFindingSchema>;
export type TextPlace = "message" | "nickname" | "about" | "location";

export interface WrittenText {
  readonly writerId: bigint;
  /** Null if the text has many readers. */
  readonly readerId: bigint | null;
  readonly place: TextPlace;
  readonly text: string;
}

export interface TextReading {
  readonly findings: readonly TextFinding[];
  readonly spans: readonly TextSpan[];
  /** `friends`: only in an open conversation, and under the cover if there is one. */
  readonly mayRead: "everybody" | "friends" | "nobody";
  readonly cover: TextCover["kind"] | null;
  readonly noted: readonly NotedFinding[];
}

/** Rules TEXT-*: no contact data, addresses, card or account numbers, abuse or soliciting in texts. */
export interface TextRules {
  /** Finds what the rules say about a text, for its writer and reader. Records nothing. */
  read(written: Omit<WrittenText, "place">): Promise<TextReading>;
  /**
   * Records a refusal without the text, and returns the error for its writer.
   * @returns EndpointError 406 `personal_data` or `abusive_text`, with `findings`, `field` and `spans`.
   */
  refusal(written: WrittenText, reading: TextReading): Promise<EndpointError>;
  /** Records that the reader received a text under a cover. */
  covered(written: WrittenText & { readonly clientId: string }, reading: TextReading): Promise<void>;
  /**
   * Requires that everybody may read the text.
   * @throws EndpointError as `refusal` returns it.
   */
  require(userId: bigint, text: string, place: TextPlace): Promise<void>;
}

export interface UserLocale {
  /** ISO alpha-2 code; undefined if unknown. */
  readonly country: string | undefined;
  /** First the interface language, then the languages that the user speaks. */
  readonly languages: readonly string[];
}

export interface DeliveredText {
  /** If the text has a cover, this is `coverMask`. */
  readonly text: string;
  /** Where parts were removed: in the text, or in the text under the cover. */
  readonly hidden: readonly TextSpan[];
  readonly cover: TextCover | null;
}

export type ChatVerdict =
  | { readonly kind: "pass" }
  /** The reader gets a changed text. The writer gets the findings and their places in the original. */
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

/** The text rules for chat lines of calls. Decides at once, without a query. */
export interface ChatMessageFilter {
  evaluate(line: ChatLineContext, text: string): ChatVerdict;
}

type ContactKind = "phone" | "email" | "link" | "handle" | "account_number" | "address";
export type TextFindingKind = ContactKind | "advert" | "insult" | "threat" | "hate" | "solicitation" | "minor";

export interface NotedFinding {
  readonly kind: TextFindingKind;
  readonly confidence: "sure" | "likely";
  /** `en:12`: language and row of a phrase. `contact:phone`: a kind of contact data. */
  readonly ruleId: string;
}

export interface TextFindingEvent {
  readonly writerId: bigint;
  /** Null if the text has many readers, such as a nickname. */
  readonly readerId: bigint | null;
  readonly place: TextPlace | "call";
  /** Client id of the line or message; null if it was not delivered. */
  readonly lineRef: string | null;
  readonly callId?: string;
  readonly findings: readonly NotedFinding[];
  /** Only for a finding about a minor: stored encrypted, in the restricted case. */
  readonly text?: string;
}

/** Records findings (never texts) and applies their consequences to the writer. */
export interface TextFindingLog {
  /** Records the `sure` findings of a text in the background. Under overload, keeps only those about minors. */
  note(event: TextFindingEvent): void | Promise<void>;
}
