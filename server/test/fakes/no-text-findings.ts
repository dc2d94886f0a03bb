import type { TextFindingLog } from "#ports/text-rules.ts";

/** Records nothing of what the text rules find. */
export const noTextFindings: TextFindingLog = { note: () => undefined };
