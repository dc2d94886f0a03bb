import PQueue from "p-queue";
import type { Logger } from "pino";
import type { RoomChanged, RoomEnded, RoomEvent, RoomEventConsumer, RoomMatched } from "#calls/room-service.ts";
import { boundedCache } from "#lib/cache.ts";
import { Tasks } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import { type Moderation, reasonOfRule } from "#ports/moderation.ts";
import type { ChatFilter, Noticed, StoppedBy } from "./chat-filter.ts";

interface ConductServiceOptions {
  clock: Clock;
  logger: Pick<Logger, "error">;
  moderation: Pick<Moderation, "note" | "muteChat" | "open" | "restrictionsOf">;
  /** Notices what is in chat lines, and keeps whoever is muted from writing. */
  filter: Pick<ChatFilter, "onNoticed" | "mute" | "isMuted">;
  /** Rules against bots only count; nothing follows from what they see. */
  botsDryRun: boolean;
}

/** What follows from lines that were stopped: the third of a day is one too many. */
const dayMs = 86_400_000;
const stoppedPerDayMax = 3;
const muteMs: { readonly [Rule in StoppedBy]: number } = { contact_in_chat: 3_600_000, abuse_in_chat: dayMs };

/** What is counted at once; a flood beyond it is let go, since it must not take the memory and the database of calls. */
const countedAtOnceMax = 1_000;
/** So many use the database at the same moment: nobody waits for what is counted, and matches need the connections. */
const countingMax = 4;
const notCounted = "conduct could not be counted";

/**
 * How people behave in calls: what follows from chat lines that were stopped (rules TEXT-66, TEXT-67), and who behaves
 * like a program (rules BOT-1 to BOT-5). It counts in the background.
 */
export class ConductService implements RoomEventConsumer, AsyncDisposable {
  readonly #options: ConductServiceOptions;
  /** Rooms that are live, and since when; each leaves with its end. */
  readonly #liveSinceMs = new Map<string, number>();
  readonly #skips: SkipRates;
  readonly #denied = new DeniedVideos();
  readonly #tasks: Tasks;
  readonly #counting = new PQueue({ concurrency: countingMax });
  readonly #filterSubscription: Disposable;

  constructor(options: ConductServiceOptions) {
    this.#options = options;
    this.#tasks = new Tasks(options);
    this.#skips = new SkipRates(options.clock);
    this.#filterSubscription = options.filter.onNoticed((noticed) => this.#noticed(noticed));
  }

  /** What happens in rooms: who comes into one may be muted, and from when both have video is remembered. */
  onRoomEvent(event: RoomEvent): void {
    if (event.kind === "ended") this.#ended(event);
    else if (event.kind !== "line") this.#changed(event);
  }

  #changed({ id, kind, side, people }: RoomMatched | RoomChanged): void {
    if (kind === "matched") for (const { userId } of [people.offerer, people.answerer]) this.#prepare(userId);
    if (kind === "playing" && side) this.#denied.played(id, people[side].userId);
    if (kind === "live") this.#liveSinceMs.set(id, this.#options.clock.monotonicMs());
  }

  /** A room ended: whoever leaves one after the other at once is no person who looks for company. */
  #ended({ id, reason, side, people }: RoomEnded): void {
    const denier = this.#denied.ended(id, [people.offerer.userId, people.answerer.userId]);
    if (denier !== null) this.#suspect(denier, "denied_video");
    const sinceMs = this.#liveSinceMs.get(id);
    this.#liveSinceMs.delete(id);
    if (sinceMs === undefined || reason !== "next" || side === null) return;
    const leaverId = people[side].userId;
    if (this.#skips.add(leaverId, this.#options.clock.monotonicMs() - sinceMs)) this.#suspect(leaverId, "skip_rate");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#filterSubscription[Symbol.dispose]();
    await this.#tasks[Symbol.asyncDispose]();
  }

  #noticed(noticed: Noticed): void {
    if (noticed.kind === "repeated") this.#suspect(noticed.userId, "repeated_text");
    else this.#stopped(noticed);
  }

  /** Reads whether somebody is muted when their call begins, so that their lines need not wait. */
  #prepare(userId: bigint): void {
    this.#tasks.add(notCounted, async () => {
      const { mutedUntil } = await this.#options.moderation.restrictionsOf(userId);
      if (mutedUntil !== null || this.#options.filter.isMuted(userId))
        this.#options.filter.mute(userId, mutedUntil ?? 0);
    });
  }

  /** What somebody may do changed, at this server or another: a mute that a moderator ended holds no longer. */
  restrictionsChanged(userId: bigint): void {
    if (this.#options.filter.isMuted(userId)) this.#prepare(userId);
  }

  #stopped({ userId, callId, rule }: Extract<Noticed, { kind: "stopped" }>): void {
    const { clock, filter, moderation } = this.#options;
    this.#count(async () => {
      const times = await moderation.note({ userId, rule, dryRun: false, withinMs: dayMs, detail: { callId } });
      if (times < stoppedPerDayMax) return;
      const untilMs = clock.nowMs() + muteMs[rule];
      filter.mute(userId, untilMs);
      await moderation.muteChat(userId, { rule, untilMs });
      const reasonId = reasonOfRule[rule];
      await moderation.open({ subjectId: userId, rule, reasonId, callId, evidence: [] });
    });
  }

  #suspect(userId: bigint, rule: "skip_rate" | "repeated_text" | "denied_video"): void {
    const { botsDryRun: dryRun, moderation } = this.#options;
    this.#count(async () => {
      await moderation.note({ userId, rule, dryRun, withinMs: dayMs });
      if (dryRun) return;
      const reasonId = reasonOfRule[rule];
      await moderation.open({ subjectId: userId, rule, reasonId, callId: null, evidence: [] });
    });
  }

  #count(work: () => Promise<void>): void {
    if (this.#tasks.size < countedAtOnceMax) this.#tasks.add(notCounted, () => this.#counting.add(work));
  }
}

/** So many rooms in a row are no bad luck with the network. */
const roomsInRow = 3;
const peopleMax = 20_000;

/** Who never says that a picture arrives, in rooms where the other sees theirs (rule BOT-5). */
class DeniedVideos {
  /** Who plays the other's picture, of rooms that run and in which somebody does. */
  readonly #playing = new Map<string, bigint[]>();
  /** Rooms in a row. */
  readonly #people = boundedCache<bigint, number>({ entriesMax: peopleMax });

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

/** Of so many calls that somebody left within the time, so many lasted no longer than a glance. */
const callsCounted = 40;
const glancesMin = 38;
const glanceMs = 3_000;
const glancesWithinMs = 1_800_000;

interface Left {
  readonly atMs: number;
  readonly isGlance: boolean;
}

/** Who leaves call after call faster than a person looks (rule BOT-2). */
class SkipRates {
  readonly #clock: Clock;
  readonly #people = boundedCache<bigint, Left[]>({ entriesMax: peopleMax });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a call that this person left; true when it makes too many, after which counting begins anew. */
  add(userId: bigint, lastedMs: number): boolean {
    const atMs = this.#clock.monotonicMs();
    const recent = (this.#people.get(userId) ?? []).filter((left) => atMs - left.atMs < glancesWithinMs);
    const left = [...recent, { atMs, isGlance: lastedMs <= glanceMs }].slice(-callsCounted);
    const tooMany = left.length === callsCounted && left.filter(({ isGlance }) => isGlance).length >= glancesMin;
    this.#people.set(userId, tooMany ? [] : left);
    return tooMany;
  }
}
