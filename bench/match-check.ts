/** What one person was told of a match, and where they were then. */
export interface Met {
  readonly roomId: string;
  readonly userId: number;
  /** Whom the push named. */
  readonly otherId: number;
  /** The server with their socket. */
  readonly server: string;
  /** Whether they were in another room, which neither of the two had left. */
  readonly isElsewhere: boolean;
}

/** What may not happen. */
const matchFaults = {
  pushedTwice: "match pushes that came twice",
  thirdPerson: "third people in a room",
  otherNamed: "pairs that do not name each other",
  oneSided: "rooms of which one of two heard",
  twoRooms: "people in two rooms",
} as const;

export interface MatchChecks {
  /** Of which both have heard. */
  readonly matches: number;
  /** Of these, between people at different servers. */
  readonly acrossServers: number;
  /** How often what may not happen did, by a sentence; each of them is in it. */
  readonly faults: Readonly<Record<string, number>>;
}

/** Rooms that are remembered; an older one would count anew. */
const roomsKept = 200_000;

/** Sees to it that each match is told once to each of two people, who name each other and are in no other room. */
export class MatchCheck {
  readonly #rooms = new Map<string, Met[]>();
  readonly #faults: Record<keyof typeof matchFaults, number> = {
    pushedTwice: 0,
    thirdPerson: 0,
    otherNamed: 0,
    oneSided: 0,
    twoRooms: 0,
  };
  #matches = 0;
  #acrossServers = 0;
  #halves = 0;

  /** Rooms of which one person has heard so far. */
  get halves(): number {
    return this.#halves;
  }

  heard(met: Met): void {
    if (met.isElsewhere) this.#faults.twoRooms += 1;
    const [first, ...others] = this.#rooms.get(met.roomId) ?? [];
    if (!first) return this.#begin(met);
    if ([first, ...others].some(({ userId }) => userId === met.userId)) {
      this.#faults.pushedTwice += 1;
    } else if (others.length > 0) {
      this.#faults.thirdPerson += 1;
    } else {
      if (first.otherId !== met.userId || met.otherId !== first.userId) this.#faults.otherNamed += 1;
      this.#rooms.set(met.roomId, [first, met]);
      this.#halves -= 1;
      this.#matches += 1;
      if (first.server !== met.server) this.#acrossServers += 1;
    }
  }

  /** Nobody hears of a match any more: whatever is half a room remains one. */
  end(): void {
    for (const [roomId, people] of this.#rooms) if (people.length === 1) this.#rooms.delete(roomId);
    this.#faults.oneSided += this.#halves;
    this.#halves = 0;
  }

  get checks(): MatchChecks {
    const faults = Object.entries(this.#faults).map(([what, count]) => [
      matchFaults[what as keyof typeof matchFaults],
      count,
    ]);
    return {
      matches: this.#matches,
      acrossServers: this.#acrossServers,
      faults: Object.fromEntries(faults) as Record<string, number>,
    };
  }

  #begin(met: Met): void {
    this.#rooms.set(met.roomId, [met]);
    this.#halves += 1;
    if (this.#rooms.size <= roomsKept) return;
    const oldest = this.#rooms.keys().next().value;
    if (oldest !== undefined) this.#rooms.delete(oldest);
  }
}
