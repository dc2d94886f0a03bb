import type { Logger } from "pino";
import type { CaseRule } from "@fava/wire/moderation.ts";
import { reasons, type ReportReason } from "@fava/wire/reasons.ts";
import { foldText } from "@fava/wire/text-folding.ts";
import type { RoomChanged, RoomEnded, RoomEvent, RoomEventConsumer } from "#calls/room-service.ts";
import { boundedCache } from "#lib/cache.ts";
import { Tasks } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import type { LineRules, LineRuling } from "#ports/line-rules.ts";
import type { Moderation } from "#ports/moderation.ts";
import type { TextFinding } from "#ports/text-rules.ts";

interface ConductServiceOptions {
  clock: Clock;
  logger: Pick<Logger, "error">;
  moderation: Pick<Moderation, "note" | "muteChat" | "open" | "standing">;
  /** Contact data in a text, each kind once. */
  contacts: (text: string) => readonly TextFinding[];
  abuse: (text: string) => { isStopped: boolean; findings: readonly TextFinding[]; masked: string };
  /** Rules against bots only count; nothing follows from what they see. */
  botsDryRun: boolean;
}

/** What follows from lines that were stopped: the third of a day is one too many. */
const dayMs = 86_400_000;
const stoppedPerDayMax = 3;
const consequences = {
  contact_in_chat: { muteMs: 3_600_000, reasonId: reasons.spam.id },
  abuse_in_chat: { muteMs: dayMs, reasonId: reasons.harassment.id },
} as const satisfies Partial<Record<CaseRule, { muteMs: number; reasonId: ReportReason }>>;
type StoppedBy = keyof typeof consequences;

/** A number that is cut in two arrives within this time. */
const continuedMs = 30_000;
const writersMax = 50_000;
/** What is counted at once; a flood beyond it is let go, since it must not take the memory and the database of calls. */
const countedAtOnceMax = 1_000;
const contactMask = "•••";
const notCounted = "conduct could not be counted";

/**
 * How people behave in calls: what of a chat line the other may read (rules TEXT-64 to TEXT-67), and who behaves like a
 * program (rules BOT-1 to BOT-5). It answers from memory and counts in the background.
 */
export class ConductService implements LineRules, RoomEventConsumer, AsyncDisposable {
  readonly #options: ConductServiceOptions;
  /** Until when people may not write, milliseconds since the epoch. */
  readonly #mutes = boundedCache<bigint, number>({ entriesMax: writersMax });
  readonly #lastLines = boundedCache<bigint, { callId: string; text: string; atMs: number }>({
    entriesMax: writersMax,
  });
  /** Rooms that are live, and since when; each leaves with its end. */
  readonly #liveSinceMs = new Map<string, number>();
  readonly #repeated: RepeatedLines;
  readonly #skips: SkipRates;
  readonly #denied = new DeniedVideos();
  readonly #tasks: Tasks;

  constructor(options: ConductServiceOptions) {
    this.#options = options;
    this.#tasks = new Tasks(options);
    this.#repeated = new RepeatedLines(options.clock);
    this.#skips = new SkipRates(options.clock);
  }

  rule({ userId, callId }: { userId: bigint; callId: string }, text: string): LineRuling {
    const nowMs = this.#options.clock.nowMs();
    const mutedUntilMs = this.#mutes.get(userId) ?? 0;
    if (mutedUntilMs > nowMs) return { kind: "muted", untilMs: mutedUntilMs };
    if (this.#repeated.add(userId, callId, text)) this.#suspect(userId, "repeated_text");
    const abuse = this.#options.abuse(text);
    if (abuse.findings.length > 0) this.#stopped(userId, callId, "abuse_in_chat");
    if (abuse.isStopped) return { kind: "abusive" };
    const contacts = this.#contactsIn(userId, callId, text);
    if (contacts.length > 0) {
      this.#stopped(userId, callId, "contact_in_chat");
      return { kind: "masked", text: contactMask, findings: [...contacts, ...abuse.findings] };
    }
    if (abuse.findings.length > 0) return { kind: "masked", text: abuse.masked, findings: abuse.findings };
    return { kind: "pass" };
  }

  /** What happens in rooms: who comes into one may be muted, and from when both have video is remembered. */
  onRoomEvent(event: RoomEvent): void {
    if (event.kind === "ended") this.#ended(event);
    else if (event.kind !== "line") this.#changed(event);
  }

  #changed({ id, kind, side, people }: RoomChanged): void {
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

  [Symbol.asyncDispose](): Promise<void> {
    return this.#tasks[Symbol.asyncDispose]();
  }

  /** Reads whether somebody is muted when their call begins, so that their lines need not wait. */
  #prepare(userId: bigint): void {
    this.#tasks.add(notCounted, async () => {
      const { mutedUntil } = await this.#options.moderation.standing(userId);
      if (mutedUntil !== null) this.#mutes.set(userId, mutedUntil);
    });
  }

  /** Contact data in the line, or in it and the one before it: numbers are cut in two to get by. */
  #contactsIn(userId: bigint, callId: string, text: string): readonly TextFinding[] {
    const { clock, contacts } = this.#options;
    const before = this.#lastLines.get(userId);
    const nowMs = clock.nowMs();
    this.#lastLines.set(userId, { callId, text, atMs: nowMs });
    const found = contacts(text);
    const continues = before?.callId === callId && nowMs - before.atMs <= continuedMs;
    if (found.length > 0 || !continues || !/\d/.test(text) || contacts(before.text).length > 0) return found;
    return contacts(`${before.text} ${text}`);
  }

  #stopped(userId: bigint, callId: string, rule: StoppedBy): void {
    const { clock, moderation } = this.#options;
    const { muteMs, reasonId } = consequences[rule];
    this.#count(async () => {
      const times = await moderation.note({ userId, rule, dryRun: false, withinMs: dayMs, detail: { callId } });
      if (times < stoppedPerDayMax) return;
      const untilMs = clock.nowMs() + muteMs;
      this.#mutes.set(userId, untilMs);
      await moderation.muteChat(userId, { rule, untilMs });
      await moderation.open({ subjectId: userId, rule, reasonId, callId, evidence: [] });
    });
  }

  #suspect(userId: bigint, rule: "skip_rate" | "repeated_text" | "denied_video"): void {
    const { botsDryRun: dryRun, moderation } = this.#options;
    this.#count(async () => {
      await moderation.note({ userId, rule, dryRun, withinMs: dayMs });
      if (!dryRun)
        await moderation.open({ subjectId: userId, rule, reasonId: reasons.bot.id, callId: null, evidence: [] });
    });
  }

  #count(work: () => Promise<void>): void {
    if (this.#tasks.size < countedAtOnceMax) this.#tasks.add(notCounted, work);
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

/** The same line in so many calls within the time is an advertisement; shorter ones are greetings. */
const callsMax = 5;
const repeatedWithinMs = 3_600_000;
const lettersMin = 20;
const linesPerWriter = 20;
const repeatingWritersMax = 20_000;

interface Line {
  readonly text: string;
  readonly calls: Set<string>;
  readonly sinceMs: number;
}

/** Who writes the same to one stranger after the other (rule BOT-1). */
class RepeatedLines {
  readonly #clock: Clock;
  readonly #writers = boundedCache<bigint, Line[]>({ entriesMax: repeatingWritersMax });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True for the line that makes it too many, once an hour. */
  add(userId: bigint, callId: string, text: string): boolean {
    const signs = foldText(text);
    // Most lines are short, and what follows makes none longer.
    if (signs.length < lettersMin) return false;
    const folded = signs.replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
    if (folded.length < lettersMin) return false;
    const nowMs = this.#clock.monotonicMs();
    const lines = (this.#writers.get(userId) ?? []).filter(({ sinceMs }) => nowMs - sinceMs < repeatedWithinMs);
    const known = lines.find((line) => line.text === folded);
    const line = known ?? { text: folded, calls: new Set<string>(), sinceMs: nowMs };
    if (!known) lines.push(line);
    const before = line.calls.size;
    if (before < callsMax) line.calls.add(callId);
    this.#writers.set(userId, lines.slice(-linesPerWriter));
    return before < callsMax && line.calls.size === callsMax;
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
