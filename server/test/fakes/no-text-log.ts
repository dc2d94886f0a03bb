import type { TextFindingLog } from "../../src/ports/text-rules.ts";

/** Findings in texts that nobody records. */
export const noTextLog: TextFindingLog = { note: () => undefined };
