import * as v from "valibot";
import { type ServerMessage, serverMessageSchema } from "@fava/wire/socket.ts";

/** The messages of the chat session about people and messages, which the call machine ignores. */
export type SocialMessage = Extract<ServerMessage, { type: "social" | "presence" | "typing" }>;

/**
 * Only one tab of a browser has the chat socket (docs/decisions/001-one-tab-holds-the-call.md). It passes its messages
 * on, so that the other tabs of the same user stay in sync; they ask it to send what only a socket can.
 */
type TabMessage =
  | { readonly type: "frame"; readonly frame: SocialMessage }
  | { readonly type: "session-new" }
  | { readonly type: "tell-typing"; readonly externalId: string };

interface Listener {
  /** Receives each social message of this browser's chat session once, whichever tab has the socket. */
  frame?(frame: SocialMessage): void;
  /** The chat session could not be resumed and a new one has started, so that loaded data may be outdated. */
  sessionNew?(): void;
  /** Tells the friend that the user is typing; only the tab with the socket can send that. */
  sendTyping?(externalId: string): void;
}

const listeners = new Set<Listener>();
let channel: BroadcastChannel | null = null;

/** Listens to what concerns people and messages, in this tab and the others; returns how to unsubscribe. */
export function onSocial(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Listens to every social message; returns how to unsubscribe. */
export function onSocialMessage(listener: (frame: SocialMessage) => void): () => void {
  return onSocial({ frame: listener });
}

/** Passes on a message that the socket of this tab has received. */
export function publishSocial(frame: SocialMessage): void {
  tell({ type: "frame", frame });
}

/** Reports that the socket of this tab has started a new session. */
export function publishSessionNew(): void {
  tell({ type: "session-new" });
}

export function sendTyping(externalId: string): void {
  tell({ type: "tell-typing", externalId });
}

/**
 * Exchanges social messages with the other tabs of this user until `signal` aborts, which must be at the end of the
 * session at the latest.
 */
export function joinTabs(userId: number, signal: AbortSignal): void {
  // The name separates users who sign in one after the other.
  const joined = new BroadcastChannel(`fava-social-${userId}`);
  joined.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    const message = readTabMessage(data);
    if (message && channel === joined) hear(message);
  });
  channel?.close();
  channel = joined;
  signal.addEventListener("abort", () => {
    joined.close();
    if (channel === joined) channel = null;
  });
}

function tell(message: TabMessage): void {
  hear(message);
  channel?.postMessage(message);
}

function hear(message: TabMessage): void {
  for (const listener of listeners) {
    if (message.type === "frame") listener.frame?.(message.frame);
    else if (message.type === "session-new") listener.sessionNew?.();
    else listener.sendTyping?.(message.externalId);
  }
}

const tabMessageSchema = v.variant("type", [
  v.object({ type: v.literal("frame"), frame: serverMessageSchema }),
  v.object({ type: v.literal("session-new") }),
  v.object({ type: v.literal("tell-typing"), externalId: v.string() }),
]);

/** Another tab may still run an older version of the page. */
function readTabMessage(data: unknown): TabMessage | null {
  const read = v.safeParse(tabMessageSchema, data);
  if (!read.success) return null;
  const message = read.output;
  if (message.type !== "frame") return message;
  const { frame } = message;
  const isSocial = frame.type === "social" || frame.type === "presence" || frame.type === "typing";
  return isSocial ? { type: "frame", frame } : null;
}
