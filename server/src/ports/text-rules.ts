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
