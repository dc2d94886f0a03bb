import { pushCodes, type Push } from "@fava/wire/pushes.ts";
import { catalogText } from "#catalog-text.ts";

type ReportNotice = Extract<Push, { code: typeof pushCodes.reportNotice }>;

/** Push 100_004 with its words in the language of whoever gets it (rule CASE-41). */
export function reportNotice(
  told: { outcome: ReportNotice["outcome"]; reasonId: number },
  language: string,
): ReportNotice {
  const { outcome, reasonId } = told;
  const reason = catalogText(language, `reason.report.${reasonId}`);
  const text = catalogText(language, `report.outcome.${outcome}`, { reason });
  return { code: pushCodes.reportNotice, text, outcome, reason_id: reasonId };
}
