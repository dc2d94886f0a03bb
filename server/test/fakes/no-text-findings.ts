import type { TextFindingLog } from "#ports/text-rules.ts";

/** Records no findings. */
export const noTextFindings: TextFindingLog = { note: () => undefined };
