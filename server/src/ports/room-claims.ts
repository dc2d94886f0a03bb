/** One start of one server: a server that was declared dead never returns under the same id. */
export type ProcessId = string;

/** Fencing number of a room: grows with every new owner, and writes of an earlier owner are rejected. */
export type Epoch = number;

export interface CallOwner {
  readonly server: ProcessId;
  readonly epoch: Epoch;
}

export interface NewRoom {
  readonly id: string;
  readonly offererId: bigint;
  readonly answererId: bigint;
  /** Beans a minute. */
  readonly offererPrice: number;
  readonly answererPrice: number;
  /** By the wall clock. */
  readonly matchedAtMs: number;
}

export interface AdoptedRoom {
  readonly id: string;
  readonly epoch: Epoch;
}

export type RecoveredEnd = "restart" | "not_joined" | "left";

/** Ownership of rooms. The database decides; no method waits for another server (decision 029). */
export interface RoomClaims {
  /**
   * Await it before charging for the room, but never before the match; many rooms are stored in one batch.
   * @throws RoomNotStoredError where it could not be stored.
   */
  make(room: NewRoom): Promise<Epoch>;
  /** Adopts rooms of `from` (null: without an owner) and releases holds of their running minute; skips locked ones. */
  adopt(rooms: readonly string[], from: ProcessId | null): Promise<readonly AdoptedRoom[]>;
  /** Ends those of the rooms that are live and still owned by this server with that epoch; returns their ids. */
  end(rooms: readonly AdoptedRoom[], reason: RecoveredEnd): Promise<readonly string[]>;
}

/** The room could not be stored, so nothing may be charged for it. */
export class RoomNotStoredError extends Error {
  override readonly name = "RoomNotStoredError";
}
