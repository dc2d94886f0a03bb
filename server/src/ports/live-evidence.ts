import type { EvidenceItem } from "#ports/moderation.ts";

/** What is remembered of calls that go on, or ended minutes ago: in memory only, and gone with the process. */
export interface LiveEvidence {
  /**
   * The last pictures of a person in their call with somebody, from both ends, and the chat of two minutes; nothing
   * where no such call is remembered. While the call goes on, both ends are asked for one more picture, which goes to
   * `late` within seconds.
   */
  of(
    pair: { subjectId: bigint; otherId: bigint; callId: string | null },
    late: (items: readonly EvidenceItem[]) => void,
  ): { callId: string | null; items: readonly EvidenceItem[] };
}
