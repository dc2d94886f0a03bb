import type * as v from "valibot";
import type { textFindingSchema } from "@fava/wire/messages.ts";

export type TextFinding = v.InferOutput<typeof textFindingSchema>;
export type TextPlace = "message" | "nickname" | "about" | "location";

/** What may not be written (rules TEXT-*): ways to be reached outside, addresses, numbers of cards and accounts, abuse and solicitation. */
export interface TextRules {
  /**
   * Lets a text pass, or writes down that it was stopped; the text itself is not kept.
   *
   * @throws EndpointError 406 `personal_data` or `abusive_text`, with `findings` and `field`.
   */
  require(userId: bigint, text: string, place: TextPlace): Promise<void>;
}

/** What becomes of a chat line of a call before the other reads it. */
export type ChatVerdict =
  | { readonly kind: "pass" }
  /** The other reads `text`; the writer is told what was masked. */
  | { readonly kind: "masked"; readonly text: string; readonly findings: readonly TextFinding[] }
  | { readonly kind: "abusive" }
  | { readonly kind: "muted"; readonly untilMs: number };

/** The rules for chat lines of calls: they answer at once, from memory. */
export interface ChatMessageFilter {
  evaluate(writer: { userId: bigint; callId: string }, text: string): ChatVerdict;
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
  /** The `clientId` of the line or message; null for a text that nobody received. */
  readonly lineRef: string | null;
  readonly callId?: string;
  readonly findings: readonly NotedFinding[];
}

/** The record of what the text rules found (never the text) and what follows from it for the writer. */
export interface TextFindingLog {
  /** Records the `sure` findings of one text. A call's lines are recorded in the background; a flood is dropped. */
  note(event: TextFindingEvent): void | Promise<void>;
}
