import { createStore } from "zustand/vanilla";
import { typingRepeatMs } from "@fava/wire/limits.ts";
import type { Conversation, Message } from "@fava/wire/messages.ts";
import type { SocialMessage } from "#features/people/social-messages.ts";
import { stepMessages } from "./messages-machine.ts";
import {
  type FolderName,
  type FolderPage,
  emptyMessages,
  type MessagesEffect,
  type MessagesEvent,
  type MessagesState,
  type SendProblem,
  type ThreadPage,
} from "./messages-state.ts";

/**
 * Why a request failed. `silent`: no response or a server error, so that a retry may succeed; `gone`: the server does
 * not show this person to the user.
 */
export interface MessagesTrouble {
  readonly kind: "silent" | "gone" | "aborted" | "refused";
  readonly problem: SendProblem;
}

/** Failures are values: these requests never reject. */
export type Answer<Data> = { readonly data: Data } | { readonly trouble: MessagesTrouble };

export interface MessagesPorts {
  list(folder: FolderName, cursor: string | null, signal: AbortSignal): Promise<Answer<FolderPage>>;
  thread(externalId: string, cursor: string | null, signal: AbortSignal): Promise<Answer<ThreadPage>>;
  send(
    said: { externalId: string; clientId: string; text: string },
    signal: AbortSignal,
  ): Promise<Answer<{ message: Message; conversation: Conversation }>>;
  tellRead(externalId: string, upTo: string, signal: AbortSignal): Promise<Answer<{ unread_total: number }>>;
  answer(
    externalId: string,
    isAccepted: boolean,
    signal: AbortSignal,
  ): Promise<Answer<{ conversation: Conversation | null }>>;
  /** Tells the friend that the user is typing. */
  sendTyping(externalId: string): void;
  nowMs(): number;
  newId(): string;
  isReachable(): boolean;
}

/** Delays before each retry of a message without a response. */
const sendRetryMs = [1_000, 3_000] as const;
/** Delays before each retry of a page without a response; the user can retry at any time. */
const loadRetryMs = [2_000, 6_000, 15_000] as const;

/** The number of conversations whose drafts are kept; beyond it the oldest draft is dropped. */
const draftsMax = 50;

/** Runs the effects of the messages machine for one signed-in user, until it is disposed of. */
export class MessagesController {
  readonly store = createStore<MessagesState>(() => emptyMessages);
  readonly #ports: MessagesPorts;
  readonly #owner = new AbortController();
  /** The newest load of each folder and thread; it aborts the one before. */
  readonly #loads = new Map<string, AbortController>();
  #typingTimer: ReturnType<typeof setTimeout> | undefined;
  #toldTyping: { externalId: string; atMs: number } | null = null;
  /** Drafts by the conversation's external id, the one that changed last at the end. */
  readonly #drafts = new Map<string, { userId: number; text: string }>();

  constructor(ports: MessagesPorts) {
    this.#ports = ports;
  }

  dispatch(event: MessagesEvent): void {
    if (this.#owner.signal.aborted) return;
    const before = this.store.getState();
    const { state, effects } = stepMessages(before, event);
    if (state !== before) this.store.setState(state, true);
    for (const effect of effects) void this.#run(effect);
  }

  /** Aborts every request and timer; drops unsent messages. */
  dispose(): void {
    this.#owner.abort();
    clearTimeout(this.#typingTimer);
  }

  takeFrame(frame: SocialMessage): void {
    switch (frame.type) {
      case "social":
        return this.dispatch({ type: "social", event: frame.event });
      case "presence":
        return this.dispatch({ type: "presence", externalId: frame.externalId, presence: frame.presence });
      case "typing":
        this.dispatch({
          type: "typing",
          externalId: frame.externalId,
          untilMs: this.#ports.nowMs() + 2 * typingRepeatMs,
        });
        return this.#awaitTypingEnd();
    }
  }

  say(externalId: string, text: string): void {
    this.#toldTyping = null;
    const ports = this.#ports;
    this.dispatch({ type: "said", externalId, clientId: ports.newId(), text, nowMs: ports.nowMs() });
  }

  tryAgain(externalId: string, clientId: string): void {
    this.dispatch({ type: "tried-again", externalId, clientId, nowMs: this.#ports.nowMs() });
  }

  /** The draft of a conversation; empty if there is none. */
  draftOf(externalId: string): string {
    return this.#drafts.get(externalId)?.text ?? "";
  }

  /** Keeps a draft, only in memory, until it is sent or cleared, or the session ends. */
  keepDraft({ externalId, userId }: Pick<Conversation, "externalId" | "userId">, text: string): void {
    this.#drafts.delete(externalId);
    if (text !== "") this.#drafts.set(externalId, { userId, text });
    const oldest = this.#drafts.keys().next();
    if (this.#drafts.size > draftsMax && !oldest.done) this.#drafts.delete(oldest.value);
  }

  /** Drops the drafts to a person who was hidden. */
  dropDrafts(hiddenId: number): void {
    for (const [externalId, { userId }] of this.#drafts) if (userId === hiddenId) this.#drafts.delete(externalId);
  }

  /** The user changed the text; reported at most once every `typingRepeatMs`. */
  typed(externalId: string): void {
    const atMs = this.#ports.nowMs();
    const told = this.#toldTyping;
    if (told?.externalId === externalId && atMs - told.atMs < typingRepeatMs) return;
    this.#toldTyping = { externalId, atMs };
    this.#ports.sendTyping(externalId);
  }

  /** Accepts or declines a request; resolves to false when the server did not store it. */
  async answerRequest(externalId: string, isAccepted: boolean): Promise<boolean> {
    const answer = await this.#ports.answer(externalId, isAccepted, this.#owner.signal);
    if ("trouble" in answer) return false;
    this.dispatch({ type: "answered", externalId, conversation: answer.data.conversation });
    return true;
  }

  #run(effect: MessagesEffect): Promise<void> {
    switch (effect.type) {
      case "load-folder":
        return this.#loadFolder(effect);
      case "load-thread":
        return this.#loadThread(effect);
      case "send":
        return this.#send(effect);
      case "tell-read":
        return this.#tellRead(effect);
    }
  }

  async #loadFolder({ folder, cursor }: Extract<MessagesEffect, { type: "load-folder" }>): Promise<void> {
    const answer = await this.#load(`folder ${folder}`, (signal) => this.#ports.list(folder, cursor, signal));
    if (!answer) return;
    if ("data" in answer) this.dispatch({ type: "folder-loaded", folder, cursor, page: answer.data });
    else this.dispatch({ type: "folder-failed", folder });
  }

  async #loadThread({ externalId, cursor }: Extract<MessagesEffect, { type: "load-thread" }>): Promise<void> {
    const ask = (signal: AbortSignal) => this.#ports.thread(externalId, cursor, signal);
    const answer = await this.#load(`thread ${externalId}`, ask);
    if (!answer) return;
    if ("data" in answer) this.dispatch({ type: "thread-loaded", externalId, cursor, page: answer.data });
    else this.dispatch({ type: "thread-failed", externalId, isGone: answer.trouble.kind === "gone" });
  }

  /** Every attempt carries the same client id, so that the server stores the message once. */
  async #send({ externalId, clientId, text }: Extract<MessagesEffect, { type: "send" }>): Promise<void> {
    const { signal } = this.#owner;
    const answer = await this.#again(
      () => this.#ports.send({ externalId, clientId, text }, signal),
      sendRetryMs,
      signal,
    );
    if ("data" in answer) this.dispatch({ type: "stored", externalId, ...answer.data });
    else this.dispatch({ type: "not-stored", externalId, clientId, problem: answer.trouble.problem });
  }

  async #tellRead({ externalId, upTo }: Extract<MessagesEffect, { type: "tell-read" }>): Promise<void> {
    const { signal } = this.#owner;
    const answer = await this.#again(() => this.#ports.tellRead(externalId, upTo, signal), sendRetryMs, signal);
    const unreadTotal = "data" in answer ? answer.data.unread_total : null;
    this.dispatch({ type: "read-told", externalId, unreadTotal });
  }

  async #again<Data>(
    ask: () => Promise<Answer<Data>>,
    pausesMs: readonly number[],
    signal: AbortSignal,
  ): Promise<Answer<Data>> {
    for (const pauseMs of pausesMs) {
      const answer = await ask();
      const isFinal = "data" in answer || answer.trouble.kind !== "silent";
      // While the server cannot be reached, a delay would only hide from the user that nothing is sent.
      if (isFinal || signal.aborted || !this.#ports.isReachable()) return answer;
      await pause(pauseMs, signal);
      if (signal.aborted) return answer;
    }
    return ask();
  }

  /** Resolves to null when a newer load of the same name has replaced it, or the controller was disposed of. */
  async #load<Data>(name: string, ask: (signal: AbortSignal) => Promise<Answer<Data>>): Promise<Answer<Data> | null> {
    this.#loads.get(name)?.abort();
    const load = new AbortController();
    this.#loads.set(name, load);
    const signal = AbortSignal.any([this.#owner.signal, load.signal]);
    const answer = await this.#again(() => ask(signal), loadRetryMs, signal);
    if (this.#loads.get(name) === load) this.#loads.delete(name);
    return signal.aborted ? null : answer;
  }

  #awaitTypingEnd(): void {
    clearTimeout(this.#typingTimer);
    const ports = this.#ports;
    const first = Math.min(...this.store.getState().typing.values());
    if (!Number.isFinite(first) || this.#owner.signal.aborted) return;
    this.#typingTimer = setTimeout(
      () => {
        this.dispatch({ type: "typing-over", nowMs: ports.nowMs() });
        this.#awaitTypingEnd();
      },
      Math.max(0, first - ports.nowMs()),
    );
  }
}

/** Resolves after the pause, or earlier when `signal` aborts. */
function pause(pauseMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, pauseMs);
    signal.addEventListener("abort", done);
  });
}
