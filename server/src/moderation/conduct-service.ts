import type { Logger } from "pino";
import type { RoomChanged, RoomEnded, RoomEvent, RoomEventConsumer, RoomMatched } from "#calls/room-service.ts";
import { boundedCache } from "#lib/cache.ts";
import { KeyedMutex } from "#lib/keyed-mutex.ts";
import { Tasks } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import { type EvidenceItem, type EvidenceLines, type Moderation, reasonOfRule } from "#ports/moderation.ts";
import type { ChatFilter } from "./chat-filter.ts";
import type { Counting } from "./counting.ts";
import type { ModerationService } from "./moderation-service.ts";
import type { FollowingVerdict, TextFindings } from "./text-findings.ts";

export interface ConductServiceOptions {
  clock: Clock;
  counting: Pick<Counting, "add" | "idle">;
  logger: Pick<Logger, "error">;
  moderation: Pick<Moderation, "note" | "muteChat" | "open" | "restrictionsOf"> &
    Pick<ModerationService, "onRestrictionsChanged">;
  /** Notices repeated chat lines, and keeps muted users from writing. */
  filter: Pick<ChatFilter, "onRepeated" | "mute">;
  findings: Pick<TextFindings, "onVerdict">;
  /** The chat of a call that this server remembers, as evidence about its writer. */
  linesOf: (about: { subjectId: bigint; callId: string }) => readonly EvidenceItem[];
  /** Rules against bots only count; nothing follows from what they see. */
  botsDryRun: boolean;
}

const dayMs = 86_400_000;
/** How long adverts and contact data to several people mute a user in calls. */
const muteMs = 3_600_000;

/**
 * How users behave: what follows from findings in their texts (rule TEXT-66), and who behaves like a program. It counts in
 * the background.
 */
export class ConductService implements RoomEventConsumer, AsyncDisposable {
  readonly #options: ConductServiceOptions;
  /** Rooms that are live, and since when; each leaves with its end. */
  readonly #liveSinceMs = new Map<string, number>();
  readonly #skips: SkipRates;
  readonly #denied = new DeniedVideos();
  readonly #tasks: Tasks;
  /** Reads of mutes, one after the other for each user. */
  readonly #reads = new KeyedMutex<bigint>();
  /** Users in rooms of this server, each with the room they came into last. */
  readonly #roomOf = new Map<bigint, string>();
  readonly #subscriptions: readonly Disposable[];

  constructor(options: ConductServiceOptions) {
    this.#options = options;
    this.#tasks = new Tasks(options);
    this.#skips = new SkipRates(options.clock);
    this.#subscriptions = [
      options.filter.onRepeated((userId) => this.#suspect(userId, "repeated_text")),
      options.findings.onVerdict((verdict) => this.#follow(verdict)),
      // A mute holds at once wherever the user's call is, and ends at once.
      options.moderation.onRestrictionsChanged((userId) => {
        if (this.#roomOf.has(userId)) this.#prepare(userId);
      }),
    ];
  }

  /** What happens in rooms: who comes into one may be muted, and from when both have video is remembered. */
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

  /** A room ended: whoever leaves one after the other at once is no person who looks for company. */
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
    // What is recorded until then may still lead to a verdict.
    await this.#options.counting.idle();
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
    await this.#tasks[Symbol.asyncDispose]();
  }

  /** Reads whether a user is muted when their call begins and when that changes, so that their lines need not wait. */
  #prepare(userId: bigint): void {
    const read = async () => {
      const { mutedUntil } = await this.#options.moderation.restrictionsOf(userId);
      this.#options.filter.mute(userId, mutedUntil ?? 0);
    };
    // A slow read from before a change must not overwrite the result of a later one.
    this.#tasks.add("failed to read a mute", () => this.#reads.run(userId, read));
  }

  #follow({ writerId: userId, rule, mutesChat, callId, text }: FollowingVerdict): void {
    const { clock, counting, moderation } = this.#options;
    const evidence = text === null ? this.#chatOf(userId, callId) : [refusedLine(text, clock.nowMs())];
    const follow = async () => {
      await moderation.note({ userId, rule, dryRun: false, withinMs: dayMs, detail: { callId } });
      if (mutesChat) await moderation.muteChat(userId, { rule, untilMs: clock.nowMs() + muteMs });
      await moderation.open({ subjectId: userId, rule, reasonId: reasonOfRule[rule], callId, evidence });
    };
    void counting.add(follow, { isKept: rule === "minor_in_text" });
  }

  #chatOf(subjectId: bigint, callId: string | null): readonly EvidenceItem[] {
    return callId === null ? [] : this.#options.linesOf({ subjectId, callId });
  }

  #suspect(userId: bigint, rule: "skip_rate" | "repeated_text" | "denied_video"): void {
    const { botsDryRun: dryRun, counting, moderation } = this.#options;
    void counting.add(async () => {
      await moderation.note({ userId, rule, dryRun, withinMs: dayMs });
      if (dryRun) return;
      const reasonId = reasonOfRule[rule];
      await moderation.open({ subjectId: userId, rule, reasonId, callId: null, evidence: [] });
    });
  }
}

/** An undelivered text, as evidence. */
function refusedLine(original: string, at: number): EvidenceLines {
  const line = { at, from: "person", text: "", withheld: { how: "refused", original } } as const;
  return { kind: "lines", at: new Date(at), lines: [line], isOffence: true };
}

/** So many rooms in a row are no bad luck with the network. */
const roomsInRow = 3;
const peopleMax = 20_000;

/** Who never says that a picture arrives, in rooms where the other sees theirs. */
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

/** Who leaves call after call faster than a person looks. */
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
