import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { LineRules } from "#ports/line-rules.ts";
import type { RoomFrame } from "#socket/hub-listener.ts";
import { refuseFrame } from "./frame-refusal.ts";
import { answerTo, type LineAnswer, textAfter } from "./line-desk.ts";
import { type LiveRoom, otherOf, type Participant } from "./live-room.ts";
import { isPageGone, otherSide } from "./room-machine.ts";

type ChatLine = Extract<RoomFrame, { type: "chat" }>;

/** A chat line as the other reads it. */
export interface RoomLine {
  /** Id of the room. */
  readonly id: string;
  readonly fromId: bigint;
  readonly text: string;
  readonly atMs: number;
}

/** Brings the chat lines of rooms to the other side, as the rules for lines let them pass (rules CHAT-61 to CHAT-64, SAFE-43). */
export class ChatRelay {
  readonly #ports: { bus: Bus; lines: LineRules; clock: Clock };
  readonly #listeners = new Set<(line: RoomLine) => void>();

  constructor(ports: { bus: Bus; lines: LineRules; clock: Clock }) {
    this.#ports = ports;
  }

  onLine(listener: (line: RoomLine) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  take(room: LiveRoom, sender: Participant, frame: ChatLine): void {
    const { bus, clock, lines } = this.#ports;
    const { userId } = sender.matched;
    const { clientId, text } = frame;
    // A page that is gone has no chat any more: the line can be sent again once one is back (rule CALL-82).
    const isUnread = text.trim() === "" || isPageGone(room.state, otherSide(sender.side));
    if (isUnread) return refuseFrame(bus, userId, { frame, reason: "refused" });
    const taken = sender.lines.take(clientId, clock.monotonicMs());
    if (taken === "too-many") return refuseFrame(bus, userId, { frame, reason: "refused" });
    if (taken !== "taken") return this.#answer(userId, frame, taken);
    const ruling = lines.rule({ userId, callId: room.id }, text);
    const answer = answerTo(ruling);
    sender.lines.answer(clientId, answer);
    if (answer.kind === "stored") this.#deliver(room, sender, { ...frame, text: textAfter(ruling, text) });
    this.#answer(userId, frame, answer);
  }

  #deliver(room: LiveRoom, sender: Participant, { clientId, text }: ChatLine): void {
    const { bus, clock } = this.#ports;
    const sentAtMs = clock.nowMs();
    bus.chat(otherOf(room, sender).matched.userId, { type: "chat", roomId: room.id, clientId, text, sentAtMs });
    const line = { id: room.id, fromId: sender.matched.userId, text, atMs: sentAtMs };
    for (const listener of this.#listeners) listener(line);
  }

  #answer(userId: bigint, frame: ChatLine, answer: LineAnswer): void {
    const { bus } = this.#ports;
    if (answer.kind === "abusive") return refuseFrame(bus, userId, { frame, reason: "abusive" });
    if (answer.kind === "muted") return refuseFrame(bus, userId, { frame, reason: "muted", until: answer.untilMs });
    const stored = { type: "chat-stored", roomId: frame.roomId, clientId: frame.clientId } as const;
    bus.pass(userId, answer.findings.length > 0 ? { ...stored, findings: [...answer.findings] } : stored);
  }
}
