import type { SocialEvent } from "@fava/wire/messages.ts";
import type { Presence } from "@fava/wire/people.ts";
import { changeConversation, conversationWith, withConversation, withoutConversation } from "./boxes.ts";
import { compareIds, mergeMessages } from "./message-order.ts";
import type { MessagesEffect, MessagesState } from "./messages-state.ts";
import { withoutStored } from "./unsent.ts";

type Step = { state: MessagesState; effects: readonly MessagesEffect[] };

/** What the other person, or another page of this one, has done. */
export function stepSocial(state: MessagesState, event: SocialEvent): Step {
  switch (event.kind) {
    case "message":
      return takeMessage(state, event);
    case "read":
      return { state: takeRead(state, event), effects: [] };
    case "relation":
      return takeRelation(state, event);
    case "hidden": {
      const without = withoutConversation({ ...state, unreadTotal: event.unread_total }, event.externalId);
      return { state: without, effects: withKnownRequests(without) };
    }
    case "meet":
      return { state, effects: [] };
  }
}

function takeMessage(state: MessagesState, event: Extract<SocialEvent, { kind: "message" }>): Step {
  const { conversation, message } = event;
  const { externalId } = conversation;
  let next = withConversation({ ...state, unreadTotal: event.unread_total }, conversation);
  next = withoutStored(next, externalId, [message]);
  if (next.thread?.externalId === externalId)
    next = { ...next, thread: { ...next.thread, messages: mergeMessages(next.thread.messages, [message]) } };
  if (message.position === "left") next = withTyping(next, externalId, null);
  // How many requests there are is only known to the server.
  return { state: next, effects: conversation.state === "request_in" ? withKnownRequests(next) : [] };
}

function takeRead(state: MessagesState, event: Extract<SocialEvent, { kind: "read" }>): MessagesState {
  const { externalId, up_to: upTo } = event;
  const next = { ...state, unreadTotal: event.unread_total };
  return changeConversation(next, externalId, (known) => {
    if (event.by === "other") {
      const isNews = known.read_up_to === null || compareIds(upTo, known.read_up_to) > 0;
      return isNews ? { ...known, read_up_to: upTo } : known;
    }
    const isAll = known.lastMessage !== null && compareIds(upTo, known.lastMessage.id) >= 0;
    return isAll ? { ...known, unreadCount: 0 } : known;
  });
}

function takeRelation(state: MessagesState, event: Extract<SocialEvent, { kind: "relation" }>): Step {
  const { externalId, followStatus, likeStatus, isContact, presence } = event;
  const before = conversationWith(state, externalId);
  if (!before) return { state, effects: [] };
  const next = changeConversation(state, externalId, (known) => ({
    ...known,
    followStatus,
    likeStatus,
    isContact,
    presence,
  }));
  if (before.isContact === isContact) return { state: next, effects: [] };
  // Whether the two may write, and whether the other's reading is told, follows from it.
  return { state: next, effects: [{ type: "load-thread", externalId, cursor: null }] };
}

export function takePresence(state: MessagesState, externalId: string, presence: Presence): MessagesState {
  return changeConversation(state, externalId, (known) => (known.isContact ? { ...known, presence } : known));
}

/** Notes until when somebody of these conversations is writing; null: no longer. */
export function withTyping(state: MessagesState, externalId: string, untilMs: number | null): MessagesState {
  if (untilMs === null ? !state.typing.has(externalId) : !conversationWith(state, externalId)) return state;
  const typing = new Map(state.typing);
  if (untilMs === null) typing.delete(externalId);
  else typing.set(externalId, untilMs);
  return { ...state, typing };
}

/** Asks for the first page of the requests' box where it is shown, and for the number of requests anyway. */
function withKnownRequests(state: MessagesState): readonly MessagesEffect[] {
  return state.boxes.requests.isKnown
    ? [{ type: "load-box", box: "requests", cursor: null }]
    : [{ type: "load-box", box: "conversations", cursor: null }];
}
