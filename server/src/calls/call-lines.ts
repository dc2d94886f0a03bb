import type { Withheld } from "@fava/wire/moderation.ts";
import type { EvidenceLine } from "#ports/moderation.ts";
import type { RoomChatMessage } from "./room-service.ts";

/** A side keeps its newest lines however old they are, and all of its lines that are younger than this. */
const newestKept = 60;
const youngMs = 120_000;
/**
 * Most lines of one side in memory. `ChatLimiter` lets a side write 20 lines at once and 2 a second, which is 260 young
 * lines; the rest is for older lines that were withheld.
 */
const linesMax = 320;

/** The chat lines that one side of a call wrote, for evidence (rules CASE-600, CASE-601). No line of the other side removes one. */
export class CallLines {
  #lines: readonly RoomChatMessage[] = [];

  keep(line: RoomChatMessage): void {
    const lines = [...this.#lines, line];
    const since = line.atMs - youngMs;
    const newestFrom = lines.length - newestKept;
    const kept = lines.filter((each, index) => index >= newestFrom || each.atMs > since || isWithheld(each));
    if (kept.length > linesMax)
      kept.splice(
        Math.max(
          0,
          kept.findIndex((each) => !isWithheld(each)),
        ),
        1,
      );
    this.#lines = kept;
  }

  /**
   * The lines as evidence, oldest first.
   *
   * @param reportedId `clientId` of the line of this side that is reported.
   */
  evidence(from: EvidenceLine["from"], reportedId: string | null = null): EvidenceLine[] {
    return this.#lines.map((line) => {
      const { clientId, atMs: at, delivered } = line;
      const withheld = from === "person" ? withheldOf(line) : withheldOfOther(line);
      return {
        at,
        from,
        text: delivered ? (delivered.cover?.text ?? delivered.text) : "",
        ...(withheld && { withheld }),
        ...(clientId === reportedId && { reported: true as const }),
      };
    });
  }
}

function isWithheld({ delivered }: RoomChatMessage): boolean {
  return !delivered || delivered.cover !== null || delivered.hidden.length > 0;
}

/** The same for the other side, which may be the reporter: their contact details stay hidden. */
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
