import type { CaseRule } from "@fava/wire/moderation.ts";
import type { NotedFinding } from "#ports/text-rules.ts";
import { isRemovedInCalls } from "./delivered-text.ts";

/** Findings in texts to this many readers within `countedWithinMs` open a case (rule TEXT-66). */
const peopleMax = 3;
export const countedWithinMs = 86_400_000;
/** Findings that the writer disputes do not count, for at most this many readers within `countedWithinMs`. */
export const excusedReadersMax = 3;

export interface TextVerdict {
  readonly rule: Extract<CaseRule, "contact_in_chat" | "abuse_in_chat" | "minor_in_text">;
  readonly mutesChat: boolean;
}

export interface TextReader {
  readonly readerId: bigint;
  readonly hadContacts: boolean;
}

/**
 * Within one call nothing follows. The third reader within a day opens a case; contact data and adverts also mute the
 * writer (rules TEXT-66, TEXT-740). A finding about a minor opens a case at once.
 * @param before readers of the writer's earlier undisputed findings.
 * @param readerId null if the text was not delivered.
 * @returns null if nothing follows.
 */
export function verdictOf(
  before: readonly TextReader[],
  { readerId, findings }: { readerId: bigint | null; findings: readonly Pick<NotedFinding, "kind">[] },
): TextVerdict | null {
  if (findings.some(({ kind }) => kind === "minor")) return { rule: "minor_in_text", mutesChat: false };
  if (readerId === null) return null;
  const others = before.filter((one) => one.readerId !== readerId);
  const known = before.find((one) => one.readerId === readerId);
  const othersByContacts = others.filter(({ hadContacts }) => hadContacts);
  const isNewByContacts = !known?.hadContacts && findings.some(isRemovedInCalls);
  if (isNewByContacts && othersByContacts.length + 1 >= peopleMax) return { rule: "contact_in_chat", mutesChat: true };
  return !known && others.length + 1 >= peopleMax ? { rule: "abuse_in_chat", mutesChat: false } : null;
}
