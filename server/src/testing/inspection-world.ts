import { pino } from "pino";
import { InspectionService } from "#calls/inspection-service.ts";
import { type InspectionSettings, inspectionSettingsDefault } from "#calls/inspection-settings.ts";
import type { PassingFrame } from "#ports/bus.ts";
import type { FrameVerdict } from "#ports/frame-classifier.ts";
import type { CaseSignal, EvidenceItem, Moderation, Standing } from "#ports/moderation.ts";
import { MatchWorld } from "./match-world.ts";
import type { Delivered } from "./memory-bus.ts";
import { seededRandom } from "./random.ts";
import { pictureThat, ScriptedFrames } from "./scripted-frames.ts";

export type Inspect = Extract<PassingFrame, { type: "inspect" }>;
export type ShieldFrame = Extract<PassingFrame, { type: "shield" }>;
type Noted = Parameters<Moderation["note"]>[0];

/** A moderation that remembers what it is told. */
export class ScriptedModeration implements Moderation {
  readonly opened: CaseSignal[] = [];
  /** By whose pictures of somebody else. */
  readonly viewed: (CaseSignal & { senderId: bigint })[] = [];
  readonly suspended: CaseSignal[] = [];
  readonly noted: Noted[] = [];
  readonly muted: { userId: bigint; rule: string; untilMs: number }[] = [];
  readonly added: EvidenceItem[] = [];
  readonly standings = new Map<bigint, Partial<Standing>>();
  /** Awaited before anything is taken; a test throws. */
  before: () => Promise<void> = async () => {};

  async open(signal: CaseSignal): Promise<bigint> {
    await this.before();
    this.opened.push(signal);
    return BigInt(this.opened.length);
  }

  async openByView(signal: CaseSignal, senderId: bigint): Promise<bigint> {
    this.viewed.push({ ...signal, senderId });
    return this.open(signal);
  }

  async addEvidence(_caseId: bigint, evidence: readonly EvidenceItem[]): Promise<void> {
    this.added.push(...evidence);
  }

  async suspend(signal: CaseSignal): Promise<void> {
    await this.before();
    this.suspended.push(signal);
  }

  async note(signal: Noted): Promise<number> {
    await this.before();
    this.noted.push(signal);
    return this.noted.filter(({ userId, rule }) => userId === signal.userId && rule === signal.rule).length;
  }

  async muteChat(userId: bigint, mute: { rule: string; untilMs: number }): Promise<void> {
    this.muted.push({ userId, ...mute });
  }

  async standing(userId: bigint): Promise<Standing> {
    const usual = { pausedUntil: null, mutedUntil: null, isNew: false, isWatched: false };
    return { ...usual, ...this.standings.get(userId) };
  }
}

export interface InspectionWorldOptions {
  settings?: Partial<InspectionSettings>;
  memoryBytesMax?: number;
  isOff?: boolean;
  seed?: number;
}

/** Calls under inspection, with browsers and models that do what the test says. */
export class InspectionWorld extends MatchWorld {
  readonly frames = new ScriptedFrames();
  readonly moderation = new ScriptedModeration();
  readonly inspection: InspectionService;
  /** Frames of each person that the test has not looked at. */
  readonly #seen = new Map<bigint, Delivered[]>();

  constructor({ settings = {}, memoryBytesMax = 100_000_000, isOff = false, seed = 1 }: InspectionWorldOptions = {}) {
    super({ seed });
    this.inspection = new InspectionService({
      bus: this.bus,
      calls: this.calls,
      classifier: isOff ? null : this.frames,
      moderation: this.moderation,
      settings: { ...inspectionSettingsDefault, ...settings },
      clock: this.clock,
      random: seededRandom(seed + 1),
      logger: pino({ level: "silent" }),
      memoryBytesMax,
    });
  }

  /** Two people in a live call, whose first pictures are asked for. */
  async inCall(one: bigint, other: bigint): Promise<string> {
    for (const userId of [one, other]) await this.arrive(userId);
    await this.start(one);
    this.clock.advance(1);
    await this.start(other);
    for (const userId of [one, other]) {
      const match = this.calls.current(userId)?.match;
      if (!match) throw new Error("no match");
      const frame = { type: "media", roomId: match.roomId, roomToken: match.token, state: "playing" } as const;
      this.matches.roomFrame(userId, frame);
    }
    await this.settled();
    return this.calls.current(one)?.match.roomId ?? "";
  }

  /** What reached the person and was not looked at. */
  #inbox(userId: bigint): Delivered[] {
    const inbox = [...(this.#seen.get(userId) ?? []), ...this.bus.take(userId)];
    this.#seen.set(userId, inbox);
    return inbox;
  }

  /** Tickets that the person got since the last look. */
  tickets(userId: bigint): Inspect[] {
    const inbox = this.#inbox(userId);
    const isTicket = (frame: Delivered): frame is Inspect => "type" in frame && frame.type === "inspect";
    this.#seen.set(
      userId,
      inbox.filter((frame) => !isTicket(frame)),
    );
    return inbox.filter(isTicket);
  }

  /** What the person was told of the pictures since the last look, as `other/own`. */
  shields(userId: bigint): string[] {
    const inbox = this.#inbox(userId);
    const isShield = (frame: Delivered): frame is ShieldFrame => "type" in frame && frame.type === "shield";
    this.#seen.set(
      userId,
      inbox.filter((frame) => !isShield(frame)),
    );
    return inbox.filter(isShield).map(({ other, own }) => `${other}/${own}`);
  }

  /** Everything else since the last look. */
  pushes(userId: bigint): Delivered[] {
    const inbox = this.#inbox(userId);
    this.#seen.set(userId, []);
    return inbox;
  }

  async upload(userId: bigint, { roomId, ticket }: Pick<Inspect, "roomId" | "ticket">, bytes: Buffer): Promise<void> {
    await this.inspection.take(userId, { roomId, ticket, bytes });
    await this.settled();
  }

  /** The person's browser answers the tickets it has with these pictures. */
  async answer(userId: bigint, own: Partial<FrameVerdict> = {}, received: Partial<FrameVerdict> = {}): Promise<void> {
    for (const ticket of this.tickets(userId)) {
      if (!this.calls.isIn(userId, ticket.roomId)) continue;
      await this.upload(userId, ticket, pictureThat(ticket.view === "own" ? own : received));
    }
  }

  /** Time passes in steps; after each, browsers answer: these people's own pictures say this, all others are clean. */
  async pass(ms: number, says: ReadonlyMap<bigint, Partial<FrameVerdict>> = new Map()): Promise<void> {
    const stepMs = 500;
    for (let passedMs = 0; passedMs < ms; passedMs += stepMs) {
      this.clock.advance(Math.min(stepMs, ms - passedMs));
      await this.settled();
      for (const userId of this.facts.keys()) await this.answer(userId, says.get(userId));
    }
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    await this.inspection[Symbol.asyncDispose]();
  }
}
