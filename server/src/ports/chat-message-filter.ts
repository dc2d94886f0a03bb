import type { TextFinding } from "#ports/text-rules.ts";

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
