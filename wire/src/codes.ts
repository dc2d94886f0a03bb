import type { BanFacts } from "./moderation.ts";

/** Answer codes of the calls; the HTTP status stays 200 except for 413, 429 and 5xx. */
export const codes = {
  ok: 200,
  /** Bad input; on login: "login failed". */
  badInput: 400,
  notEnoughBeans: 402,
  /** Not allowed; `data.reason` says why, and `msg` says it to the person. */
  forbidden: 403,
  /** No valid session, `data.reason` is expired, kicked, deleted or signed_out; or `unknown_call`, which ends none. */
  noSession: 404,
  /** Refused; `data.reason` and `msg` as with 403. */
  refused: 406,
  banned: 408,
  tooLarge: 413,
  slowDown: 429,
  /** The timestamp is outside the window; `data.server_time` lets the client correct its clock. */
  clockOff: 460,
  badSignature: 461,
  replayed: 462,
  serverError: 500,
  /** The database is away; as with 429, `data.retry_after` says when to come again. */
  unavailable: 503,
} as const;

export type Code = (typeof codes)[keyof typeof codes];

/** Why a call was answered 403. */
export const forbiddenReasons = [
  "profile_incomplete",
  "under_age",
  "role",
  /** The call names somebody else as its caller. */
  "not_yours",
  "not_met",
  "already_set",
  "not_in_room",
  /** Matching needs a chat session: the match is pushed there. */
  "no_socket",
  /** Matching rests until a person has looked: with `until` in milliseconds since the epoch. */
  "paused",
  /** Somebody else works on the item, or decided first; nobody decides about themself, or about a colleague. */
  "claimed",
  /** Who decides has to claim the item first. */
  "not_claimed",
  "own_case",
  "colleague",
  /** A sign-in to a deleted account that can still come back: with `until` and `restore_token`. */
  "account_deleted",
] as const;
export type ForbiddenReason = (typeof forbiddenReasons)[number];

/** Why a call was answered 406. */
export const refusedReasons = [
  /** The text is abusive: with `findings` and `field`. */
  "abusive_text",
  /** The person may not write for a while: with `until`. */
  "muted",
  /** A ban can be appealed once, and not for ever. */
  "appealed_before",
  "appeal_too_late",
  /** The text holds a way to be reached outside: with `findings` and `field`. */
  "personal_data",
  /** The text has no sign that people can see: with `field`. */
  "invisible_text",
  /** The nickname is the site's or its staff's: with `field`. */
  "name_reserved",
  /** The nickname was changed less than 30 days ago: with `until`. */
  "nickname_too_soon",
  /** A message to somebody who is no friend and was not met, or whose request was not accepted yet. */
  "not_friends",
  "request_pending",
  /** Nobody writes to the official account. */
  "official",
  /** So many people are followed, liked or blocked, or photos kept, that no more fit. */
  "too_many",
  /** The file is no JPEG, PNG or WebP, is damaged, or has too many pixels. */
  "image_unreadable",
  /** Somebody else decided about the picture first, and otherwise. */
  "already_decided",
  /** A moderator refused this text or kept this mute before. */
  "answered_before",
  /** The person is banned by a moderator already: with `until`. A second quick ban has to be confirmed. */
  "already_banned",
  /** The number that was typed is not the account's. */
  "wrong_number",
  /** A call goes on; it has to end first. */
  "in_call",
  /** Beans of the purchase were used, or its last day is over. */
  "not_withdrawable",
  /** The payment company did not refund; the beans are back. */
  "refund_failed",
] as const;
export type RefusedReason = (typeof refusedReasons)[number];

/** The reason of code 404 where there is no such call: nobody is signed out for it. */
export const unknownEndpointReason = "unknown_call";

/** Why a session is no longer valid (404). */
export const sessionEndReasons = ["expired", "kicked", "deleted", "signed_out"] as const;
export type SessionEndReason = (typeof sessionEndReasons)[number];

/**
 * What a banned person is told (408). `reason` is the text of `reason_id` in the person's language. `time` is the end as
 * ISO 8601 in UTC, or null for a ban without end.
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
