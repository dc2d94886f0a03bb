import type { Logger } from "pino";
import type { SearchMediaState } from "@fava/wire/socket.ts";
import { Tasks } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import type { HubListener } from "#ports/hub-listener.ts";
import type { HandedActivity } from "#ports/peers.ts";
import type { CallOwner } from "#ports/room-claims.ts";
import type { NewSearch } from "./match-eligibility.ts";
import type { MatchService } from "./match-service.ts";
import type { CallService } from "./room-service.ts";
import { carriedInspection, type SearchChecks } from "./search-inspection.ts";

interface CallsHandoverOptions {
  calls: Pick<CallService, "otherIn" | "isIn" | "isLive" | "takenOver">;
  matches: Pick<MatchService, "isBusy" | "pack" | "keepPlace" | "continueSearch" | "continueRematch">;
  checks: Pick<SearchChecks, "known" | "bring"> & Pick<HubListener, "searchMedia">;
  /** Sends the user's page to the server with the user's call. A user who does something else leaves the call. */
  find(userId: bigint): void;
  clock: Clock;
  logger: Pick<Logger, "error">;
}

/** How long a new page may take from its first request to its chat session. */
const newPageMs = 10_000;

/** What the old home sent about a user. It describes the user at `atMs` (monotonic clock) or later. */
interface Brought {
  readonly doings: HandedActivity;
  readonly atMs: number;
  /** The chat session moves too, and its socket will connect to this server. */
  readonly isResumed: boolean;
}

/** Moves a user's search between servers, with the place in the queue and the last inspection result (decision 055). */
export class CallsHandover
  implements Pick<HubListener, "arrived" | "resumed" | "gone" | "searchMedia">, AsyncDisposable
{
  readonly #options: CallsHandoverOptions;
  readonly #tasks: Tasks;
  /** State that `bring` received for a user who has not connected yet. */
  readonly #brought = new Map<bigint, Brought>();
  /** Users whose moved session has no socket here yet. A call now would begin without their inspection result. */
  readonly #awaited = new Map<bigint, Brought>();
  readonly #media = new Map<bigint, SearchMediaState>();
  /** By user, when the last search began by a request that came outside the chat session, on the monotonic clock. */
  readonly #startedAtMs = new Map<bigint, number>();
  #isLeaving = false;

  constructor(options: CallsHandoverOptions) {
    this.#options = options;
    this.#tasks = new Tasks(options);
  }

  /** This server is about to stop: other servers take its calls. */
  leave(): void {
    this.#isLeaving = true;
  }

  hasCall(userId: bigint): boolean {
    return this.#options.calls.otherIn(userId) !== null;
  }

  keepsCall(userId: bigint): boolean {
    return this.hasCall(userId) && !(this.#isLeaving && this.#options.calls.isLive(userId));
  }

  pack(userId: bigint): HandedActivity {
    const { matches, checks, clock } = this.#options;
    const awaited = this.#awaited.get(userId);
    this.#awaited.delete(userId);
    // The user moves on before the socket came, so the age of the inspection result is unknown.
    if (awaited) return { ...awaited.doings, look: null };
    const look = this.hasCall(userId) ? null : carriedInspection(checks.known(userId), clock.monotonicMs());
    return { ...matches.pack(userId), media: this.#media.get(userId) ?? null, look };
  }

  packForNewPage(userId: bigint): HandedActivity | null {
    const startedAtMs = this.#startedAtMs.get(userId) ?? -Infinity;
    if (this.#options.clock.monotonicMs() - startedAtMs >= newPageMs || this.hasCall(userId)) return null;
    // Inspection results of an old page do not apply to a new one.
    return { ...this.pack(userId), media: null, look: null };
  }

  /** Notes the time, because the page that sent the request may connect to another server. */
  startedByRequest(userId: bigint): void {
    this.#startedAtMs.set(userId, this.#options.clock.monotonicMs());
  }

  bring(userId: bigint, doings: HandedActivity, { atMs, isResumed }: Omit<Brought, "doings">): Disposable {
    this.#brought.set(userId, { doings, atMs, isResumed });
    return { [Symbol.dispose]: () => void this.#brought.delete(userId) };
  }

  yieldCall(userId: bigint, roomId: string, by: CallOwner): "free" | "elsewhere" | "taken" {
    const { calls, matches } = this.#options;
    calls.takenOver(userId, roomId, by);
    if (calls.isIn(userId, roomId)) return "taken";
    return matches.isBusy(userId) ? "elsewhere" : "free";
  }

  lostHome(userId: bigint): void {
    this.#options.find(userId);
  }

  arrived(userId: bigint): void {
    const brought = this.#brought.get(userId);
    if (brought?.isResumed) this.#awaited.set(userId, brought);
    else if (brought) this.#goOn(userId, brought);
  }

  resumed(userId: bigint): void {
    const awaited = this.#awaited.get(userId);
    this.#awaited.delete(userId);
    if (awaited) this.#goOn(userId, awaited);
  }

  gone(userId: bigint): void {
    this.#media.delete(userId);
    this.#awaited.delete(userId);
    this.#startedAtMs.delete(userId);
  }

  searchMedia(userId: bigint, state: SearchMediaState): void {
    this.#media.set(userId, state);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tasks[Symbol.asyncDispose]();
  }

  #goOn(userId: bigint, { doings, atMs }: Brought): void {
    const { matches, checks } = this.#options;
    const { search, rematch, sinceMs, media, look } = doings;
    if (media) {
      this.#media.set(userId, media);
      checks.searchMedia(userId, media);
    }
    if (look) checks.bring(userId, look, atMs);
    if (sinceMs !== null) matches.keepPlace(userId, sinceMs);
    const failed = "failed to continue a search of another server";
    if (search) this.#tasks.add(failed, () => matches.continueSearch(search as NewSearch));
    if (rematch) this.#tasks.add(failed, () => matches.continueRematch(rematch));
  }
}
