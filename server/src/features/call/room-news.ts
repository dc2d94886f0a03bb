import type { Clock } from "#ports/clock.ts";
import type { EndedRoom, LiveRoom, RoomFact } from "./live-room.ts";
import type { CallEventKind, RoomEffect, Side } from "./room-machine.ts";
import type { CallLog } from "./store.ts";

/** Rows of one call in `call_events`; a switch that is flipped without end is not worth more. */
const eventsPerCallMax = 500;

const bothSides = ["offerer", "answerer"] as const;

/** What happens in rooms, brought to the call log and to whoever listens in this process. */
export class RoomNews {
  readonly #ports: { log: CallLog; clock: Clock };
  readonly #endedListeners = new Set<(ended: EndedRoom) => void>();
  readonly #factListeners = new Set<(fact: RoomFact) => void>();

  constructor(ports: { log: CallLog; clock: Clock }) {
    this.#ports = ports;
  }

  onEnded(listener: (ended: EndedRoom) => void): Disposable {
    this.#endedListeners.add(listener);
    return { [Symbol.dispose]: () => void this.#endedListeners.delete(listener) };
  }

  onFact(listener: (fact: RoomFact) => void): Disposable {
    this.#factListeners.add(listener);
    return { [Symbol.dispose]: () => void this.#factListeners.delete(listener) };
  }

  /** Begins the call's own row in the log; its first event is recorded like any other. */
  made({ id, offerer, answerer }: LiveRoom): void {
    const { clock, log } = this.#ports;
    log.matched({
      id,
      offererId: offerer.matched.userId,
      answererId: answerer.matched.userId,
      offererPrice: offerer.matched.price,
      answererPrice: answerer.matched.price,
      matchedAtMs: clock.nowMs(),
    });
  }

  /** Tells the listeners and writes it down, up to a bound; the end is always written. */
  record(room: LiveRoom, kind: CallEventKind, side: Side | null): void {
    const { clock, log } = this.#ports;
    this.tell(room, kind, side);
    room.eventsRecorded += 1;
    if (kind !== "ended" && room.eventsRecorded >= eventsPerCallMax) return;
    log.event({ callId: room.id, userId: side && room[side].matched.userId, kind, atMs: clock.nowMs() });
  }

  /** Tells the listeners only. */
  tell(room: LiveRoom, kind: RoomFact["kind"], side: Side | null): void {
    const people = { offerer: room.offerer.matched, answerer: room.answerer.matched };
    for (const listener of this.#factListeners) listener({ id: room.id, kind, side, people });
  }

  connected(room: LiveRoom): void {
    this.#ports.log.connected(room.id, this.#ports.clock.nowMs());
  }

  ended(room: LiveRoom, { reason, wasLive, leaver, joined }: Extract<RoomEffect, { type: "ended" }>): void {
    const { clock, log } = this.#ports;
    log.ended(room.id, { atMs: clock.nowMs(), reason });
    const people = [room.offerer.matched, room.answerer.matched] as const;
    const leaverId = leaver && room[leaver].matched.userId;
    const joinedIds = new Set(bothSides.filter((side) => joined[side]).map((side) => room[side].matched.userId));
    const ended = { id: room.id, reason, wasLive, leaverId, people, joinedIds };
    for (const listener of this.#endedListeners) listener(ended);
  }
}
