import type { CallEventKind, EndReason } from "./room-machine.ts";

export interface CallRow {
  readonly id: string;
  readonly offererId: bigint;
  readonly answererId: bigint;
  /** Beans a minute. */
  readonly offererPrice: number;
  readonly answererPrice: number;
  readonly matchedAtMs: number;
}

export interface CallChange {
  connectedAtMs: number | null;
  endedAtMs: number | null;
  endReason: EndReason | null;
}

export interface CallEventRow {
  readonly callId: string;
  readonly userId: bigint | null;
  readonly kind: CallEventKind;
  readonly atMs: number;
}

/** What happened to calls since the last write: each call is inserted once and changed once, however much happened. */
export class CallBatch {
  readonly inserts = new Map<string, CallRow & CallChange>();
  readonly changes = new Map<string, CallChange>();
  readonly events: CallEventRow[] = [];

  get rowCount(): number {
    return this.inserts.size + this.changes.size + this.events.length;
  }

  matched(row: CallRow): void {
    this.inserts.set(row.id, { ...row, connectedAtMs: null, endedAtMs: null, endReason: null });
  }

  connected(callId: string, atMs: number): void {
    this.#changeOf(callId).connectedAtMs = atMs;
  }

  ended(callId: string, end: { atMs: number; reason: EndReason }): void {
    const change = this.#changeOf(callId);
    change.endedAtMs = end.atMs;
    change.endReason = end.reason;
  }

  #changeOf(callId: string): CallChange {
    const known = this.inserts.get(callId) ?? this.changes.get(callId);
    if (known) return known;
    const change: CallChange = { connectedAtMs: null, endedAtMs: null, endReason: null };
    this.changes.set(callId, change);
    return change;
  }
}
