import * as v from "valibot";
import { useState } from "react";
import { createStore, useStore } from "zustand";
import { codes } from "@fava/wire/codes.ts";
import type { Endpoint, InputOf, OutputOf } from "@fava/wire/endpoint.ts";
import {
  conversationAnswer,
  conversationList,
  messageList,
  messageReact,
  messageRead,
  messageSend,
} from "@fava/wire/endpoints/messages.ts";
import { type TextSpan, textSpanSchema } from "@fava/wire/messages.ts";
import type { Reaction } from "@fava/wire/reactions.ts";
import { openThread } from "#features/people/person-links.ts";
import { tellFailure } from "#features/people/relation-actions.ts";
import { noteRelations, onPersonHidden } from "#features/people/relations.ts";
import { joinTabs, onSocial, type SocialMessage, sendTyping } from "#features/people/social-messages.ts";
import { announce } from "#lib/announce.ts";
import { randomHex } from "#lib/api/hex.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request, smallRequest } from "#lib/api/request.ts";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { currentUser } from "#lib/session.ts";
import { isReachable, onReachableAgain } from "#lib/socket/connection.ts";
import { type Answer, MessagesController, type MessagesPorts, type MessagesTrouble } from "./messages-controller.ts";
import {
  type FolderName,
  emptyMessages,
  type MessagesEvent,
  type MessagesState,
  type Thread,
} from "./messages-state.ts";
import { setMessageCounts } from "./unread.ts";

/** The controller of the signed-in user; null without one. */
const present = createStore<MessagesController | null>(() => null);
const nobody = createStore<MessagesState>(() => emptyMessages);

/** Follows the messages of this user, in sync with the other tabs, until `signal` aborts. */
export function startMessages(userId: number, signal: AbortSignal): void {
  const controller = new MessagesController(messagePorts(userId));
  joinTabs(userId, signal);
  const stops = [
    controller.store.subscribe(({ unreadTotal, requests, thread }, before) => {
      setMessageCounts({ messages: unreadTotal, requests: requests.count });
      const conversation = thread?.conversation;
      // Stores the follow and like of the open conversation, so that profile, lists and call show the same.
      if (conversation && conversation !== before.thread?.conversation)
        noteRelations([{ ...conversation, user_id: conversation.userId }]);
    }),
    onSocial({
      frame: (frame) => {
        const from = announcedSender(frame, controller.store.getState());
        controller.takeFrame(frame);
        if (from !== null && !document.hidden) announce(t("msg.arrived", { name: isolate(from) }));
      },
      sessionNew: () => controller.dispatch({ type: "session-new" }),
    }),
    onReachableAgain(() => controller.dispatch({ type: "session-new" })),
    onPersonHidden((hiddenId) => controller.dropDrafts(hiddenId)),
  ];
  signal.addEventListener("abort", () => {
    for (const stop of stops) stop();
    controller.dispose();
    if (present.getState() === controller) present.setState(null, true);
    setMessageCounts({ messages: 0, requests: 0 });
  });
  present.setState(controller, true);
  controller.dispatch({ type: "session-new" });
}

/** Whether messages are available: from shortly after the sign-in on. */
export function useIsFollowing(): boolean {
  return useStore(present, (controller) => controller !== null);
}

export function useMessages<Part>(part: (state: MessagesState) => Part): Part {
  const controller = useStore(present);
  return useStore(controller?.store ?? nobody, part);
}

/** The draft of a conversation, which returns when that is opened again. */
export function useDraft({ externalId, conversation }: Thread): readonly [string, (text: string) => void] {
  const [text, setText] = useState(() => present.getState()?.draftOf(externalId) ?? "");
  const change = (next: string) => {
    setText(next);
    if (conversation) present.getState()?.keepDraft(conversation, next);
  };
  return [text, change];
}

/** Opens the conversation with this person; null: none. */
export function chooseConversation(externalId: string | null): void {
  openThread(externalId);
  dispatch({ type: "chosen", externalId });
}

/** Tells the controller which conversation the messages panel shows; null: none, or the panel is closed. */
export function followConversation(externalId: string | null): void {
  dispatch({ type: "chosen", externalId });
}

/** The user opened the list: loads it again, with the presence of its people. */
export function refreshList(): void {
  dispatch({ type: "refreshed" });
}

export function loadFolder(folder: FolderName): void {
  dispatch({ type: "folder-wanted", folder });
}

export function loadMoreOf(folder: FolderName): void {
  dispatch({ type: "more-wanted", folder });
}

/** Loads the open thread again after a failure. */
export function reloadThread(): void {
  dispatch({ type: "thread-wanted" });
}

export function loadOlder(): void {
  dispatch({ type: "older-wanted" });
}

export function setWatched(isWatched: boolean): void {
  dispatch({ type: "watched", isWatched });
}

export function sendMessage(externalId: string, text: string): void {
  present.getState()?.say(externalId, text);
}

export function tryAgain(externalId: string, clientId: string): void {
  present.getState()?.tryAgain(externalId, clientId);
}

export function discard(externalId: string, clientId: string): void {
  dispatch({ type: "discarded", externalId, clientId });
}

export function typed(externalId: string): void {
  present.getState()?.typed(externalId);
}

/** Accepts or declines a request; resolves to false when the server did not store it. */
export async function answerRequest(externalId: string, isAccepted: boolean): Promise<boolean> {
  return (await present.getState()?.answerRequest(externalId, isAccepted)) ?? false;
}

/**
 * Reacts to a message of the partner; the same reaction again takes it back. Shown at once, and reverted with a message
 * if the server did not store it.
 */
export async function reactTo(
  { externalId, messageId, before }: { externalId: string; messageId: string; before: Reaction | null },
  pressed: Reaction,
): Promise<void> {
  const user = currentUser();
  if (!user) return;
  const show = (reaction: Reaction | null) =>
    dispatch({ type: "social", event: { kind: "reaction", externalId, messageId, reaction } });
  const reaction = pressed === before ? null : pressed;
  show(reaction);
  try {
    const about = { user_id: user.user_id, externalId, message_id: messageId };
    await request(messageReact, reaction === null ? about : { ...about, reaction });
  } catch (error) {
    show(before);
    tellFailure(error);
  }
}

function dispatch(event: MessagesEvent): void {
  present.getState()?.dispatch(event);
}

/**
 * The sender of a message that a screen reader should announce: not the user's own message, a stranger's request, or
 * one in the open conversation, whose log announces it.
 */
export function announcedSender(frame: SocialMessage, { thread }: MessagesState): string | null {
  if (frame.type !== "social" || frame.event.kind !== "message") return null;
  const { conversation, message } = frame.event;
  const isOwn = message.position === "right";
  const isOpen = thread?.externalId === conversation.externalId;
  return isOwn || isOpen || conversation.state === "request_in" ? null : conversation.userProfile.nick;
}

/** The requests of the messages feature, for the user with this id. */
function messagePorts(userId: number): MessagesPorts {
  const who = { user_id: userId };
  return {
    list: (folder, cursor, signal) =>
      answered(conversationList, { ...who, box: folder === "requests" ? 1 : 0, ...page(cursor) }, signal),
    thread: (externalId, cursor, signal) => answered(messageList, { ...who, externalId, ...page(cursor) }, signal),
    send: ({ externalId, clientId, text }, signal) =>
      answered(messageSend, { ...who, externalId, client_id: clientId, text }, signal),
    tellRead: (externalId, upTo, signal) => answered(messageRead, { ...who, externalId, up_to: upTo }, signal),
    answer: (externalId, isAccepted, signal) =>
      answered(conversationAnswer, { ...who, externalId, accept: isAccepted ? 1 : 0 }, signal),
    sendTyping,
    nowMs: () => Date.now(),
    newId: () => randomHex(32),
    isReachable,
  };
}

function page(cursor: string | null): { cursor?: string } {
  return cursor === null ? {} : { cursor };
}

async function answered<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  signal: AbortSignal,
): Promise<Answer<OutputOf<E>>> {
  try {
    return { data: await smallRequest(endpoint, input, { signal }) };
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error;
    return { trouble: troubleOf(error) };
  }
}

const foundSchema = v.object({ spans: v.array(textSpanSchema) });

/** What a failed request means for a message or a page. */
function troubleOf({ code, reason, data }: RequestFailure): MessagesTrouble {
  if (reason === "aborted") return { kind: "aborted", problem: { kind: "network" } };
  if (code === codes.slowDown) return { kind: "refused", problem: { kind: "too-fast" } };
  if (code === codes.refused || code === codes.forbidden)
    return {
      kind: reason === "not_met" ? "gone" : "refused",
      problem: { kind: "refused", reason, spans: spansOf(data) },
    };
  const isSilent = code === 0 || code >= codes.serverError;
  return { kind: isSilent ? "silent" : "refused", problem: { kind: "network" } };
}

function spansOf(data: unknown): readonly TextSpan[] {
  const found = v.safeParse(foundSchema, data);
  return found.success ? found.output.spans : [];
}
