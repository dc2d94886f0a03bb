/** What one person was told of a match, and where they were then. */
export interface Met {
  readonly roomId: string;
  readonly userId: number;
  /** Whom the push named. */
  readonly otherId: number;
  /** The server with their socket. */
  readonly server: string;
  /** The room that they were in already, for all they knew. */
  readonly elsewhere: string | null;
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

interface Room {
  readonly people: Met[];
  /** One of the two has left, or has heard that the other did. */
  isOver: boolean;
}

/** Sees to it that each match is told once to each of two people, who name each other and are in no other room. */
export class MatchCheck {
  readonly #rooms = new Map<string, Room>();
  /** Rooms in which somebody was who was then told of another one. Whoever searches anew in the moment of a match leaves that one. */
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

  /** Whether nothing is half or doubted at present. */
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

  /** One of the two has left the room, or has heard that the other did. */
  over(roomId: string): void {
    const room = this.#rooms.get(roomId);
    if (room) room.isOver = true;
  }

  /** Nobody hears of a match any more: what is half a room or doubted remains so. */
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
