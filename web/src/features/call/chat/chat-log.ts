import { chatLogLinesMax } from "@fava/wire/limits.ts";
import type { TextCover, TextSpan } from "@fava/wire/messages.ts";
import type { ServerMessage } from "@fava/wire/socket.ts";
import { isHurtful } from "#lib/text-parts.ts";

type Arrived = Extract<ServerMessage, { type: "chat" }>;
type Stored = Extract<ServerMessage, { type: "chat-stored" }>;
type Refused = Extract<ServerMessage, { type: "error" }>;

/** How far an own line has come. A `failed` one can be sent again, a `refused` one not. */
export type LineState =
  | { state: "sending" }
  /** `hidden`: the partner got it without the contact details; `covered`: under a cover. `spans`: what was found in the text. */
  | { state: "sent"; told: "hidden" | "covered" | null; spans: readonly TextSpan[] }
  | { state: "failed" }
  /** `until`: when this person may write again, milliseconds since the epoch; 0 where that is not known. */
  | { state: "refused"; why: "muted" | "abusive"; until: number };

/** A line of the partner. `hidden`: stretches of the text, or of the cover's text, whose letters were taken out. */
export interface PartnerLine {
  readonly from: "other";
  readonly id: string;
  readonly text: string;
  readonly hidden: readonly TextSpan[];
  readonly cover: TextCover | null;
}

/** One line of the chat of a call. */
export type ChatLine = PartnerLine | ({ from: "me"; id: string; text: string } & LineState);

export function partnerLine({ clientId, text, hidden = [], cover }: Arrived): PartnerLine {
  return { from: "other", id: clientId, text, hidden, cover: cover ?? null };
}

/** From this many covered lines of one partner on, they are shown as one. */
const foldedFrom = 3;

/** What the log shows at one place: a line, or all covered lines of the partner, oldest first. */
export type ChatLogEntry =
  | { readonly kind: "line"; readonly line: ChatLine }
  | { readonly kind: "folded"; readonly lines: readonly [PartnerLine, ...PartnerLine[]] };

/** The entries of the log, oldest first; folded lines stand where the newest of them stood. */
export function logEntries(lines: readonly ChatLine[]): readonly ChatLogEntry[] {
  const covered = lines.filter((line): line is PartnerLine => line.from === "other" && line.cover !== null);
  const [first, ...others] = covered;
  if (!first || covered.length < foldedFrom) return lines.map((line) => ({ kind: "line", line }));
  const last = covered.at(-1);
  return lines.flatMap((line): ChatLogEntry[] => {
    if (line === last) return [{ kind: "folded", lines: [first, ...others] }];
    return covered.some((one) => one === line) ? [] : [{ kind: "line", line }];
  });
}

/** Adds a line, once per id; the oldest go when there are too many. */
export function addLine(lines: readonly ChatLine[], line: ChatLine): readonly ChatLine[] {
  if (lines.some((known) => known.id === line.id && known.from === line.from)) return lines;
  return [...lines, line].slice(-chatLogLinesMax);
}

/** Moves an own line on; a line that was sent stays sent, whatever comes late. */
export function markLine(lines: readonly ChatLine[], id: string, next: LineState): readonly ChatLine[] {
  return lines.map((line) =>
    line.from === "me" && line.id === id && line.state !== "sent" ? { from: "me", id, text: line.text, ...next } : line,
  );
}

/** How a line reached the partner: whole, without the contact details in it, or under a cover. */
export function sentState({ findings = [], spans = [] }: Pick<Stored, "findings" | "spans"> = {}): LineState {
  if (findings.length === 0) return { state: "sent", told: null, spans };
  const isCovered = findings.some(isHurtful);
  return { state: "sent", told: isCovered ? "covered" : "hidden", spans };
}

export function failedState({ reason, until }: Pick<Refused, "reason" | "until">): LineState {
  if (reason !== "muted" && reason !== "abusive") return { state: "failed" };
  return { state: "refused", why: reason, until: until ?? 0 };
}
