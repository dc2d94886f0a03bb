import { chatLogLinesMax } from "@fava/wire/limits.ts";
import type { TextCover, TextSpan } from "@fava/wire/messages.ts";
import type { ServerMessage } from "@fava/wire/socket.ts";
import { isHurtful } from "#lib/text-parts.ts";

type Arrived = Extract<ServerMessage, { type: "chat" }>;
type Stored = Extract<ServerMessage, { type: "chat-stored" }>;
type Refused = Extract<ServerMessage, { type: "error" }>;

/** The delivery state of the user's own line. A `failed` line can be sent again, a `refused` one cannot. */
export type LineState =
  | { state: "sending" }
  /**
   * `hidden`: the partner received it without the contact details; `covered`: under a cover. `spans`: what was found in
   * it.
   */
  | { state: "sent"; told: "hidden" | "covered" | null; spans: readonly TextSpan[] }
  | { state: "failed" }
  /** `until`: when the user may write again, in milliseconds since the epoch; 0: unknown. */
  | { state: "refused"; why: "muted" | "abusive"; until: number };

/** A line of the partner. `hidden`: ranges of the text, or of the cover's text, whose letters the server removed. */
export interface PartnerLine {
  readonly from: "other";
  readonly id: string;
  readonly text: string;
  readonly hidden: readonly TextSpan[];
  readonly cover: TextCover | null;
}

export type ChatLine = PartnerLine | ({ from: "me"; id: string; text: string } & LineState);

export function partnerLine({ clientId, text, hidden = [], cover }: Arrived): PartnerLine {
  return { from: "other", id: clientId, text, hidden, cover: cover ?? null };
}

/** From this number on, the covered lines of one partner are shown as one. */
const foldedFrom = 3;

/** An entry of the log: a line, or all covered lines of the partner, oldest first. */
export type ChatLogEntry =
  | { readonly kind: "line"; readonly line: ChatLine }
  | { readonly kind: "folded"; readonly lines: readonly [PartnerLine, ...PartnerLine[]] };

/** The entries of the log, oldest first; folded lines stand in the place of the newest of them. */
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

/** Adds a line, once per id; drops the oldest lines when there are too many. */
export function addLine(lines: readonly ChatLine[], line: ChatLine): readonly ChatLine[] {
  if (lines.some((known) => known.id === line.id && known.from === line.from)) return lines;
  return [...lines, line].slice(-chatLogLinesMax);
}

/** Updates the state of an own line; a sent line stays sent, whatever arrives late. */
export function markLine(lines: readonly ChatLine[], id: string, next: LineState): readonly ChatLine[] {
  return lines.map((line) =>
    line.from === "me" && line.id === id && line.state !== "sent" ? { from: "me", id, text: line.text, ...next } : line,
  );
}

/** The state of a line that reached the partner: whole, without its contact details, or under a cover. */
export function sentState({ findings = [], spans = [] }: Pick<Stored, "findings" | "spans"> = {}): LineState {
  if (findings.length === 0) return { state: "sent", told: null, spans };
  const isCovered = findings.some(isHurtful);
  return { state: "sent", told: isCovered ? "covered" : "hidden", spans };
}

export function failedState({ reason, until }: Pick<Refused, "reason" | "until">): LineState {
  if (reason !== "muted" && reason !== "abusive") return { state: "failed" };
  return { state: "refused", why: reason, until: until ?? 0 };
}
