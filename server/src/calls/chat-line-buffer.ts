import type { Withheld } from "@fava/wire/moderation.ts";
import type { EvidenceLine } from "#ports/moderation.ts";
import type { RoomChatMessage } from "./room-service.ts";

/** Evidence has the newest lines of a side at any age, and further ones up to `youngMs` older than the newest. */
const newestCount = 60;
const youngMs = 120_000;
/** Limit per side. A report may name each kept line. `ChatLimiter` allows at most 260 lines within `youngMs`. */
const linesMax = 320;

/** The chat lines of one side of a call, for evidence. The partner's lines displace none of them. */
export class ChatLineBuffer {
  readonly #lines: RoomChatMessage[] = [];

  keep(line: RoomChatMessage): void {
    this.#lines.push(line);
    if (this.#lines.length <= linesMax) return;
    const oldest = this.#lines.findIndex((each) => !isWithheld(each));
    this.#lines.splice(Math.max(0, oldest), 1);
  }

  /** Lines in the order of time. `reportedId`: the client id of the reported line. */
  evidence(from: EvidenceLine["from"], reportedId: string | null = null): EvidenceLine[] {
    const newestFrom = this.#lines.length - newestCount;
    const since = (this.#lines.at(-1)?.atMs ?? 0) - youngMs;
    return this.#lines
      .filter(
        (line, index) => index >= newestFrom || line.atMs > since || isWithheld(line) || line.clientId === reportedId,
      )
      .map((line) => evidenceLine(line, { from, reportedId }));
  }
}

function evidenceLine(
  line: RoomChatMessage,
  { from, reportedId }: { from: EvidenceLine["from"]; reportedId: string | null },
): EvidenceLine {
  const { clientId, atMs: at, delivered } = line;
  const withheld = from === "person" ? withheldOf(line) : withheldOfOther(line);
  return {
    at,
    from,
    text: delivered ? (delivered.cover?.text ?? delivered.text) : "",
    ...(withheld && { withheld }),
    ...(clientId === reportedId && { reported: true as const }),
  };
}

function isWithheld({ delivered }: RoomChatMessage): boolean {
  return !delivered || delivered.cover !== null || delivered.hidden.length > 0;
}

/** As `withheldOf`, for the other side, who may be the reporter. Their contact data stays hidden. */
function withheldOfOther({ text, delivered }: RoomChatMessage): Withheld | null {
  if (!delivered) return { how: "refused", original: text };
  const { cover } = delivered;
  return cover && { how: "covered", kind: cover.kind, original: cover.text, spans: [] };
}

function withheldOf(line: RoomChatMessage): Withheld | null {
  const { text: original, delivered } = line;
  const spans = [...line.spans];
  if (!delivered) return { how: "refused", original };
  if (delivered.cover) return { how: "covered", kind: delivered.cover.kind, original, spans };
  return isWithheld(line) ? { how: "hidden", original, spans } : null;
}
