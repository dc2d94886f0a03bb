import type { TextSpan } from "@fava/wire/messages.ts";

/** A range of a text. `finding`: what was found in it; null: nothing. */
interface TextPart {
  /** In UTF-16 units from the start of the text. */
  readonly start: number;
  readonly text: string;
  readonly finding: TextSpan["finding"] | null;
}

/**
 * Splits the text at these spans, in order. A span that overlaps an earlier one keeps its rest; one past the end is
 * dropped.
 */
export function textParts(text: string, spans: readonly TextSpan[]): readonly TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  const add = (end: number, finding: TextPart["finding"]) => {
    if (end > at) parts.push({ start: at, text: text.slice(at, end), finding });
    at = Math.max(at, end);
  };
  for (const { start, end, finding } of spans.toSorted((one, other) => one.start - other.start)) {
    if (end <= Math.max(start, at)) continue;
    add(Math.min(start, text.length), null);
    add(Math.min(end, text.length), finding);
  }
  add(text.length, null);
  return parts;
}

/** The `dir` of a finding: numbers, links and account names read from left to right in every language. */
export function directionOf(finding: TextSpan["finding"]): "ltr" | "auto" {
  return isHurtful(finding) || finding === "address" ? "auto" : "ltr";
}

/** Whether a finding is hurtful; the others are contact details, links and addresses. */
export function isHurtful(finding: TextSpan["finding"]): boolean {
  return finding === "abuse" || finding === "solicitation";
}
