/** One start of one server: a process that was taken for dead never comes back under the same id. */
export type ProcessId = string;

/** How often a room changed hands: whoever writes for a room names it, and is refused once another has it. */
export type Epoch = number;

/** A room as it is made. */
export interface NewRoom {
  readonly id: string;
  readonly offererId: bigint;
  readonly answererId: bigint;
  /** Beans a minute. */
  readonly offererPrice: number;
  readonly answererPrice: number;
  /** Of the wall clock. */
  readonly matchedAtMs: number;
}

/** A room that was another process's and is this one's now. */
export interface AdoptedRoom {
  readonly id: string;
  readonly epoch: Epoch;
}

/** Why a room ends that its process left behind. */
export type LeftEnd = "restart" | "not_joined" | "left";

/** Whose a room is. The database decides; nothing in here waits for another process (decision 029). */
export interface RoomClaims {
  /**
   * Writes the room down as this process's; resolves once that is stored, which is to be awaited before anything is
   * charged for it, and never by the match. Many rooms go together.
   *
   * @throws RoomNotMadeError where it could not be stored.
   */
  make(room: NewRoom): Promise<Epoch>;
  /**
   * Takes those of the rooms that are still `from`'s, null for rooms of nobody, and releases what is held for the minute
   * that runs in them: both or neither. Rooms that somebody is just writing to or taking are left out.
   */
  adopt(rooms: readonly string[], from: ProcessId | null): Promise<readonly AdoptedRoom[]>;
  /** Ends those of the rooms that are still this process's, of that epoch, and live; answers which. */
  end(rooms: readonly AdoptedRoom[], reason: LeftEnd): Promise<readonly string[]>;
}

/** The room could not be written down, so that nothing may be charged for it. */
export class RoomNotMadeError extends Error {
  override readonly name = "RoomNotMadeError";
}
