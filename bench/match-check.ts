/** What one person was told of a match, and where they were then. */
export interface Met {
  readonly roomId: string;
  readonly userId: number;
  /** The partner that the push named. */
  readonly otherId: number;
  /** The server with the person's socket. */
  readonly server: string;
  /** The room that the person was in already, as far as they knew. */
  readonly elsewhere: string | null;
}

/** Faults that must not occur. */
const matchFaults = {
  pushedTwice: "match pushes that came twice",
  thirdPerson: "rooms with a third person",
  otherNamed: "pairs that do not name each other",
  oneSided: "rooms that only one of two was told of",
  twoRooms: "people in two rooms",
} as const;

export interface MatchChecks {
  /** Matches that both people were told of. */
  readonly matches: number;
  /** Of these, matches between people at different servers. */
  readonly acrossServers: number;
  /** How often each fault occurred, by its sentence; all sentences are present. */
  readonly faults: Readonly<Record<string, number>>;
}

/** Rooms that are remembered; a push for an older one would count as new. */
const roomsKept = 200_000;

interface Room {
  readonly people: Met[];
  /** One of the two has left, or was told that the other did. */
  isOver: boolean;
}

/** Checks that each match is pushed once to each of two people, who name each other and are in no other room. */
export class MatchCheck {
  readonly #rooms = new Map<string, Room>();
  /**
   * Rooms of people who were told of another room. A user who starts a new search in the moment of a match leaves the
   * match's room.
   */
  readonly #doubted = new Set<string>();
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

  /** Whether no room is half told or doubted at present. */
  get isSettled(): boolean {
    return this.#halves === 0 && this.#stillDoubted() === 0;
  }

  heard(met: Met): void {
    if (met.elsewhere !== null) this.#doubted.add(met.elsewhere);
    const room = this.#rooms.get(met.roomId);
    if (!room) return this.#begin(met);
    const [first, ...others] = room.people;
    if (room.people.some(({ userId }) => userId === met.userId)) {
      this.#faults.pushedTwice += 1;
    } else if (!first || others.length > 0) {
      this.#faults.thirdPerson += 1;
    } else {
      if (first.otherId !== met.userId || met.otherId !== first.userId) this.#faults.otherNamed += 1;
      room.people.push(met);
      this.#halves -= 1;
      this.#matches += 1;
      if (first.server !== met.server) this.#acrossServers += 1;
    }
  }

  /** One of the two has left the room, or was told that the other did. */
  over(roomId: string): void {
    const room = this.#rooms.get(roomId);
    if (room) room.isOver = true;
  }

  /** No more pushes come: rooms that are half told or doubted stay so. */
  end(): void {
    for (const [roomId, { people }] of this.#rooms) if (people.length === 1) this.#rooms.delete(roomId);
    this.#faults.oneSided += this.#halves;
    this.#halves = 0;
    this.#faults.twoRooms += this.#stillDoubted();
    this.#doubted.clear();
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

  #stillDoubted(): number {
    return [...this.#doubted].filter((roomId) => this.#rooms.get(roomId)?.isOver === false).length;
  }

  #begin(met: Met): void {
    this.#rooms.set(met.roomId, { people: [met], isOver: false });
    this.#halves += 1;
    if (this.#rooms.size <= roomsKept) return;
    const oldest = this.#rooms.keys().next().value;
    if (oldest !== undefined) this.#rooms.delete(oldest);
  }
}
