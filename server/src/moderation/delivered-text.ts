import { coverMask, type TextCover, type TextSpan } from "@fava/wire/messages.ts";
import type { DeliveredText, UserLocale, TextFinding } from "#ports/text-rules.ts";
import type { Finding, Writer } from "./text-scan.ts";

export type Scan = (text: string, writer?: Writer) => readonly Finding[];

/** From the least to the most harmful. A text with several kinds gets the cover of the worst. */
const coverKinds = ["insult", "solicitation", "hate", "threat"] as const satisfies readonly TextCover["kind"][];
/** One scan may miss contact data beside other contact data. After this many scans the whole text is hidden. */
const scansMax = 4;
/** Replaces hidden letters before the next scan: no part of a word, number or address, and keeps all offsets. */
const blank = "\ufffc";

export function writerFor(...people: readonly UserLocale[]): Writer {
  return {
    countries: [...new Set(people.flatMap(({ country }) => country ?? []))],
    languages: new Set(people.flatMap(({ languages }) => languages)),
  };
}

/** The `sure` findings in text order, including contact data that only a repeated scan finds. */
export function sureFindings(scan: Scan, text: string, writer: Writer): readonly Finding[] {
  const found = scan(text, writer).filter(isSure);
  let contacts = found.filter(isRemovedInCalls);
  let rest = text;
  for (let scans = 1; contacts.length > 0; scans += 1) {
    rest = blanked(rest, contacts);
    contacts = scan(rest, writer).filter((finding) => isSure(finding) && isRemovedInCalls(finding));
    if (scans === scansMax && contacts[0]) contacts = [{ ...contacts[0], start: 0, end: text.length }];
    found.push(...contacts);
    if (scans === scansMax) break;
  }
  return found.toSorted((one, other) => one.start - other.start || other.end - one.end);
}

export function blanked(text: string, stretches: readonly { start: number; end: number }[]): string {
  return stretches.reduce(
    (left, { start, end }) => left.slice(0, start) + blank.repeat(end - start) + left.slice(end),
    text,
  );
}

/** Whether a call's reader does not receive this kind: contact data, an address or an advert. */
export function isRemovedInCalls({ kind }: Pick<Finding, "kind">): boolean {
  return kind !== "minor" && !coverKinds.some((cover) => cover === kind);
}

export function coverKindOf(findings: readonly Finding[]): TextCover["kind"] | null {
  return coverKinds.findLast((cover) => findings.some(({ kind }) => kind === cover)) ?? null;
}

/** The findings in wire form; overlapping ones of the same name are merged. */
export function spansOf(findings: readonly Finding[]): TextSpan[] {
  const spans: TextSpan[] = [];
  for (const { start, end, kind } of findings) {
    const finding = wireNames[kind];
    const before = spans.findLast((span) => span.finding === finding);
    if (before && start < before.end) before.end = Math.max(before.end, end);
    else spans.push({ start, end, finding });
  }
  return spans;
}

export type RuledSpan = TextSpan & { readonly rule: string };

export function ruledSpans(findings: readonly Finding[]): RuledSpan[] {
  return findings.map(({ start, end, kind, ruleId: rule }) => ({ start, end, finding: wireNames[kind], rule }));
}

/** The text as the reader in a call receives it: contact data is replaced, and a hurtful text has a cover. */
export function deliveredText(text: string, findings: readonly Finding[]): DeliveredText {
  const { text: left, hidden } = withoutLetters(text, findings.filter(isRemovedInCalls));
  const kind = coverKindOf(findings);
  return kind === null ? { text: left, hidden, cover: null } : { text: coverMask, hidden, cover: { kind, text: left } };
}

/** The text with `coverMask` in place of each finding, and the positions of the masks. */
function withoutLetters(text: string, findings: readonly Finding[]): { text: string; hidden: TextSpan[] } {
  const hidden: TextSpan[] = [];
  let left = "";
  let done = 0;
  for (const { start, end, kind } of findings) {
    if (start >= done) {
      left += text.slice(done, start);
      hidden.push({ start: left.length, end: left.length + coverMask.length, finding: wireNames[kind] });
      left += coverMask;
    }
    done = Math.max(done, end);
  }
  return { text: left + text.slice(done), hidden };
}

function isSure({ confidence }: Finding): boolean {
  return confidence === "sure";
}

/** Wire names of the `sure` findings, without duplicates, contact data first. */
export function namedFindings(findings: readonly Finding[]): readonly TextFinding[] {
  const names = new Set(findings.filter(isSure).map(({ kind }) => wireNames[kind]));
  return findingOrder.filter((name) => names.has(name));
}

const wireNames = {
  phone: "phone",
  email: "email",
  link: "link",
  handle: "handle",
  account_number: "account_number",
  address: "address",
  advert: "link",
  insult: "abuse",
  threat: "abuse",
  hate: "abuse",
  solicitation: "solicitation",
  minor: "solicitation",
} as const satisfies Record<Finding["kind"], TextFinding>;
const findingOrder = [
  ...(["phone", "email", "link", "handle", "account_number", "address"] as const),
  ...(["abuse", "solicitation"] as const),
];
