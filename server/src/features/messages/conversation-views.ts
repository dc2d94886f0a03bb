import type { Conversation, Message } from "@fava/wire/messages.ts";
import type { Person } from "@fava/wire/people.ts";
import { avatarAddress } from "#features/session/service.ts";
import type { SideRow } from "./conversation-rows.ts";
import { stateOf, type Standing } from "./conversation-state.ts";
import { standingOf, type StoredMessage } from "./message-store.ts";

/** A stored message as one side sees it; `other` as that side sees the other. */
export function messageView(row: StoredMessage, side: { ownAvatarKey: string; other: Person }): Message {
  const { ownAvatarKey, other } = side;
  const isOwn = row.sender_id !== BigInt(other.user_id);
  return {
    id: String(row.id),
    clientId: row.client_id,
    conversationID: String(row.conversation_id),
    msgType: row.kind === "met" ? "met" : "text",
    text: row.text,
    avatar: isOwn ? avatarAddress(ownAvatarKey) : other.avatar,
    time: row.sent_at.getTime(),
    position: isOwn ? "right" : "left",
  };
}

/** A conversation as this side's list shows it. */
export function conversationView(row: SideRow, other: Person): Conversation {
  const friends = other.followStatus === 2;
  const readUpTo = row.other_read_up_to ?? 0n;
  return {
    ...entryOf(other, { friends, met: false, standing: standingOf(row.user_id, row) }),
    conversationID: String(row.conversation_id),
    lastMessage: messageView(row, { ownAvatarKey: row.own_avatar_key, other }),
    unreadCount: row.unread_count,
    read_up_to: friends && readUpTo > 0n ? String(readUpTo) : null,
  };
}

/** The entry of somebody to whom nothing was written yet. */
export function emptyConversation(other: Person, met: boolean): Conversation {
  return entryOf(other, { friends: other.followStatus === 2, met, standing: null });
}

function entryOf(other: Person, pair: { friends: boolean; met: boolean; standing: Standing | null }): Conversation {
  return {
    conversationID: "",
    lastMessage: null,
    unreadCount: 0,
    userProfile: { nick: other.nickname, avatar: other.avatar, userID: other.externalId },
    externalId: other.externalId,
    userId: other.user_id,
    followStatus: other.followStatus,
    likeStatus: other.likeStatus,
    isContact: pair.friends,
    country_name: other.country_name,
    country_flag: other.country_flag,
    presence: other.presence,
    state: stateOf(pair),
    read_up_to: null,
  };
}
