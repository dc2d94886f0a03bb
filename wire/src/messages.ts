import * as v from "valibot";
import { followStatusSchema, likeStatusSchema, presenceSchema } from "./people.ts";

/** What the text rules find: a way to be reached outside, the number of a card or account, a postal address, abuse, or asking for what is not allowed. */
export const textFindingSchema = v.picklist([
  "phone",
  "email",
  "link",
  "handle",
  "account_number",
  "address",
  "abuse",
  "solicitation",
]);

/** Where something was found in a text; places are UTF-16 units, the end excluded. */
export const textSpanSchema = v.object({ start: v.number(), end: v.number(), finding: textFindingSchema });
export type TextSpan = v.InferOutput<typeof textSpanSchema>;

/** Why a text may hurt. */
export const coverKindSchema = v.picklist(["insult", "threat", "hate", "solicitation"]);

/**
 * A text that its reader sees only after a press, because it may hurt. Its record's `text` is `coverMask` for the reader, for
 * pages and programs that do not know covers.
 */
export const textCoverSchema = v.object({
  kind: coverKindSchema,
  /** What stands under the cover. */
  text: v.string(),
});
export type TextCover = v.InferOutput<typeof textCoverSchema>;

/** What stands in place of words that their reader does not get, or not at once. */
export const coverMask = "•••";

/** One line of a conversation, as the receiver of this record sees it. */
export const messageSchema = v.object({
  /** Grows within a conversation; decimal digits. */
  id: v.string(),
  /** Made by the sender's browser; a message that is sent again is stored and shown once. */
  clientId: v.string(),
  conversationID: v.string(),
  /** `met`: no text, the two were in a call for `text` seconds before. `missed`: its sender rang in vain, and `text` says so for a page that does not know the kind. */
  msgType: v.picklist(["text", "met", "missed"]),
  /** Empty where its sender deleted the account. */
  text: v.string(),
  /** Where the text may hurt: both sides know that it is covered. The sender's `text` holds the words as well. */
  cover: v.optional(textCoverSchema),
  /** Picture of the sender. */
  avatar: v.string(),
  /** Milliseconds since the epoch. */
  time: v.number(),
  /** `right`: the receiver of this record has written it. */
  position: v.picklist(["left", "right"]),
});
export type Message = v.InferOutput<typeof messageSchema>;

/**
 * `open`: both may write. `request_in`, `request_out`: one message, not yet accepted. `closed`: it can be read, and not
 * written to, such as after the end of a friendship. `official`: news of this service.
 */
const conversationStateSchema = v.picklist(["open", "request_in", "request_out", "closed", "official"]);
export type ConversationState = v.InferOutput<typeof conversationStateSchema>;

/** The conversation of the specification, section 3. */
export const conversationSchema = v.object({
  conversationID: v.string(),
  lastMessage: v.nullable(messageSchema),
  unreadCount: v.number(),
  /** `userID` is the chat id. */
  userProfile: v.object({ nick: v.string(), avatar: v.string(), userID: v.string() }),
  externalId: v.string(),
  userId: v.number(),
  followStatus: followStatusSchema,
  likeStatus: likeStatusSchema,
  /** Whether the other is a friend, or the official account. */
  isContact: v.boolean(),
  country_name: v.string(),
  country_flag: v.string(),
  /** Friends only. */
  presence: v.nullable(presenceSchema),
  state: conversationStateSchema,
  /** Id up to which the other has read; friends only. */
  read_up_to: v.nullable(v.string()),
});
export type Conversation = v.InferOutput<typeof conversationSchema>;

/** What happened between the receiver and another person; kept until acknowledged, each delivered once. */
export const socialEventSchema = v.variant("kind", [
  /** A message of either side. `conversation` is its list entry after it. */
  v.object({
    kind: v.literal("message"),
    conversation: conversationSchema,
    message: messageSchema,
    /** Unread messages of all conversations that are no requests. */
    unread_total: v.number(),
  }),
  /** `by` me: on another page of mine. */
  v.object({
    kind: v.literal("read"),
    externalId: v.string(),
    up_to: v.string(),
    by: v.picklist(["me", "other"]),
    unread_total: v.number(),
  }),
  /** What this person is to the receiver after a follow or like of either side. */
  v.object({
    kind: v.literal("relation"),
    userId: v.number(),
    externalId: v.string(),
    followStatus: followStatusSchema,
    likeStatus: likeStatusSchema,
    isContact: v.boolean(),
    /** Null unless the two are friends. */
    presence: v.nullable(presenceSchema),
  }),
  /** The person is no longer there for the receiver: blocked by either side, or deleted. */
  v.object({ kind: v.literal("hidden"), userId: v.number(), externalId: v.string(), unread_total: v.number() }),
  /**
   * `both`: the two want to meet again. `waiting`: the other has pressed start and waits for the receiver. `over`: the
   * receiver, who waited, waits no more, because the two cannot meet again now.
   */
  v.object({
    kind: v.literal("meet"),
    userId: v.number(),
    externalId: v.string(),
    nickname: v.string(),
    avatar: v.string(),
    state: v.picklist(["both", "waiting", "over"]),
  }),
  /** A friend rings the receiver, who can take it until then; told again to a page that is opened meanwhile. */
  v.object({
    kind: v.literal("ring"),
    id: v.string(),
    from: v.object({ userId: v.number(), externalId: v.string(), nickname: v.string(), avatar: v.string() }),
    /** Milliseconds since the epoch. */
    until: v.number(),
  }),
  /**
   * A ring of either side is over, told to each side once. `declined`, `cancelled`: by the other. `missed`: nobody took it
   * in time, or it came to nothing. `elsewhere`: the receiver answered or ended it, maybe on another page.
   */
  v.object({
    kind: v.literal("ring_over"),
    id: v.string(),
    why: v.picklist(["declined", "missed", "cancelled", "elsewhere"]),
  }),
]);
export type SocialEvent = v.InferOutput<typeof socialEventSchema>;
