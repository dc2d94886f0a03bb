import type { ForbiddenReason, RefusedReason } from "./codes.ts";

/**
 * What a person reads of each reason of 403 and 406, by its key in the catalogs: the server sends it as `msg`, and the page
 * tells it in the language that it is in by then.
 */
export const refusalKeys = {
  profile_incomplete: "refused.profile_incomplete",
  under_age: "refused.under_age",
  role: "desk.refused.role",
  not_yours: "refused.not_yours",
  not_met: "refused.not_met",
  already_set: "refused.already_set",
  not_in_room: "refused.not_in_room",
  no_socket: "refused.no_socket",
  paused: "refused.paused",
  claimed: "refused.claimed",
  not_claimed: "desk.refused.notClaimed",
  own_case: "refused.own_case",
  colleague: "refused.colleague",
  account_deleted: "refused.account_deleted",
  abusive_text: "refused.abusive_text",
  muted: "refused.muted",
  appealed_before: "refused.appealed_before",
  appeal_too_late: "refused.appeal_too_late",
  personal_data: "refused.personal_data",
  invisible_text: "refused.invisible_text",
  name_reserved: "refused.name_reserved",
  nickname_too_soon: "refused.nickname_too_soon",
  not_friends: "refused.not_friends",
  request_pending: "refused.request_pending",
  official: "refused.official",
  too_many: "refused.too_many",
  image_unreadable: "refused.image_unreadable",
  already_decided: "refused.already_decided",
  answered_before: "refused.answered_before",
  already_banned: "desk.refused.banned",
  wrong_number: "refused.wrong_number",
  in_call: "refused.in_call",
  not_withdrawable: "withdraw.gone",
  refund_failed: "withdraw.refused",
} as const satisfies Record<ForbiddenReason | RefusedReason, string>;
