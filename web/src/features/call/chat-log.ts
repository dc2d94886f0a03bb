import { chatLogLinesMax } from "@fava/wire/limits.ts";
import type { ServerMessage } from "@fava/wire/socket.ts";

type Stored = Extract<ServerMessage, { type: "chat-stored" }>;
type Refused = Extract<ServerMessage, { type: "error" }>;

/** How far an own line has come. A `failed` one can be sent again, a `refused` one not. */
export type LineState =
  | { state: "sending" }
  /** `masked`: contact data, or `softened`: words that hurt, were covered before the other read it. */
  | { state: "sent"; told: "masked" | "softened" | null }
  | { state: "failed" }
  /** `until`: when this person may write again, milliseconds since the epoch; 0 where that is not known. */
  | { state: "refused"; why: "muted" | "abusive"; until: number };

/** One line of the chat of a call. */
export type ChatLine =
  | { from: "other"; id: string; text: string }
  | ({ from: "me"; id: string; text: string } & LineState);

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

/** What the writer is told of a line that arrived: what was covered in it, contact data before all. */
export function sentState(findings: Stored["findings"] = []): LineState {
  if (findings.length === 0) return { state: "sent", told: null };
  const onlyRude = findings.every((finding) => finding === "abuse" || finding === "solicitation");
  return { state: "sent", told: onlyRude ? "softened" : "masked" };
}

export function failedState({ reason, until }: Pick<Refused, "reason" | "until">): LineState {
  if (reason !== "muted" && reason !== "abusive") return { state: "failed" };
  return { state: "refused", why: reason, until: until ?? 0 };
}
