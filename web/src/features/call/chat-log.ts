import { chatLogLinesMax } from "@fava/wire/limits.ts";

/** One line of the chat of a call. Own lines are `sending` until the server has them. */
export type ChatLine =
  | { from: "other"; id: string; text: string }
  | { from: "me"; id: string; text: string; state: "sending" | "sent" | "failed" };

/** Adds a line, once per id; the oldest go when there are too many. */
export function addLine(lines: readonly ChatLine[], line: ChatLine): readonly ChatLine[] {
  if (lines.some((known) => known.id === line.id && known.from === line.from)) return lines;
  return [...lines, line].slice(-chatLogLinesMax);
}

/** Moves an own line on; a line that was sent stays sent, whatever comes late. */
export function markLine(
  lines: readonly ChatLine[],
  id: string,
  state: "sending" | "sent" | "failed",
): readonly ChatLine[] {
  return lines.map((line) =>
    line.from === "me" && line.id === id && line.state !== "sent" ? { ...line, state } : line,
  );
}
