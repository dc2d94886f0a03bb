import type { CaseRule } from "@fava/wire/moderation.ts";
import type { NotedFinding } from "#ports/text-rules.ts";
import { isOutside } from "./delivered-text.ts";

/** Findings to this many different readers within `countedWithinMs` open a case (rule TEXT-66). */
const peopleMax = 3;
export const countedWithinMs = 86_400_000;
/** Disputes excuse the findings that reached this many people within the time. */
export const excusedReadersMax = 3;

/** What follows for the writer. */
export interface TextVerdict {
  readonly rule: Extract<CaseRule, "contact_in_chat" | "abuse_in_chat" | "minor_in_text">;
  /** The writer may not write in calls for an hour. */
  readonly mutesChat: boolean;
}

/** A user who received lines of the writer with findings within `countedWithinMs`. */
export interface TextReader {
  readonly readerId: bigint;
  /** Contact data or an advert was among them. */
  readonly hadContacts: boolean;
}

/**
 * What follows from one more text with findings (rules TEXT-66, TEXT-740): nothing within one call, however many there
 * are; a case when it reaches the third reader, and for contact data and adverts also a mute.
 *
 * @param before the readers of earlier findings of the writer, disputed ones left out.
 * @param readerId null where the text was not delivered.
 * @returns null for nothing.
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
  const isNewByContacts = !known?.hadContacts && findings.some(isOutside);
  if (isNewByContacts && othersByContacts.length + 1 >= peopleMax) return { rule: "contact_in_chat", mutesChat: true };
  return !known && others.length + 1 >= peopleMax ? { rule: "abuse_in_chat", mutesChat: false } : null;
}
