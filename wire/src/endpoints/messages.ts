import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formChoice, formText, formUserId } from "../form.ts";
import { identifierLengthMax, messageLengthMax } from "../limits.ts";
import { conversationSchema, coverKindSchema, messageSchema, textFindingSchema, textSpanSchema } from "../messages.ts";
import { reactions } from "../reactions.ts";

const externalId = formText(1, identifierLengthMax);
const cursor = v.optional(formText(1, identifierLengthMax));
const messageId = v.pipe(v.string(), v.regex(/^\d{1,19}$/));
/** Null on the last page. */
const next = v.nullable(v.string());

export const messageSend = endpoint({
  path: "/api/message/send",
  summary: "Send a message to a friend, or one request after a call; the same client id is stored once",
  access: "complete",
  input: {
    user_id: formUserId,
    externalId,
    client_id: formText(1, identifierLengthMax),
    text: formText(1, messageLengthMax),
  },
  output: v.object({ message: messageSchema, conversation: conversationSchema }),
});

export const messageList = endpoint({
  path: "/api/message/list",
  summary: "Messages of one conversation, newest first; empty before the first message",
  access: "user",
  isRead: true,
  input: { user_id: formUserId, externalId, cursor },
  output: v.object({
    messages: v.array(messageSchema),
    next,
    /** The list entry, even before the first message; then `conversationID` is empty. */
    conversation: conversationSchema,
  }),
});

export const messageRead = endpoint({
  path: "/api/message/read",
  summary: "Mark everything up to this message as read; a message after the last one is bad input",
  access: "user",
  input: { user_id: formUserId, externalId, up_to: messageId },
  output: v.object({ unread_total: v.number() }),
});

export const messageReact = endpoint({
  path: "/api/message/react",
  summary: "React to a message of the other user, or take the reaction back",
  access: "complete",
  input: {
    user_id: formUserId,
    externalId,
    message_id: messageId,
    /** Left out: none. */
    reaction: v.optional(v.picklist(reactions)),
  },
  output: v.object({}),
});

export const conversationList = endpoint({
  path: "/api/conversation/list",
  summary: "Conversations ordered by their last message, newest first",
  access: "user",
  isRead: true,
  input: {
    user_id: formUserId,
    /** 0: conversations, 1: message requests from others. */
    box: v.optional(formChoice([0, 1]), 0),
    cursor,
  },
  output: v.object({
    conversations: v.array(conversationSchema),
    next,
    /** Unread messages of all conversations except requests. */
    unread_total: v.number(),
    /** Message requests waiting for the user's answer. */
    requests: v.object({ count: v.number(), latest_nick: v.nullable(v.string()) }),
  }),
});

export const conversationAnswer = endpoint({
  path: "/api/conversation/answer",
  summary: "Accept or decline a message request; its sender is not notified of a decline",
  access: "complete",
  input: { user_id: formUserId, externalId, accept: formChoice([0, 1]) },
  output: v.object({ conversation: v.nullable(conversationSchema) }),
});

export const chatCheck = endpoint({
  path: "/api/chat/check",
  summary: "Check a text without sending it: why it would be refused, and whether it would be covered",
  access: "user",
  /** Without `externalId`, the receiver, the server checks the text like that of a message request. */
  input: { user_id: formUserId, externalId: v.optional(externalId), text: formText(1, messageLengthMax) },
  output: v.object({
    /** What the text rules would reject; empty if the server would send the text. */
    findings: v.array(textFindingSchema),
    spans: v.array(textSpanSchema),
    /** Why a friend would receive it under a cover; null: not covered. */
    cover: v.nullable(coverKindSchema),
  }),
});
