import type { Logger } from "pino";
import type { SearchMediaState } from "@fava/wire/socket.ts";
import { boundedCache } from "#lib/cache.ts";
import { forbidden } from "#lib/errors.ts";
import { MachineRunner, type Running, type Untimed } from "#lib/machine.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { FrameClassifier, FrameQuestion, FrameVerdict } from "#ports/frame-classifier.ts";
import type { HubListener } from "#ports/hub-listener.ts";
import type { Moderation } from "#ports/moderation.ts";
import type { CarriedLook, Peers } from "#ports/peers.ts";
import { type Random, randomId } from "#ports/random.ts";
import { FrameIntake } from "./frame-intake.ts";
import { LatestOnly } from "./inspected-room.ts";
import { factsOf, passes } from "./inspection-machine.ts";
import type { InspectionSettings } from "./inspection-settings.ts";

/** The own picture of somebody who searches. Every time is of the monotonic clock, in milliseconds. */
export interface SearchedVideo {
  /** It is known that a look is of use: the person does not start covered anyway. */
  readonly isWanted: boolean;
  readonly isCameraOn: boolean;
  /** A phone page that is hidden is away. */
  readonly isAway: boolean;
  readonly isConnected: boolean;
  /** When the ticket that is out runs out; null: none is. */
  readonly ticketMs: number | null;
  /** Pictures asked for, and when the last one was. */
  readonly asked: number;
  readonly askedMs: number | null;
  /** Pictures up to this number count no more: the camera, the page or the socket has changed since. */
  readonly voidUpTo: number;
  /** When the newest picture that passed was asked for; null where there is none, or a later one did not pass. */
  readonly cleanMs: number | null;
  /** Pictures in a row that did not pass. */
  readonly poor: number;
  readonly alertUntilMs: number;
  /** The classifier has too much to do. */
  readonly isStretched: boolean;
  readonly nextMs: number;
}

export type SearchEvent = { readonly nowMs: number } & (
  | {
      readonly type: "tick";
      /** Whether the classifier can judge now. */
      readonly isReady: boolean;
      /** Added to the time of the ticket after this one. */
      readonly jitterMs: number;
    }
  | { readonly type: "restrictions"; readonly startsCovered: boolean }
  /** A picture came in for the ticket; its verdict follows. */
  | { readonly type: "arrived" }
  | { readonly type: "verdict"; readonly number: number; readonly askedMs: number; readonly verdict: FrameVerdict }
  /** What came in for this picture is none. */
  | { readonly type: "unreadable"; readonly number: number }
  /** We have too much to do to judge what came in. */
  | { readonly type: "unjudged" }
  | { readonly type: "media"; readonly state: SearchMediaState }
  | { readonly type: "socket"; readonly isConnected: boolean }
);

export interface SearchEffect {
  readonly type: "ask";
  readonly number: number;
  /** When the ticket runs out. */
  readonly untilMs: number;
  readonly question: FrameQuestion;
}

interface SearchStep {
  readonly state: SearchedVideo;
  readonly effects: readonly SearchEffect[];
}

/** A search that begins; `cleanMs` is of a clean look of the call before it, null without one. */
export function openSearch(
  { cleanMs, nowMs }: { cleanMs: number | null; nowMs: number },
  { intervalMs }: InspectionSettings,
): SearchedVideo {
  return {
    isWanted: false,
    isCameraOn: true,
    isAway: false,
    isConnected: true,
    ticketMs: null,
    asked: 0,
    askedMs: null,
    voidUpTo: 0,
    cleanMs,
    poor: 0,
    alertUntilMs: 0,
    isStretched: false,
    nextMs: cleanMs === null ? nowMs : cleanMs + intervalMs,
  };
}

/**
 * The looks at somebody who searches: when they are asked for a picture, and whether one of them passed. Nothing else
 * follows from them: what did not pass only means that the call begins covered (rules SAFE-80 to SAFE-85).
 */
export function stepSearch(state: SearchedVideo, event: SearchEvent, settings: InspectionSettings): SearchStep {
  const { nowMs } = event;
  switch (event.type) {
    case "tick":
      return tick(state, event, settings);
    case "restrictions":
      return same(event.startsCovered ? { ...voided(state), isWanted: false } : { ...state, isWanted: true });
    case "arrived":
      return same({ ...state, ticketMs: null });
    case "verdict":
      return same(event.number <= state.voidUpTo ? state : judged(state, event, settings));
    case "unreadable":
      return same(event.number <= state.voidUpTo ? state : poor(state, nowMs, settings));
    case "unjudged":
      return same({ ...state, isStretched: true, nextMs: nowMs + settings.busyMs });
    case "media":
      return same(media(state, event, settings));
    case "socket":
      return same(
        event.isConnected
          ? anew({ ...state, isConnected: true }, nowMs, settings)
          : { ...voided(state), isConnected: false },
      );
  }
}

/** When the search wants its next tick, of the monotonic clock; null while nothing can fall due. */
export function searchDueMs(state: SearchedVideo): number | null {
  return state.ticketMs ?? (canAsk(state) ? state.nextMs : null);
}

function same(state: SearchedVideo): SearchStep {
  return { state, effects: [] };
}

function canAsk({ isWanted, isCameraOn, isAway, isConnected }: SearchedVideo): boolean {
  return isWanted && isCameraOn && !isAway && isConnected;
}

function tick(
  before: SearchedVideo,
  event: Extract<SearchEvent, { type: "tick" }>,
  settings: InspectionSettings,
): SearchStep {
  const { nowMs, jitterMs } = event;
  if (before.ticketMs !== null) return same(nowMs < before.ticketMs ? before : poor(voided(before), nowMs, settings));
  if (!canAsk(before) || nowMs < before.nextMs) return same(before);
  if (!event.isReady) return same({ ...before, nextMs: nowMs + settings.intervalMs + jitterMs });
  const untilMs = nowMs + settings.lateMs;
  const number = before.asked + 1;
  const question = { depth: "cascade", codes: before.asked % settings.codesEvery === 0, priority: 2 } as const;
  const inMs =
    nowMs < before.alertUntilMs
      ? settings.alertMs
      : before.isStretched
        ? settings.busyMs
        : settings.intervalMs + jitterMs;
  return {
    state: { ...before, ticketMs: untilMs, asked: number, askedMs: nowMs, nextMs: nowMs + inMs },
    effects: [{ type: "ask", number, untilMs, question }],
  };
}

function judged(
  state: SearchedVideo,
  { verdict, askedMs, nowMs }: Extract<SearchEvent, { type: "verdict" }>,
  settings: InspectionSettings,
): SearchedVideo {
  if (!passes(verdict, settings)) return poor({ ...state, isStretched: false }, nowMs, settings);
  const clean = { ...state, cleanMs: askedMs, poor: 0, isStretched: false };
  if (!factsOf(verdict, settings).isAlerting) return clean;
  const nextMs = Math.min(state.nextMs, nowMs + settings.alertMs);
  return { ...clean, nextMs, alertUntilMs: nowMs + settings.alertForMs };
}

/** Once more soon, and then as often as anybody: a camera that stays dark must not cost more than others. */
function poor(state: SearchedVideo, nowMs: number, settings: InspectionSettings): SearchedVideo {
  const inMs = state.poor === 0 ? settings.poorRetryMs : settings.intervalMs;
  return { ...state, cleanMs: null, poor: state.poor + 1, nextMs: nowMs + inMs };
}

/** Nothing that was asked for so far counts any more. */
function voided(state: SearchedVideo): SearchedVideo {
  return { ...state, ticketMs: null, voidUpTo: state.asked, cleanMs: null };
}

/** Asks at once, but no faster than a browser could have changed its mind. */
function anew(state: SearchedVideo, nowMs: number, { missedRetryMs }: InspectionSettings): SearchedVideo {
  const earliestMs = state.askedMs === null ? nowMs : state.askedMs + missedRetryMs;
  return { ...voided(state), poor: 0, nextMs: Math.max(nowMs, earliestMs) };
}

function media(
  state: SearchedVideo,
  { state: said, nowMs }: Extract<SearchEvent, { type: "media" }>,
  settings: InspectionSettings,
): SearchedVideo {
  switch (said) {
    case "camera_off":
      return { ...voided(state), isCameraOn: false };
    case "away":
      return { ...voided(state), isAway: true };
    case "camera_on":
      return anew({ ...state, isCameraOn: true }, nowMs, settings);
    case "back":
      return anew({ ...state, isAway: false }, nowMs, settings);
  }
}

/** What is known of somebody's picture. */
export interface KnownLook {
  /** When the clean look was asked for since which nothing has changed, of the monotonic clock; null: there is none. */
  readonly cleanMs: number | null;
  /** Calls in a row that opened clear and ended before a picture of theirs passed. */
  readonly untriedCalls: number;
}

/** The same as it travels: no other process knows this one's clock. */
export function carriedLook({ cleanMs, untriedCalls }: KnownLook, nowMs: number): CarriedLook {
  return { cleanAgeMs: cleanMs === null ? null : nowMs - cleanMs, untriedCalls };
}

/** Whose pictures are looked at while they search; said of the same search as often as anybody likes. */
export interface SearchChecks {
  begin(userId: bigint): void;
  end(userId: bigint): void;
  /** What goes along with somebody who goes to another process. */
  known(userId: bigint): KnownLook;
  /** What came along with them, which was true at `atMs` of the monotonic clock or later. */
  bring(userId: bigint, look: CarriedLook, atMs: number): void;
}

interface SearchTicket {
  readonly id: string;
  readonly number: number;
  readonly askedMs: number;
  readonly question: FrameQuestion;
}

/** One person who searches. */
interface InspectedSearch extends Running<SearchedVideo> {
  readonly userId: bigint;
  readonly judging: LatestOnly;
  ticket: SearchTicket | null;
}

interface SearchInspectionOptions {
  bus: Pick<Bus, "pass">;
  /** Null: switched off on purpose; nobody is asked. */
  classifier: FrameClassifier | null;
  moderation: Pick<Moderation, "restrictionsOf">;
  /** The other processes of the site; left out where there are none. */
  peers?: Pick<Peers, "tell" | "onTold">;
  settings: InspectionSettings;
  clock: Clock;
  random: Random;
  logger: Logger;
}

/** People of whom something is remembered between searches. */
const peopleMax = 50_000;

/**
 * Looks at people while they search, so that their next call can open clear. A look belongs to one person and one chat
 * session. Nothing of a picture is kept, and nothing is told to moderation.
 */
export class SearchInspection
  implements SearchChecks, Pick<HubListener, "arrived" | "dropped" | "resumed" | "gone" | "searchMedia">, Disposable
{
  readonly #options: SearchInspectionOptions;
  readonly #intake: FrameIntake;
  readonly #machine: MachineRunner<InspectedSearch, SearchEvent, SearchEffect>;
  readonly #searches = new Map<bigint, InspectedSearch>();
  /** When the last clean look of the call before was asked for. */
  readonly #handed: ReturnType<typeof boundedCache<bigint, number>>;
  /** Calls in a row that opened clear and ended before a picture of them passed, at whichever process. */
  readonly #untried: ReturnType<typeof boundedCache<bigint, number>>;
  /** When a camera or a socket was switched off or lost last: what comes from another process may be older. */
  readonly #unseen: ReturnType<typeof boundedCache<bigint, number>>;

  constructor(options: SearchInspectionOptions) {
    this.#options = options;
    const { clock, settings, peers } = options;
    peers?.onTold("untried", ({ userId, calls }) => this.#countUntried(userId, calls));
    this.#intake = new FrameIntake(options);
    this.#handed = boundedCache({ entriesMax: peopleMax, expiry: { clock, ttlMs: settings.freshMs } });
    this.#unseen = boundedCache({ entriesMax: peopleMax, expiry: { clock, ttlMs: settings.freshMs } });
    this.#untried = boundedCache({ entriesMax: peopleMax, expiry: { clock, ttlMs: settings.untriedMs } });
    this.#machine = new MachineRunner({
      clock,
      step: (state, event) => stepSearch(state, event, settings),
      dueMs: searchDueMs,
      run: (search, effect) => this.#ask(search, effect),
      due: (search) => this.#tick(search),
    });
  }

  get figures(): Readonly<FrameIntake["counts"]> {
    return this.#intake.counts;
  }

  /** Frames that arrived and were not judged. */
  get unlooked(): FrameIntake["unlooked"] {
    return this.#intake.unlooked;
  }

  /** People whose search is looked at. */
  get size(): number {
    return this.#searches.size;
  }

  begin(userId: bigint): void {
    if (!this.#options.classifier || this.#searches.has(userId)) return;
    const cleanMs = this.#handed.get(userId) ?? null;
    this.#handed.delete(userId);
    const state = openSearch({ cleanMs, nowMs: this.#nowMs() }, this.#options.settings);
    const search = { userId, state, judging: new LatestOnly(), ticket: null, timer: null, dueMs: null };
    this.#searches.set(userId, search);
    this.#learn(search);
  }

  /** The look stays for a search that begins soon: a renewed one ends and begins in the same turn. */
  end(userId: bigint): void {
    const cleanMs = this.#close(userId);
    if (cleanMs !== null) this.#handed.set(userId, cleanMs);
  }

  /**
   * The search has led to a call, and is over.
   *
   * @returns when the clean look that opens its picture clear was asked for; null: the picture begins covered.
   */
  handOver(userId: bigint): number | null {
    const { freshMs } = this.#options.settings;
    const cleanMs = this.#close(userId);
    const isFresh = cleanMs !== null && this.#nowMs() - cleanMs <= freshMs;
    return isFresh && !this.#isUntried(userId) ? cleanMs : null;
  }

  known(userId: bigint): KnownLook {
    const cleanMs = this.#searches.get(userId)?.state.cleanMs ?? this.#handed.get(userId) ?? null;
    return { cleanMs, untriedCalls: this.#untried.get(userId) ?? 0 };
  }

  bring(userId: bigint, { cleanAgeMs, untriedCalls }: CarriedLook, atMs: number): void {
    this.#countUntried(userId, untriedCalls);
    const cleanMs = cleanAgeMs === null ? null : Math.floor(atMs - cleanAgeMs);
    const search = this.#searches.get(userId);
    const knownMs = Math.max(this.#unseen.get(userId) ?? -Infinity, search?.state.cleanMs ?? -Infinity);
    if (cleanMs === null || cleanMs <= knownMs) return;
    this.#close(userId);
    this.#handed.set(userId, cleanMs);
    // One that had begun without it begins with it.
    if (search) this.begin(userId);
  }

  /** A call is over: whether it opened clear, whether a picture of it passed, and when its last clean one was asked for. */
  callEnded(
    userId: bigint,
    { openedClear, hasPassed, cleanMs }: { openedClear: boolean; hasPassed: boolean; cleanMs: number | null },
  ): void {
    if (cleanMs === null) this.#handed.delete(userId);
    else this.#handed.set(userId, cleanMs);
    const before = this.#untried.get(userId) ?? 0;
    const calls = hasPassed ? 0 : before + (openedClear ? 1 : 0);
    if (calls === before) return;
    this.#countUntried(userId, calls);
    // A page that is opened at another server is no way round it.
    this.#options.peers?.tell("untried", { userId, calls });
  }

  /**
   * Takes the picture that a ticket asked this person for; resolves when it is judged, or a newer one overtook it.
   *
   * @throws EndpointError 403 `not_in_room` for somebody who is not asked; 400 `ticket`; 400 `frame`.
   */
  async take(userId: bigint, input: { ticket: string; bytes: Buffer }): Promise<void> {
    const search = this.#searches.get(userId);
    if (!search) throw forbidden("not_in_room");
    const { ticket } = search;
    if (ticket?.id !== input.ticket) throw this.#intake.refused("no_ticket");
    this.#intake.requireJpeg(input.bytes);
    this.#dispatch(search, { type: "arrived" });
    // A copy: the body of the call is not to be kept with it.
    const bytes = Buffer.from(input.bytes);
    await search.judging.run(() => this.#judge(search, ticket, bytes));
  }

  arrived(userId: bigint): void {
    this.gone(userId);
  }

  gone(userId: bigint): void {
    this.end(userId);
    this.#handed.delete(userId);
  }

  dropped(userId: bigint): void {
    this.#unseen.set(userId, this.#nowMs());
    this.#changed(userId, { type: "socket", isConnected: false });
  }

  resumed(userId: bigint): void {
    this.#changed(userId, { type: "socket", isConnected: true });
  }

  searchMedia(userId: bigint, state: SearchMediaState): void {
    if (state === "camera_off" || state === "away") this.#unseen.set(userId, this.#nowMs());
    this.#changed(userId, { type: "media", state });
  }

  [Symbol.dispose](): void {
    for (const userId of this.#searches.keys()) this.#close(userId);
  }

  /** Answers when the clean look of the search that ends here was asked for; null without one. */
  #close(userId: bigint): number | null {
    const search = this.#searches.get(userId);
    if (!search) return null;
    this.#searches.delete(userId);
    this.#machine.stop(search);
    return search.state.cleanMs;
  }

  /** Whatever was looked at before is not what a camera shows now. */
  #changed(userId: bigint, event: Untimed<SearchEvent>): void {
    this.#handed.delete(userId);
    const search = this.#searches.get(userId);
    if (search) this.#dispatch(search, event);
  }

  #countUntried(userId: bigint, calls: number): void {
    if (calls > 0) this.#untried.set(userId, calls);
    else this.#untried.delete(userId);
  }

  #isUntried(userId: bigint): boolean {
    return (this.#untried.get(userId) ?? 0) >= this.#options.settings.untriedCallsMax;
  }

  /** Until it is known who the person is, nothing is asked. */
  #learn(search: InspectedSearch): void {
    const { moderation, logger } = this.#options;
    const { userId } = search;
    moderation.restrictionsOf(userId).then(
      (restrictions) => {
        if (this.#searches.get(userId) !== search) return;
        const startsCovered = restrictions.startsCovered || this.#isUntried(userId);
        this.#dispatch(search, { type: "restrictions", startsCovered });
        this.#machine.catchUp(search);
      },
      (error: unknown) => logger.error({ err: error }, "the restrictions of somebody who searches are unknown"),
    );
  }

  async #judge(search: InspectedSearch, { number, askedMs, question }: SearchTicket, bytes: Buffer): Promise<void> {
    const isOver = () => this.#searches.get(search.userId) !== search;
    if (isOver()) return;
    const verdict = await this.#intake.judge(bytes, question);
    if (isOver()) return;
    if (verdict === "busy") return this.#dispatch(search, { type: "unjudged" });
    if (verdict === "unreadable") {
      this.#dispatch(search, { type: "unreadable", number });
      throw this.#intake.unreadable();
    }
    this.#dispatch(search, { type: "verdict", number, askedMs, verdict });
    this.#learn(search);
  }

  #tick(search: InspectedSearch): void {
    const { classifier, random, settings } = this.#options;
    const jitterMs = random.integer(-settings.jitterMs, settings.jitterMs);
    this.#dispatch(search, { type: "tick", isReady: classifier?.isReady() ?? false, jitterMs });
  }

  #dispatch(search: InspectedSearch, event: Untimed<SearchEvent>): void {
    this.#machine.dispatch(search, { ...event, nowMs: this.#nowMs() } as SearchEvent);
    if (search.state.ticketMs === null) search.ticket = null;
  }

  #ask(search: InspectedSearch, { number, question }: SearchEffect): void {
    const { bus, random } = this.#options;
    const id = randomId(random);
    search.ticket = { id, number, askedMs: this.#nowMs(), question };
    bus.pass(search.userId, { type: "inspect", roomId: "", ticket: id, view: "own", dueInMs: 0 });
  }

  #nowMs(): number {
    return Math.floor(this.#options.clock.monotonicMs());
  }
}
