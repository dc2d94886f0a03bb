import type { TextFindingLog } from "#ports/text-rules.ts";

export const noTextFindings: TextFindingLog = { note: () => undefined };
