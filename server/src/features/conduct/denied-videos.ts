import { LruMap } from "#lru-map.ts";

/** So many rooms in a row are no bad luck with the network. */
const roomsInRow = 3;
const peopleMax = 20_000;

/** Who never says that a picture arrives, in rooms where the other sees theirs (rule BOT-5). */
export class DeniedVideos {
  /** Who plays the other's picture, of rooms that run and in which somebody does. */
  readonly #playing = new Map<string, bigint[]>();
  /** Rooms in a row. */
  readonly #people = new LruMap<bigint, number>(peopleMax);

  /** This person plays the other's picture; said once a room. */
  played(roomId: string, userId: bigint): void {
    this.#playing.set(roomId, [...(this.#playing.get(roomId) ?? []), userId]);
  }

  /** The room is over; answers whoever made it one too many, after which counting begins anew. */
  ended(roomId: string, people: readonly [bigint, bigint]): bigint | null {
    const playing = this.#playing.get(roomId) ?? [];
    this.#playing.delete(roomId);
    for (const userId of playing) this.#people.delete(userId);
    const [silent] = playing.length === 1 ? people.filter((userId) => !playing.includes(userId)) : [];
    if (silent === undefined) return null;
    const rooms = (this.#people.get(silent) ?? 0) + 1;
    if (rooms < roomsInRow) this.#people.set(silent, rooms);
    else this.#people.delete(silent);
    return rooms < roomsInRow ? null : silent;
  }
}
