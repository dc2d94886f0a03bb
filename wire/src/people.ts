import * as v from "valibot";
import { sharedTagsSchema } from "./talk.ts";

/** 0 unknown, 1 male, 2 female (specification, user info). */
export const sexSchema = v.picklist([0, 1, 2]);
export type Sex = v.InferOutput<typeof sexSchema>;

/** 1 Google, 2 Facebook, 3 Apple. */
export const loginTypes = [1, 2, 3] as const;
export type LoginType = (typeof loginTypes)[number];

/** 1 desktop, 2 other. */
export const sources = [1, 2] as const;

/** 0 user, 2 moderator, 3 administrator. */
export const roles = { user: 0, moderator: 2, administrator: 3 } as const;

/** The kind words that a user can leave for the partner of a call; `kind.1` to `kind.4` in the catalogs. */
export const kindWords = [1, 2, 3, 4] as const;
export const kindWordSchema = v.picklist(kindWords);
export type KindWord = v.InferOutput<typeof kindWordSchema>;

/** The user info of the specification, for its owner. */
export const ownUserSchema = v.object({
  id: v.number(),
  user_id: v.number(),
  user_no: v.string(),
  nickname: v.string(),
  avatar: v.string(),
  sex: sexSchema,
  /** `YYYY-MM-DD`, or empty where it is missing. */
  birthday: v.string(),
  birth_year: v.nullable(v.number()),
  country: v.string(),
  country_id: v.number(),
  country_name: v.string(),
  country_flag: v.string(),
  /** Bean balance. */
  credit5: v.number(),
  role: v.number(),
  language: v.string(),
  accountType: v.picklist(loginTypes),
  createTime: v.string(),
  loginTime: v.string(),
  externalId: v.string(),
  loginIp: v.string(),
  imei: v.string(),
  thirdPartyId: v.string(),
  /** Birthday and gender are stored; matching requires both. */
  profile_complete: v.boolean(),
  /** The day on which an under-age user may try again, `YYYY-MM-DD`; null for all others. */
  age_try_again: v.nullable(v.string()),
  /** Fresh chat signature; the one from login expires soon. */
  tencent_sign: v.string(),
  about: v.string(),
  location: v.string(),
  /** When the nickname can be changed again, milliseconds since the epoch; null: now. */
  nickname_next: v.nullable(v.number()),
  /** 1: strangers can find the user by nickname. */
  searchable: v.picklist([0, 1]),
  /** 1: friends may ring the user; 0: no one may. */
  ringable: v.picklist([0, 1]),
});
export type OwnUser = v.InferOutput<typeof ownUserSchema>;

/** The remote user of the specification: what the match push carries as `remote`. */
export const remoteUserSchema = v.object({
  user_id: v.number(),
  external_id: v.string(),
  nickname: v.string(),
  avatar: v.string(),
  sex: sexSchema,
  country_id: v.number(),
  country_name: v.string(),
  country_flag: v.string(),
  /** Price of this call for the receiver of this record, in beans a minute. */
  price: v.number(),
  /** Languages and interests that both chose; left out where there are none. */
  shared: v.optional(sharedTagsSchema),
});
export type RemoteUser = v.InferOutput<typeof remoteUserSchema>;

/** 0 none, 1 following, 2 mutual: friends. */
export const followStatusSchema = v.picklist([0, 1, 2]);
export type FollowStatus = v.InferOutput<typeof followStatusSchema>;
export const likeStatusSchema = v.picklist([0, 1]);
export type LikeStatus = v.InferOutput<typeof likeStatusSchema>;

/** Only friends see a user's presence; all others get null. */
export const presenceSchema = v.picklist(["online", "away", "offline"]);
export type Presence = v.InferOutput<typeof presenceSchema>;

/** A user as lists show them. */
export const personSchema = v.object({
  user_id: v.number(),
  externalId: v.string(),
  nickname: v.string(),
  avatar: v.string(),
  sex: sexSchema,
  country_id: v.number(),
  country_name: v.string(),
  country_flag: v.string(),
  followStatus: followStatusSchema,
  likeStatus: likeStatusSchema,
  presence: v.nullable(presenceSchema),
});
export type Person = v.InferOutput<typeof personSchema>;

/** `request`: the caller may send one message, which the other user then has to accept. */
const canMessageSchema = v.picklist(["yes", "request", "no"]);

/** Another user's profile in `/api/user/info`. */
export const otherUserSchema = v.object({
  ...personSchema.entries,
  user_no: v.string(),
  about: v.string(),
  location: v.string(),
  /** Approved photos in their owner's order. */
  photos: v.array(v.object({ id: v.string(), url: v.string(), thumb: v.string() })),
  can_message: canMessageSchema,
  /** 1: the official account of this service. */
  official: v.picklist([0, 1]),
  /** Until when the caller muted the rings of this user, milliseconds since the epoch; left out without a mute. */
  ring_muted_until: v.optional(v.number()),
  /** Languages and interests that both chose; left out where there are none. */
  shared: v.optional(sharedTagsSchema),
});
export type OtherUser = v.InferOutput<typeof otherUserSchema>;
