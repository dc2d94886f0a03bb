import { type DeskPerson, pictureReasonIds } from "@fava/wire/moderation.ts";
import { banReasonIds, reportReasonIds } from "@fava/wire/reasons.ts";
import type { Translate } from "#lib/i18n.ts";

/** The kinds of audit log rows that have their own text. */
const eventKinds = {
  /** The `reason_id` of these rows is a report reason; that of most others is a ban reason. */
  report: [
    "report",
    "flag",
    "suspend",
    "clear",
    "reject",
    "warn",
    "pause",
    "unpause",
    "ask_look",
    "ask_text",
    "reopen",
  ],
  ban: ["forbid", "ask_second", "second_agree", "second_shorten", "second_lift", "lapse", "mute", "text_refuse"],
  strike: ["strike", "strike_revoked", "appeal", "appeal_upheld", "appeal_shortened", "appeal_lifted"],
  picture: ["image_approve", "image_reject", "image_delete", "images_delete", "text_accept"],
  tool: ["claim", "look", "audit", "note", "label", "unlabel", "reset", "role", "unrelated", "open_linked", "notice"],
} as const;

/** The text of a log row; a kind that this page does not know is "Something else". */
export function eventText(t: Translate, kind: string): string {
  const known = Object.values(eventKinds)
    .flat()
    .find((one) => one === kind);
  return t(known ? `desk.event.${known}` : "desk.event.other");
}

/** Who did it and why, in one line; may be empty. */
export function eventDetail(t: Translate, { kind, reason_id, by, note }: DeskPerson["earlier"][number]): string {
  const reason = reason_id === null ? "" : eventReason(t, kind, reason_id);
  // The desk never shows who reported.
  const who = kind === "report" ? "" : (by ?? t("desk.software"));
  return [who, reason, note].filter((part) => part !== "").join(" · ");
}

function eventReason(t: Translate, kind: string, reasonId: number): string {
  if (kind === "image_reject") {
    const known = pictureReasonIds.find((id) => id === reasonId);
    return known ? t(`photo.rejected.${known}`) : "";
  }
  if (eventKinds.report.some((one) => one === kind)) {
    const known = reportReasonIds.find((id) => id === reasonId);
    return known ? t(`reason.report.${known}`) : "";
  }
  const known = banReasonIds.find((id) => id === reasonId);
  return known ? t(`ban.reason.${known}`) : "";
}
