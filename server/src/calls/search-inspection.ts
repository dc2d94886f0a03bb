import type { SearchMediaState } from "@fava/wire/socket.ts";
import { boundedCache } from "#lib/cache.ts";
import { forbidden } from "#lib/errors.ts";
import type { Untimed } from "#lib/machine.ts";
import type { FrameVerdict } from "#ports/frame-classifier.ts";
import type { HubListener } from "#ports/hub-listener.ts";
import type { CarriedInspection } from "#ports/peers.ts";
import { factsOf, passes } from "./frame-facts.ts";
import type { InspectionSettings } from "./inspection-settings.ts";
import type { AskEffect, InspectionEvent } from "./inspection-state.ts";
import {
  cameraChanges,
  isCameraOn,
  type VideoInspection,
  VideoInspections,
  type VideoInspectionsOptions,
  openVideoInspection,
} from "./video-inspections.ts";

/** The video of a user who searches. Times are on the monotonic clock, in milliseconds. */
interface SearchedVideo {
  readonly kind: "searched";
  /** Whether a clean frame could let the call start clear. False until the restrictions are read. */
  readonly isWanted: boolean;
  /** Whether the camera is on and the page visible. */
  readonly isCameraOn: boolean;
  readonly isConnected: boolean;
  /** When the valid ticket expires; null if there is none. */
  readonly tickets: { readonly own: number | null; readonly received: null };
  /** The number of requested frames, and the time of the last request. */
  readonly asked: number;
  readonly askedMs: number | null;
  /** Frames requested before this time do not count, because the camera, page or socket has changed since. */
  readonly voidUpToMs: number;
  /** Request time of the newest frame, if it passed; otherwise null. */
  readonly cleanMs: number | null;
  /** Whether the first frame is also searched for a face. */
  readonly hintsAge: boolean;
  /** How many frames in a row did not pass. */
  readonly poor: number;
  readonly alertUntilMs: number;
  /** Under overload, this user is inspected less often. */
  readonly isStretched: boolean;
  readonly nextMs: number;
}

/** `ended`: the search is over. */
export type SearchState = SearchedVideo | { readonly kind: "ended" };

interface SearchStep {
  readonly state: SearchState;
  readonly effects: readonly AskEffect[];
}

/** Opens a search. `cleanMs`: request time of a clean frame in the user's last call; null without one. */
export function openSearch(
  { cleanMs, nowMs }: { cleanMs: number | null; nowMs: number },
  { intervalMs }: InspectionSettings,
): SearchedVideo {
  return {
    kind: "searched",
    isWanted: false,
    hintsAge: false,
    isCameraOn: true,
    isConnected: true,
    tickets: { own: null, received: null },
    asked: 0,
    askedMs: null,
    voidUpToMs: -Infinity,
    cleanMs,
    poor: 0,
    alertUntilMs: 0,
    isStretched: false,
    nextMs: cleanMs === null ? nowMs : cleanMs + intervalMs,
  };
}

/**
 * Decides during a search when to request a frame, and whether one passed. A frame that did not pass has one effect:
 * the call begins covered (rules SAFE-80, SAFE-81 and SAFE-82).
 */
export function stepSearch(state: SearchState, event: InspectionEvent, settings: InspectionSettings): SearchStep {
  if (state.kind === "ended") return same(state);
  const { nowMs } = event;
  switch (event.type) {
    case "tick":
      return tick(state, event, settings);
    case "restrictions":
      return same({
        ...(event.restrictions.startsCovered ? voided(state) : state),
        isWanted: !event.restrictions.startsCovered,
        hintsAge: event.restrictions.hintsAge,
      });
    case "arrived":
      return same(withoutTicket(state));
    case "verdict":
      return same(event.pair <= state.voidUpToMs ? state : judged(state, event, settings));
    case "unreadable":
      return same(event.untilMs - settings.lateMs <= state.voidUpToMs ? state : poor(state, nowMs, settings));
    case "unjudged":
      return same({ ...state, isStretched: true, nextMs: nowMs + settings.busyMs });
    case "camera":
      return same(
        event.isOn
          ? restarted({ ...state, isCameraOn: true }, nowMs, settings)
          : { ...voided(state), isCameraOn: false },
      );
    case "socket":
      return same(
        event.isConnected
          ? restarted({ ...state, isConnected: true }, nowMs, settings)
          : { ...voided(state), isConnected: false },
      );
    case "over":
      return same({ kind: "ended" });
    case "overtaken":
    case "late":
    case "viewed":
    case "page_back":
    case "wanted":
      return same(state);
  }
}

/** When the search needs its next tick, on the monotonic clock; null if no time is pending. */
export function searchDueMs(state: SearchState): number | null {
  if (state.kind === "ended") return null;
  return state.tickets.own ?? (canAsk(state) ? state.nextMs : null);
}

function same(state: SearchState): SearchStep {
  return { state, effects: [] };
}

function canAsk({ isWanted, isCameraOn, isConnected }: SearchedVideo): boolean {
  return isWanted && isCameraOn && isConnected;
}

function withoutTicket(state: SearchedVideo): SearchedVideo {
  return { ...state, tickets: { own: null, received: null } };
}

type EventOf<Type extends InspectionEvent["type"]> = Extract<InspectionEvent, { type: Type }>;

function tick(before: SearchedVideo, event: EventOf<"tick">, settings: InspectionSettings): SearchStep {
  const { nowMs, jitterMs } = event;
  const { own } = before.tickets;
  if (own !== null) return same(nowMs < own ? before : poor(voided(before), nowMs, settings));
  if (!canAsk(before) || nowMs < before.nextMs) return same(before);
  if (!event.isReady) return same({ ...before, nextMs: nowMs + settings.intervalMs + jitterMs });
  const untilMs = nowMs + settings.lateMs;
  const codes = before.asked % settings.codesEvery === 0;
  const faces = settings.readsFaces && before.hintsAge && before.asked === 0;
  const question = { depth: "cascade", codes, faces, priority: 2 } as const;
  const usualMs = before.isStretched ? settings.busyMs : settings.intervalMs + jitterMs;
  const nextMs = nowMs + (nowMs < before.alertUntilMs ? settings.alertMs : usualMs);
  const tickets = { own: untilMs, received: null };
  return {
    state: { ...before, tickets, asked: before.asked + 1, askedMs: nowMs, nextMs },
    // The number of a frame is the time of its request.
    effects: [{ type: "ask", view: "own", dueInMs: 0, untilMs, pair: nowMs, question }],
  };
}

function judged(
  state: SearchedVideo,
  { verdict, pair: askedMs, nowMs }: EventOf<"verdict">,
  settings: InspectionSettings,
): SearchedVideo {
  if (!passes(verdict, settings)) return poor({ ...state, isStretched: false }, nowMs, settings);
  const clean = { ...state, cleanMs: askedMs, poor: 0, isStretched: false };
  if (!factsOf(verdict, settings).isAlerting) return clean;
  const nextMs = Math.min(state.nextMs, nowMs + settings.alertMs);
  return { ...clean, nextMs, alertUntilMs: nowMs + settings.alertForMs };
}

/** One early retry after a frame that did not pass, then the usual interval: a dark camera must not cost more. */
function poor(state: SearchedVideo, nowMs: number, settings: InspectionSettings): SearchedVideo {
  const inMs = state.poor === 0 ? settings.poorRetryMs : settings.intervalMs;
  return { ...state, cleanMs: null, poor: state.poor + 1, nextMs: nowMs + inMs };
}

/** Makes all frames requested so far count for nothing. */
function voided(state: SearchedVideo): SearchedVideo {
  return { ...withoutTicket(state), voidUpToMs: state.askedMs ?? state.voidUpToMs, cleanMs: null };
}

/** Requests a frame at once, but not within `missedRetryMs` of the last request. */
function restarted(state: SearchedVideo, nowMs: number, { missedRetryMs }: InspectionSettings): SearchedVideo {
  const earliestMs = state.askedMs === null ? nowMs : state.askedMs + missedRetryMs;
  return { ...voided(state), poor: 0, nextMs: Math.max(nowMs, earliestMs) };
}

/** What earlier inspections found about a user's video. */
export interface KnownInspection {
  /** Request time of the newest clean frame, on the monotonic clock; null without one or if the video changed. */
  readonly cleanMs: number | null;
  /** Consecutive calls that opened clear and ended before one of their frames passed. */
  readonly untriedCalls: number;
}

/** As ages instead of times, because another server does not know this one's clock. */
export function carriedInspection({ cleanMs, untriedCalls }: KnownInspection, nowMs: number): CarriedInspection {
  return { cleanAgeMs: cleanMs === null ? null : nowMs - cleanMs, untriedCalls };
}

/** Starts and ends the inspection of users who search. Both are idempotent. */
export interface SearchChecks {
  begin(userId: bigint): void;
  end(userId: bigint): void;
  /** What another server needs to know of a user who moves there. */
  known(userId: bigint): KnownInspection;
  /** Takes over what another server knew at `atMs` (monotonic clock) or later. */
  bring(userId: bigint, look: CarriedInspection, atMs: number): void;
}

interface InspectedSearch extends VideoInspection {
  state: SearchState;
}

/** Limit of users about whom results are cached between searches. */
const peopleMax = 50_000;

/**
 * Inspects users while they search, so that their next call can open clear. The result belongs to one user and one chat
 * session. No frame is kept, and moderation is told nothing.
 */
export class SearchInspection
  implements SearchChecks, Pick<HubListener, "arrived" | "dropped" | "resumed" | "gone" | "searchMedia">, Disposable
{
  readonly #options: VideoInspectionsOptions;
  readonly #inspections: VideoInspections<InspectedSearch>;
  readonly #searches = new Map<bigint, InspectedSearch>();
  /** By user: request time of the last clean frame, for the next search. */
  readonly #handed: ReturnType<typeof boundedCache<bigint, number>>;
  /** By user: consecutive calls on any server that started clear and ended before a frame passed. */
  readonly #untried: ReturnType<typeof boundedCache<bigint, number>>;
  /** By user: when the camera was last off or the socket lost. Another server's clean frame may be older. */
  readonly #unseen: ReturnType<typeof boundedCache<bigint, number>>;

  /** @param seen called with each verdict. */
  constructor(options: VideoInspectionsOptions, seen: (userId: bigint, verdict: FrameVerdict) => void) {
    this.#options = options;
    const { clock, settings, peers, moderation } = options;
    peers?.onEvent("untried", ({ userId, calls }) => this.#countUntried(userId, calls));
    this.#handed = boundedCache({ entriesMax: peopleMax, expiry: { clock, ttlMs: settings.freshMs } });
    this.#unseen = boundedCache({ entriesMax: peopleMax, expiry: { clock, ttlMs: settings.freshMs } });
    this.#untried = boundedCache({ entriesMax: peopleMax, expiry: { clock, ttlMs: settings.untriedMs } });
    this.#inspections = new VideoInspections<InspectedSearch>(options, {
      step: stepSearch,
      dueMs: searchDueMs,
      judgesLate: false,
      senderOf: ({ userId }) => userId,
      restrictionsOf: async ({ userId }) => {
        const known = await moderation.restrictionsOf(userId);
        return { ...known, startsCovered: known.startsCovered || this.#isUntried(userId) };
      },
      judged: (search, { view, ticket: { pair, question }, verdict }) => {
        this.#inspections.dispatch(search, { type: "verdict", view, pair, codes: question.codes, verdict });
        seen(search.userId, verdict);
      },
    });
  }

  get figures(): Readonly<VideoInspections<InspectedSearch>["counts"]> {
    return this.#inspections.counts;
  }

  get families(): VideoInspections<InspectedSearch>["families"] {
    return this.#inspections.families;
  }

  /** Frames that arrived and were not judged, by reason. */
  get unjudged(): VideoInspections<InspectedSearch>["unjudged"] {
    return this.#inspections.unjudged;
  }

  get size(): number {
    return this.#searches.size;
  }

  begin(userId: bigint): void {
    if (!this.#options.classifier || this.#searches.has(userId)) return;
    const cleanMs = this.#handed.get(userId) ?? null;
    this.#handed.delete(userId);
    const state = openSearch({ cleanMs, nowMs: this.#inspections.nowMs }, this.#options.settings);
    const search: InspectedSearch = openVideoInspection({ userId, roomId: "", state });
    this.#searches.set(userId, search);
    // Requests frames only after the restrictions are read.
    this.#inspections.learn(search);
  }

  /** Ends the inspection. Keeps the clean frame, because a renewed search ends and begins in the same turn. */
  end(userId: bigint): void {
    const cleanMs = this.#close(userId);
    if (cleanMs !== null) this.#handed.set(userId, cleanMs);
  }

  /**
   * Ends the inspection of a search that led to a call.
   * @returns request time of the clean frame that lets the call start clear; null: it starts covered.
   */
  handOver(userId: bigint): number | null {
    const { freshMs } = this.#options.settings;
    const cleanMs = this.#close(userId);
    const isFresh = cleanMs !== null && this.#inspections.nowMs - cleanMs <= freshMs;
    return isFresh && !this.#isUntried(userId) ? cleanMs : null;
  }

  known(userId: bigint): KnownInspection {
    const cleanMs = this.#cleanMsOf(userId) ?? this.#handed.get(userId) ?? null;
    return { cleanMs, untriedCalls: this.#untried.get(userId) ?? 0 };
  }

  bring(userId: bigint, { cleanAgeMs, untriedCalls }: CarriedInspection, atMs: number): void {
    this.#countUntried(userId, untriedCalls);
    const cleanMs = cleanAgeMs === null ? null : Math.floor(atMs - cleanAgeMs);
    const knownMs = Math.max(this.#unseen.get(userId) ?? -Infinity, this.#cleanMsOf(userId) ?? -Infinity);
    if (cleanMs === null || cleanMs <= knownMs) return;
    const isSearching = this.#searches.has(userId);
    this.#close(userId);
    this.#handed.set(userId, cleanMs);
    // The search began without this clean frame, so it begins again with it.
    if (isSearching) this.begin(userId);
  }

  /** Records an ended call: did it start clear, did a frame pass, and when was its last clean frame requested? */
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
    // Tells the other servers, so that a page at another server does not reset the count.
    this.#options.peers?.broadcast("untried", { userId, calls });
  }

  /**
   * Takes the frame that a ticket asked this user for; resolves when it is judged, or a newer one overtook it.
   *
   * @throws EndpointError 403 `not_in_room` for a user who is not asked; 400 `ticket`; 400 `frame`.
   */
  async take(userId: bigint, { ticket, bytes }: { ticket: string; bytes: Buffer }): Promise<void> {
    const search = this.#searches.get(userId);
    if (!search) throw forbidden("not_in_room");
    await this.#inspections.take(this.#inspections.asked([[search, "own"]], ticket), bytes);
  }

  arrived(userId: bigint): void {
    this.gone(userId);
  }

  gone(userId: bigint): void {
    this.end(userId);
    this.#handed.delete(userId);
  }

  dropped(userId: bigint): void {
    this.#unseen.set(userId, this.#inspections.nowMs);
    this.#changed(userId, () => ({ type: "socket", isConnected: false }));
  }

  resumed(userId: bigint): void {
    this.#changed(userId, () => ({ type: "socket", isConnected: true }));
  }

  searchMedia(userId: bigint, state: SearchMediaState): void {
    if (state === "camera_off" || state === "away") this.#unseen.set(userId, this.#inspections.nowMs);
    this.#changed(userId, ({ camera }) => {
      Object.assign(camera, cameraChanges[state]);
      return { type: "camera", isOn: isCameraOn(camera) };
    });
  }

  [Symbol.dispose](): void {
    for (const userId of this.#searches.keys()) this.#close(userId);
  }

  #cleanMsOf(userId: bigint): number | null {
    const state = this.#searches.get(userId)?.state;
    return state?.kind === "searched" ? state.cleanMs : null;
  }

  /**
   * Ends a search.
   * @returns request time of its clean frame; null without one.
   */
  #close(userId: bigint): number | null {
    const search = this.#searches.get(userId);
    if (!search) return null;
    const cleanMs = this.#cleanMsOf(userId);
    this.#searches.delete(userId);
    this.#inspections.dispatch(search, { type: "over" });
    return cleanMs;
  }

  /** Discards the clean frame, because the camera may show something else now. */
  #changed(userId: bigint, eventOf: (search: InspectedSearch) => Untimed<InspectionEvent>): void {
    this.#handed.delete(userId);
    const search = this.#searches.get(userId);
    if (search) this.#inspections.dispatch(search, eventOf(search));
  }

  #countUntried(userId: bigint, calls: number): void {
    if (calls > 0) this.#untried.set(userId, calls);
    else this.#untried.delete(userId);
  }

  #isUntried(userId: bigint): boolean {
    return (this.#untried.get(userId) ?? 0) >= this.#options.settings.untriedCallsMax;
  }
}
