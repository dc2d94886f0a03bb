import type { BanFacts } from "./moderation.ts";

/** Response codes of the endpoints. The HTTP status stays 200 except for 413, 429 and 5xx. */
export const codes = {
  ok: 200,
  /** Invalid input; on login: the sign-in failed. */
  badInput: 400,
  notEnoughBeans: 402,
  /** Denied: `data.reason` names the reason, and `msg` explains it to the user. */
  forbidden: 403,
  /** No valid session: `data.reason` is expired, kicked, deleted or signed_out. `unknown_call` ends no session. */
  noSession: 404,
  /** Rejected: `data.reason` and `msg` as with 403. */
  refused: 406,
  banned: 408,
  tooLarge: 413,
  slowDown: 429,
  /** The timestamp is outside the accepted window; `data.server_time` lets the client correct its clock. */
  clockOff: 460,
  badSignature: 461,
  replayed: 462,
  serverError: 500,
  /** The database is unavailable. As with 429, `data.retry_after` is the delay before a retry, in seconds. */
  unavailable: 503,
} as const;

export type Code = (typeof codes)[keyof typeof codes];

/** Reasons of a 403. */
export const forbiddenReasons = [
  "profile_incomplete",
  "under_age",
  "role",
  /** The request names another user as its caller. */
  "not_yours",
  "not_met",
  "already_set",
  "not_in_room",
  /** Matching needs an open chat session, because the match is pushed over it. */
  "no_socket",
  /** The user's matching is paused because of reports: with `until`, milliseconds since the epoch or null. */
  "paused",
  /** The user needs an age check before meeting or writing to strangers: with the fields of `AgeRefusal`. */
  "age_check",
  /** Another moderator holds the claim, or has decided first. */
  "claimed",
  /** The moderator has to claim the item before a decision. */
  "not_claimed",
  /** Moderators decide neither about themselves nor about a colleague. */
  "own_case",
  "colleague",
  /** Sign-in to a deleted account that can still be restored: with `until` and `restore_token`. */
  "account_deleted",
] as const;
export type ForbiddenReason = (typeof forbiddenReasons)[number];

/** Reasons of a 406. */
export const refusedReasons = [
  /** The text is abusive: with `findings` and `field`. */
  "abusive_text",
  /** The user is muted: with `until`. */
  "muted",
  /** A ban can be appealed once, and only for `appealOpenMs`. */
  "appealed_before",
  "appeal_too_late",
  /** The text contains contact data: with `findings` and `field`. */
  "personal_data",
  /** The text has no visible character: with `field`. */
  "invisible_text",
  /** The nickname is reserved for the site and its staff: with `field`. */
  "name_reserved",
  /** The nickname was changed less than 30 days ago: with `until`. */
  "nickname_too_soon",
  /** Messages need a friendship or a recent call. `request_pending`: the earlier request is not accepted yet. */
  "not_friends",
  "request_pending",
  /** The official account receives no messages. */
  "official",
  /** The maximum of follows, likes, blocks or photos is reached. */
  "too_many",
  /** The file is not a JPEG, PNG or WebP, is damaged, or has too many pixels. */
  "image_unreadable",
  /** Another moderator has already decided differently about the picture. */
  "already_decided",
  /** A case can be reopened by the moderator who decided it, for `reopenMs`, and without an appeal. */
  "reopen_over",
  /** Another case about the same user waits already. */
  "case_open",
  /** A moderator has already rejected this text or kept this mute. */
  "answered_before",
  /** A moderator has already banned the user: with `until`. A second quick ban needs a confirmation. */
  "already_banned",
  /** The account number that the user typed is not theirs. */
  "wrong_number",
  /** The user is in a call, which has to end first. */
  "in_call",
  /** Beans of the purchase were spent, or the withdrawal period is over. */
  "not_withdrawable",
  /** No translator is configured or reachable, or it does not know the language. */
  "not_translated",
  /** The payment provider rejected the refund; the beans are credited again. */
  "refund_failed",
] as const;
export type RefusedReason = (typeof refusedReasons)[number];

/** Reason of a 404 for an unknown endpoint; the client keeps its session. */
export const unknownEndpointReason = "unknown_call";

/** Why a session is no longer valid (404). */
export const sessionEndReasons = ["expired", "kicked", "deleted", "signed_out"] as const;
export type SessionEndReason = (typeof sessionEndReasons)[number];

/**
 * Data of a 408. `reason` is the text of `reason_id` in the user's language. `time` is the end of the ban as ISO 8601
 * in UTC, or null for a permanent ban.
 */
export interface BanNotice {
  isBan: true;
  id: string;
  reason_id: number;
  reason: string;
  time: string | null;
  appeal_token: string;
  facts: BanFacts;
}
