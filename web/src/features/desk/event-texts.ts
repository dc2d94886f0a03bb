import type { DeskPerson } from "@fava/wire/moderation.ts";
import { banReasonIds, reportReasonIds } from "@fava/wire/reasons.ts";
import { pictureReasonIds } from "@fava/wire/moderation.ts";
import type { Translate } from "#lib/i18n.ts";

/** Kinds of rows of the audit log that have words of their own. */
const eventKinds = [
  "report",
  "flag",
  "suspend",
  "claim",
  "look",
  "note",
  "label",
  "unlabel",
  "clear",
  "reject",
  "warn",
  "forbid",
  "ask_second",
  "second_agree",
  "second_shorten",
  "second_lift",
  "lapse",
  "reset",
  "image_approve",
  "image_reject",
  "image_delete",
  "images_delete",
  "role",
  "appeal",
  "appeal_upheld",
  "appeal_shortened",
  "appeal_lifted",
  "unrelated",
  "open_linked",
  "pause",
  "unpause",
  "mute",
  "strike",
  "strike_revoked",
] as const;

/** Whose reason is one of a report. */
const aboutReports = new Set(["report", "flag", "suspend", "clear", "reject", "warn", "pause", "unpause"]);

/** What happened, in words; a kind that this page does not know yet stays a plain "Something else". */
export function eventText(t: Translate, kind: string): string {
  const known = eventKinds.find((one) => one === kind);
  return known ? t(`desk.event.${known}`) : t("desk.event.other");
}

/** Who did it and why, in one line; empty where nothing is to be said. */
export function eventDetail(t: Translate, { kind, reason_id, by, note }: DeskPerson["earlier"][number]): string {
  const reason = reason_id === null ? "" : eventReason(t, kind, reason_id);
  // A report has no name: nobody at the desk is told who made it.
  const who = kind === "report" ? "" : (by ?? t("desk.software"));
  return [who, reason, note].filter((part) => part !== "").join(" · ");
}

function eventReason(t: Translate, kind: string, reasonId: number): string {
  if (kind === "image_reject") {
    const known = pictureReasonIds.find((id) => id === reasonId);
    return known ? t(`photo.rejected.${known}`) : "";
  }
  if (aboutReports.has(kind)) {
    const known = reportReasonIds.find((id) => id === reasonId);
    return known ? t(`reason.report.${known}`) : "";
  }
  const known = banReasonIds.find((id) => id === reasonId);
  return known ? t(`ban.reason.${known}`) : "";
}
