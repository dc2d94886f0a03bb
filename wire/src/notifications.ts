import * as v from "valibot";
import type { MatchFilters, WishedSex } from "./beans.ts";
import { identifierLengthMax, pushOffsetMin } from "./limits.ts";

/** Notification kinds. A kind's id is its position and never changes meaning: append new kinds. */
export const notificationKinds = ["message", "fits", "ring", "decision", "meet", "hour"] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** Notification settings of one browser. */
export const notificationChoiceSchema = v.strictObject({
  /** Ids of `notificationKinds`. */
  kinds: v.array(v.pipe(v.number(), v.integer(), v.minValue(0))),
  /** 1: notifications contain names; 0: neither name nor text. */
  names: v.picklist([0, 1]),
  /** 1: no notifications in the quiet hours. */
  quiet: v.picklist([0, 1]),
  /** UTC offset of the browser, in minutes. */
  offset_min: v.pipe(v.number(), v.integer(), v.minValue(pushOffsetMin.min), v.maxValue(pushOffsetMin.max)),
});
export type NotificationChoice = v.InferOutput<typeof notificationChoiceSchema>;

/** Quiet hours, in minutes of the day by the browser's clock. */
export const quietHours = { fromMin: 22 * 60, toMin: 8 * 60 } as const;

/** Payload of a notification: Safari displays this format itself, our service worker does so in other browsers. */
export const notificationPayloadSchema = v.strictObject({
  web_push: v.literal(8030),
  notification: v.strictObject({
    title: v.string(),
    lang: v.string(),
    dir: v.picklist(["ltr", "rtl"]),
    /** A later notification with the same tag replaces this one. */
    tag: v.string(),
    /** The replacement alerts the user again. */
    renotify: v.optional(v.literal(true)),
    /** Address that a press opens. */
    navigate: v.string(),
  }),
});
export type NotificationPayload = v.InferOutput<typeof notificationPayloadSchema>;

/** Appeal page; the browser has stored the token, which stays out of the notification and the push service. */
export const notifiedAppealPath = "/appeal#told";

/** A conversation in the address of a notification, by external ids. */
export interface ConversationLink {
  readonly with: string;
  /** Receiver of the notification; another user signed in at that browser cannot use it. */
  readonly to: string;
}

/** Address of a conversation. The partner is in the fragment, which browsers do not send to servers. */
export function conversationPath({ with: other, to }: ConversationLink): string {
  return `/?open=messages#with=${other}&to=${to}`;
}

const conversationPattern = new RegExp(
  `^#?with=([\\w-]{1,${identifierLengthMax}})&to=([\\w-]{1,${identifierLengthMax}})$`,
);

/** Parses the fragment of a conversation address, with or without `#`; null where it is none. */
export function conversationIn(hash: string): ConversationLink | null {
  const [, other, to] = conversationPattern.exec(hash) ?? [];
  return other === undefined || to === undefined ? null : { with: other, to };
}

/** Search filters in the address of a notification, and its receiver. */
export interface SearchLink extends MatchFilters {
  readonly to: string;
}

/** Address of the home screen with these filters. */
export function searchPath({ sex, country, to }: SearchLink): string {
  return `/?open=search#sex=${sex}&country=${country}&to=${to}`;
}

const searchPattern = new RegExp(`^#?sex=([012])&country=(-1|\\d{1,5})&to=([\\w-]{1,${identifierLengthMax}})$`);

/** Parses the fragment of a search address, with or without `#`; null where it is none. */
export function searchIn(hash: string): SearchLink | null {
  const [, sex, country, to] = searchPattern.exec(hash) ?? [];
  return to === undefined ? null : { sex: Number(sex) as WishedSex, country: Number(country), to };
}
