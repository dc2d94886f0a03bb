/** Id of one run of a server. A server that was declared dead never returns under the same id. */
export type ProcessId = string;

/** Fencing number of a room. Grows with each owner, so that writes of an earlier owner are rejected. */
export type Epoch = number;

export interface CallOwner {
  readonly server: ProcessId;
  readonly epoch: Epoch;
}

export interface NewRoom {
  readonly id: string;
  readonly offererId: bigint;
  readonly answererId: bigint;
  /** In beans per minute. */
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

/** Ownership of rooms. The database decides, and no method waits for another server (decision 029). */
export interface RoomClaims {
  /**
   * Stores a room, together with others. Await it before the first charge, but do not delay the match for it.
   * @throws RoomNotStoredError if the room could not be stored.
   */
  make(room: NewRoom): Promise<Epoch>;
  /** Adopts rooms of `from` (null: without owner) and releases the holds of their minutes. Skips locked rooms. */
  adopt(rooms: readonly string[], from: ProcessId | null): Promise<readonly AdoptedRoom[]>;
  /** Ends those of the rooms that are live and that this server still owns with that epoch. Returns their ids. */
  end(rooms: readonly AdoptedRoom[], reason: RecoveredEnd): Promise<readonly string[]>;
}

/** The room could not be stored, so nothing may be charged for it. */
export class RoomNotStoredError extends Error {
  override readonly name = "RoomNotStoredError";
}
