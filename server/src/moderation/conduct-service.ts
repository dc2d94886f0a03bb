import type { Logger } from "pino";
import type { RoomChanged, RoomEnded, RoomEvent, RoomEventConsumer, RoomMatched } from "#calls/room-service.ts";
import { boundedCache } from "#lib/cache.ts";
import { KeyedMutex } from "#lib/keyed-mutex.ts";
import { Tasks } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import { type EvidenceItem, type EvidenceLines, type Moderation, reasonOfRule } from "#ports/moderation.ts";
import type { ChatFilter } from "./chat-filter.ts";
import type { RecordQueue } from "./record-queue.ts";
import type { ModerationService } from "./moderation-service.ts";
import type { FollowingVerdict, TextFindings } from "./text-findings.ts";

export interface ConductServiceOptions {
  clock: Clock;
  recordQueue: Pick<RecordQueue, "add" | "idle">;
  logger: Pick<Logger, "error">;
  moderation: Pick<Moderation, "note" | "muteChat" | "open" | "restrictionsOf"> &
    Pick<ModerationService, "onRestrictionsChanged">;
  filter: Pick<ChatFilter, "onRepeated" | "mute">;
  findings: Pick<TextFindings, "onVerdict">;
  linesOf: (about: { subjectId: bigint; callId: string }) => readonly EvidenceItem[];
  botsDryRun: boolean;
}

const dayMs = 86_400_000;
/** How long a user who sent adverts or contact data to several users cannot write in calls. */
const muteMs = 3_600_000;

/** Acts on findings in users' texts (rule TEXT-66), and detects bots. Works in the background. */
export class ConductService implements RoomEventConsumer, AsyncDisposable {
  readonly #options: ConductServiceOptions;
  readonly #liveSinceMs = new Map<string, number>();
  readonly #skips: SkipRates;
  readonly #denied = new DeniedVideos();
  readonly #tasks: Tasks;
  readonly #reads = new KeyedMutex<bigint>();
  readonly #roomOf = new Map<bigint, string>();
  readonly #subscriptions: readonly Disposable[];

  constructor(options: ConductServiceOptions) {
    this.#options = options;
    this.#tasks = new Tasks(options);
    this.#skips = new SkipRates(options.clock);
    this.#subscriptions = [
      options.filter.onRepeated((userId) => this.#suspect(userId, "repeated_text")),
      options.findings.onVerdict((verdict) => this.#follow(verdict)),
      // Reloads the mute of a user who is in a call, so that a mute starts and ends at once.
      options.moderation.onRestrictionsChanged((userId) => {
        if (this.#roomOf.has(userId)) this.#prepare(userId);
      }),
    ];
  }

  onRoomEvent(event: RoomEvent): void {
    if (event.kind === "ended") this.#ended(event);
    else if (event.kind !== "line") this.#changed(event);
  }

  #changed({ id, kind, side, people }: RoomMatched | RoomChanged): void {
    if (kind === "matched") {
      for (const { userId } of [people.offerer, people.answerer]) {
        this.#roomOf.set(userId, id);
        this.#prepare(userId);
      }
    }
    if (kind === "playing" && side) this.#denied.played(id, people[side].userId);
    if (kind === "live") this.#liveSinceMs.set(id, this.#options.clock.monotonicMs());
  }

  #ended({ id, reason, side, people }: RoomEnded): void {
    for (const { userId } of [people.offerer, people.answerer])
      if (this.#roomOf.get(userId) === id) this.#roomOf.delete(userId);
    const denier = this.#denied.ended(id, [people.offerer.userId, people.answerer.userId]);
    if (denier !== null) this.#suspect(denier, "denied_video");
    const sinceMs = this.#liveSinceMs.get(id);
    this.#liveSinceMs.delete(id);
    if (sinceMs === undefined || reason !== "next" || side === null) return;
    const leaverId = people[side].userId;
    if (this.#skips.add(leaverId, this.#options.clock.monotonicMs() - sinceMs)) this.#suspect(leaverId, "skip_rate");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Recording that has begun may still produce a verdict, which this service must receive.
    await this.#options.recordQueue.idle();
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
    await this.#tasks[Symbol.asyncDispose]();
  }

  /** Loads a user's mute when a call begins and when the mute changes, so that chat lines need not wait for a query. */
  #prepare(userId: bigint): void {
    const read = async () => {
      const { mutedUntil } = await this.#options.moderation.restrictionsOf(userId);
      this.#options.filter.mute(userId, mutedUntil ?? 0);
    };
    // Serialized: a slow read from before a change must not overwrite the result of a later read.
    this.#tasks.add("failed to read a mute", () => this.#reads.run(userId, read));
  }

  #follow({ writerId: userId, rule, mutesChat, callId, text }: FollowingVerdict): void {
    const { clock, recordQueue, moderation } = this.#options;
    const evidence = text === null ? this.#chatOf(userId, callId) : [refusedLine(text, clock.nowMs())];
    const follow = async () => {
      await moderation.note({ userId, rule, dryRun: false, withinMs: dayMs, detail: { callId } });
      if (mutesChat) await moderation.muteChat(userId, { rule, untilMs: clock.nowMs() + muteMs });
      await moderation.open({ subjectId: userId, rule, reasonId: reasonOfRule[rule], callId, evidence });
    };
    void recordQueue.add(follow, { isKept: rule === "minor_in_text" });
  }

  #chatOf(subjectId: bigint, callId: string | null): readonly EvidenceItem[] {
    return callId === null ? [] : this.#options.linesOf({ subjectId, callId });
  }

  #suspect(userId: bigint, rule: "skip_rate" | "repeated_text" | "denied_video"): void {
    const { botsDryRun: dryRun, recordQueue, moderation } = this.#options;
    void recordQueue.add(async () => {
      await moderation.note({ userId, rule, dryRun, withinMs: dayMs });
      if (dryRun) return;
      const reasonId = reasonOfRule[rule];
      await moderation.open({ subjectId: userId, rule, reasonId, callId: null, evidence: [] });
    });
  }
}

function refusedLine(original: string, at: number): EvidenceLines {
  const line = { at, from: "person", text: "", withheld: { how: "refused", original } } as const;
  return { kind: "lines", at: new Date(at), lines: [line], isOffence: true };
}

/** Without video in this many rooms in a row, a bad network is no explanation. */
const roomsInRow = 3;
const peopleMax = 20_000;

/** Finds users who never report that they play the partner's video, although the partner plays theirs. */
class DeniedVideos {
  /** By running room, the users who reported that they play the partner's video. */
  readonly #playing = new Map<string, bigint[]>();
  readonly #people = boundedCache<bigint, number>({ entriesMax: peopleMax });

  played(roomId: string, userId: bigint): void {
    this.#playing.set(roomId, [...(this.#playing.get(roomId) ?? []), userId]);
  }

  /** Returns the user for whom this room reaches the limit, and restarts their count. */
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

/** A bot left `glancesMin` of its last `callsCounted` calls within `glanceMs`, all of them in `glancesWithinMs`. */
const callsCounted = 40;
const glancesMin = 38;
const glanceMs = 3_000;
const glancesWithinMs = 1_800_000;

interface Left {
  readonly atMs: number;
  readonly isGlance: boolean;
}

class SkipRates {
  readonly #clock: Clock;
  readonly #people = boundedCache<bigint, Left[]>({ entriesMax: peopleMax });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a call that the user left. Returns true at the limit, and then restarts the count. */
  add(userId: bigint, lastedMs: number): boolean {
    const atMs = this.#clock.monotonicMs();
    const recent = (this.#people.get(userId) ?? []).filter((left) => atMs - left.atMs < glancesWithinMs);
    const left = [...recent, { atMs, isGlance: lastedMs <= glanceMs }].slice(-callsCounted);
    const tooMany = left.length === callsCounted && left.filter(({ isGlance }) => isGlance).length >= glancesMin;
    this.#people.set(userId, tooMany ? [] : left);
    return tooMany;
  }
}
