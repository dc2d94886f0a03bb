import * as v from "valibot";
import type { MatchFilters, WishedSex } from "./beans.ts";
import { identifierLengthMax, pushOffsetMin } from "./limits.ts";

/**
 * What people can be told of while no page of theirs is open. An id is the place in this list: it means one of them for
 * ever, and new ones are appended.
 */
export const notificationKinds = ["message", "fits", "ring", "decision"] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** What one browser of a person is told, and how. */
export const notificationChoiceSchema = v.strictObject({
  /** Ids of `notificationKinds`. */
  kinds: v.array(v.pipe(v.number(), v.integer(), v.minValue(0))),
  /** 1: notifications say who; 0: neither name nor text. */
  names: v.picklist([0, 1]),
  /** 1: nothing comes in the quiet hours. */
  quiet: v.picklist([0, 1]),
  /** How far the browser's clock is ahead of UTC, in minutes. */
  offset_min: v.pipe(v.number(), v.integer(), v.minValue(pushOffsetMin.min), v.maxValue(pushOffsetMin.max)),
});
export type NotificationChoice = v.InferOutput<typeof notificationChoiceSchema>;

/** Between these minutes of the day, by the clock of the browser, nothing comes to whoever has quiet hours. */
export const quietHours = { fromMin: 22 * 60, toMin: 8 * 60 } as const;

/** What arrives at a browser: the form that Safari shows by itself, and our worker elsewhere. */
export const notificationPayloadSchema = v.strictObject({
  web_push: v.literal(8030),
  notification: v.strictObject({
    title: v.string(),
    lang: v.string(),
    dir: v.picklist(["ltr", "rtl"]),
    /** A later one with the same tag takes the place of this one. */
    tag: v.string(),
    /** The one that takes its place is heard again. */
    renotify: v.optional(v.literal(true)),
    /** Address of what it is about. */
    navigate: v.string(),
  }),
});
export type NotificationPayload = v.InferOutput<typeof notificationPayloadSchema>;

/** Address of an appeal whose token the browser itself has kept: it stands in no notification, and so with no push service. */
export const toldAppealPath = "/appeal#told";

/** A conversation as a notification names it, by external ids. */
export interface ToldConversation {
  readonly with: string;
  /** Who was told of it: to anybody else who is signed in at that browser by then it means nothing. */
  readonly to: string;
}

/** Address of a conversation. Whom it is about stands behind the `#`, which browsers keep to themselves. */
export function conversationPath({ with: other, to }: ToldConversation): string {
  return `/?open=messages#with=${other}&to=${to}`;
}

const conversationPattern = new RegExp(
  `^#?with=([\\w-]{1,${identifierLengthMax}})&to=([\\w-]{1,${identifierLengthMax}})$`,
);

/** The conversation that the part behind the `#` names, with it or without; null: none. */
export function conversationIn(hash: string): ToldConversation | null {
  const [, other, to] = conversationPattern.exec(hash) ?? [];
  return other === undefined || to === undefined ? null : { with: other, to };
}

/** Whom to search for as a notification names it, and who was told. */
export interface ToldSearch extends MatchFilters {
  readonly to: string;
}

/** Address of the home screen with these filters set. */
export function searchPath({ sex, country, to }: ToldSearch): string {
  return `/?open=search#sex=${sex}&country=${country}&to=${to}`;
}

const searchPattern = new RegExp(`^#?sex=([012])&country=(-1|\\d{1,5})&to=([\\w-]{1,${identifierLengthMax}})$`);

/** The filters that the part behind the `#` names, with it or without; null: none. */
export function searchIn(hash: string): ToldSearch | null {
  const [, sex, country, to] = searchPattern.exec(hash) ?? [];
  return to === undefined ? null : { sex: Number(sex) as WishedSex, country: Number(country), to };
}
