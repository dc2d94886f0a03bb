import type { SearchRef } from "#ports/match-pool.ts";
import type { CarriedLook, HandedDoings } from "#ports/peers.ts";
import type { NewSearch } from "./match-eligibility.ts";
import type { KnownLook } from "./search-inspection.ts";

/** What a process does with searches, as far as those of guests need it. */
export interface GuestSearches {
  /** Gives the search away to the process of the other one; null where the person does not wait with it any more. */
  lend(ref: SearchRef, otherId: bigint): NewSearch | null;
  /** Keeps the two apart for a while. */
  separate(one: bigint, other: bigint): void;
  /** Searches on from the place that the search has. */
  continueSearch(search: NewSearch): Promise<void>;
  /** The person's place in the queue until they search again. */
  keepPlace(userId: bigint, sinceMs: number): void;
  /** Whom the person is in a call with here; null: nobody. */
  otherIn(userId: bigint): bigint | null;
  /** Whether they are in a call here, or search. */
  isBusy(userId: bigint): boolean;
  /** The call is another process's. */
  takenOver(userId: bigint, roomId: string): void;
  /** What was seen of the person here. */
  knownLook(userId: bigint): KnownLook;
  /** What was seen of somebody who comes back, and was true at `atMs` of the monotonic clock or later. */
  bringLook(userId: bigint, look: CarriedLook, atMs: number): void;
  /** Gives away all that the person does besides a call. */
  pack(userId: bigint): Pick<HandedDoings, "search" | "rematch" | "sinceMs">;
  /** Waits on for the one person whom somebody wants to meet again. */
  continueRematch(handed: unknown): Promise<void>;
}
