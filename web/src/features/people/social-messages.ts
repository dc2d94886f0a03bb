import * as v from "valibot";
import { type ServerMessage, serverMessageSchema } from "@fava/wire/socket.ts";

/** What the chat session says of people and messages; the call has no use for it. */
export type SocialMessage = Extract<ServerMessage, { type: "social" | "presence" | "typing" }>;

/**
 * Only one tab of a browser holds the chat socket (docs/decisions/001-one-tab-holds-the-call.md). It passes on what
 * arrives there, so that the other tabs of the same person stay in step; and they ask it to tell what only a socket can.
 */
type TabMessage =
  | { readonly type: "frame"; readonly frame: SocialMessage }
  | { readonly type: "session-new" }
  | { readonly type: "tell-typing"; readonly externalId: string };

interface Listener {
  /** Every such frame that reaches the browser, each once. */
  frame?(frame: SocialMessage): void;
  /** A chat session began that knows nothing of the one before: what was fetched until now may be outdated. */
  sessionNew?(): void;
  /** The friend shall be told that this person is writing; the tab with the socket does it. */
  tellTyping?(externalId: string): void;
}

const listeners = new Set<Listener>();
let channel: BroadcastChannel | null = null;

/** Hears what concerns people and messages, in this tab and in the others, until the answer is called. */
export function onSocial(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Hears every social frame, until the answer is called. */
export function onSocialMessage(listener: (frame: SocialMessage) => void): () => void {
  return onSocial({ frame: listener });
}

/** The socket of this tab has received it. */
export function publishSocial(frame: SocialMessage): void {
  tell({ type: "frame", frame });
}

/** The socket of this tab has begun a new session. */
export function publishSessionNew(): void {
  tell({ type: "session-new" });
}

export function tellTyping(externalId: string): void {
  tell({ type: "tell-typing", externalId });
}

/** Goes along with the other tabs of this person, until `signal` is aborted: with the session, at the latest. */
export function joinTabs(userId: number, signal: AbortSignal): void {
  // The name keeps people apart who signed in one after the other.
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
    else listener.tellTyping?.(message.externalId);
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
