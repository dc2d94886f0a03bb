import type { Logger } from "pino";
import type { SearchMediaState } from "@fava/wire/socket.ts";
import { KeyedMutex } from "#lib/keyed-mutex.ts";
import { Outboxes } from "#lib/outboxes.ts";
import { PeerRetries } from "#lib/peer-retries.ts";
import { Periodic, Tasks } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import type { Departure, RoomMessage } from "#ports/hub-listener.ts";
import type { FoundPair, SearchRef } from "#ports/match-pool.ts";
import {
  type Asked,
  type CallEvent,
  callKey,
  type CarriedLook,
  type HandedDoings,
  peerAnswerMs,
  type Loan,
  type MatchCall,
  NobodyThereError,
  type PeerKey,
  type Peers,
  personKey,
  processKey,
} from "#ports/peers.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import { Arrival, AwaitedCalls, ForeignStarts, Leavings, locateMs } from "./arrival.ts";
import { type CallListener, tellCallEvent } from "./call-listener.ts";
import type { GuestSearches } from "./guest-searches.ts";
import { HostedGuests, type TakeSearch } from "./hosted-guests.ts";
import type { NewSearch } from "./match-eligibility.ts";
import { type AdoptedPlace, type Guest, LoanChecks, type LoanCheckOptions, type Lent, type Luggage } from "./loans.ts";
import { carriedLook } from "./search-inspection.ts";

/** When a home takes somebody back whose host has not said that it has them. */
const unkeptMs = 4_000;
const lookEveryMs = 1_000;
/** Of what a person does in a call elsewhere: later it is of no use. */
const eventAgeMaxMs = 30_000;
const nowhereMs = 10_000;
/** So long the home of somebody in an adopted call is asked, where it does not answer. */
const adoptMs = 8_000;
/** So long somebody who moves to another home waits here for what is half done of theirs. */
const releaseMs = 2_500;

interface GuestsOptions extends LoanCheckOptions {
  /** Whose chat sessions this process has. */
  hub: { isHere(userId: bigint): boolean };
  clock: Clock;
  logger: Pick<Logger, "warn" | "error">;
}

/** What somebody does who comes, as it was at `atMs` of the monotonic clock or later. */
type Brought = HandedDoings & { readonly atMs: number };

/**
 * Where a person's search and call are (decision 034): at their home, which has the chat session, until they are found for
 * somebody whose search is at another process. Then they are that process's guest with all that they do, and go home when
 * the call is over. One process at a time acts for a person: the home lends them and hears nothing of the call until the
 * host gives them back, or is dead.
 */
export class Guests implements CallListener, AsyncDisposable {
  readonly #options: GuestsOptions;
  readonly #tasks: Tasks;
  readonly #asks: PeerRetries;
  readonly #checks: LoanChecks;
  readonly #events: Outboxes<{ loanId: number; event: CallEvent }>;
  readonly #lent = new Map<bigint, Lent>();
  readonly #guests: HostedGuests;
  /** Who has just come, until this process is their home and it is known where their call is. */
  readonly #arriving = new Map<bigint, Arrival>();
  readonly #awaited: AwaitedCalls;
  /** For whom nothing begins here any more, because another process is about to be their home. */
  readonly #leaving: Leavings;
  readonly #starts: ForeignStarts;
  /** A question that comes twice must not take the key of the call away from the first. */
  readonly #moves = new KeyedMutex<bigint>();
  /** Who is asked for at their home before, with their chat session. */
  readonly #coming = new Map<bigint, Promise<unknown>>();
  /** What those do who come with their chat session. */
  readonly #brought = new Map<bigint, Brought>();
  /** Of those whose socket is still to come: that it is another one hides nothing from what was seen of them. */
  readonly #seen = new Map<bigint, { readonly look: CarriedLook; readonly atMs: number }>();
  /** Whose chat session here is just being closed, because another process is their home by now. */
  readonly #moving = new Set<bigint>();
  /** Said last by those who are at home. */
  readonly #media = new Map<bigint, SearchMediaState>();
  readonly #parts: Disposable[];
  readonly #looking: Periodic;
  #listeners: readonly Partial<CallListener>[] = [];
  #searches: GuestSearches | null = null;
  #isLeaving = false;

  constructor(options: GuestsOptions) {
    const { peers, standstill, clock, logger } = options;
    this.#options = options;
    this.#tasks = new Tasks(options);
    this.#asks = new PeerRetries(options);
    this.#checks = new LoanChecks(options);
    this.#leaving = new Leavings({ clock, checks: this.#checks });
    this.#starts = new ForeignStarts(clock);
    this.#awaited = new AwaitedCalls(peers, this.#tasks);
    this.#guests = new HostedGuests({
      ...options,
      tasks: this.#tasks,
      asks: this.#asks,
      awaited: this.#awaited,
      leaving: this.#leaving,
      tell: (userId, event) => this.#tell(userId, event),
      searches: () => this.#searches,
    });
    this.#events = new Outboxes({
      clock,
      logger,
      name: "what a person does in a call",
      ageMaxMs: eventAgeMaxMs,
      nowhereMs,
      // Whoever is back does it here.
      ask: async (userId, events) =>
        this.#lent.has(userId)
          ? standstill.say(() => peers.ask("callEvents", callKey(userId), { from: peers.self, events }))
          : [],
    });
    this.#parts = this.#answer(peers);
    this.#looking = new Periodic({
      ...options,
      name: "whether the processes of guests live",
      pauseMs: () => lookEveryMs,
      work: () => this.#look(),
    });
  }

  /** Names who hears of the people here, and what searches for them. To be called once, before anybody comes. */
  attach(listeners: readonly Partial<CallListener>[], searches: GuestSearches): void {
    if (this.#searches) throw new Error("attached already");
    this.#listeners = listeners;
    this.#searches = searches;
  }

  /** This process is about to stop. */
  leave(): void {
    this.#isLeaving = true;
  }

  /** Whether what the person does is this process's business, and their page is there. */
  isHere(userId: bigint): boolean {
    const guest = this.#guests.get(userId);
    if (guest) return guest.isHere;
    const isElsewhere = this.isElsewhere(userId) || this.#leaving.has(userId);
    return this.#options.hub.isHere(userId) && !isElsewhere;
  }

  isGuest(userId: bigint): boolean {
    return this.#guests.has(userId);
  }

  /** Whom a person of here was found for at another process; null: nobody, or they are back. */
  hostedWith(userId: bigint): bigint | null {
    return this.#lent.get(userId)?.otherId ?? null;
  }

  /** Whether the call of a person of here is elsewhere, or may be: then `atHost` finds out. */
  isElsewhere(userId: bigint): boolean {
    return this.#lent.has(userId) || this.#arriving.has(userId);
  }

  /** Whether another process is about to be the person's home: nothing begins for them here. */
  isLeaving(userId: bigint): boolean {
    return this.#leaving.has(userId);
  }

  /** A search has begun here by a call that did not come over the person's chat session here: their next home hears of it. */
  startedFromAfar(call: MatchCall): void {
    this.#starts.add(call);
  }

  /** Resolves when it is known where the call of somebody who has just come was: only then this process becomes their home. */
  async located(userId: bigint): Promise<void> {
    await this.#arriving.get(userId)?.located;
  }

  /** This process has become the person's home: what others began for them before is known elsewhere by now. */
  ownedHere(userId: bigint): void {
    this.#arriving.get(userId)?.owned();
  }

  /** Resolves when somebody whose page is gone from a call here is awaited at any process; undefined where nobody is. */
  awaited(userId: bigint): Promise<unknown> | undefined {
    return this.#awaited.of(userId);
  }

  /** Another process has become the person's home; what it did not hear of is over. */
  movedAway(userId: bigint): void {
    this.#moving.add(userId);
  }

  arrived(userId: bigint): void {
    const brought = this.#brought.get(userId);
    if (brought?.call) return this.#goOn(userId, brought.call, brought);
    if (brought?.media) this.#media.set(userId, brought.media);
    if (brought?.look) this.#seen.set(userId, { look: brought.look, atMs: brought.atMs });
    if (this.#lent.has(userId)) return this.#happened(userId, { type: "arrived" });
    const { peers, clock } = this.#options;
    this.#arriving.get(userId)?.end();
    const arrival = new Arrival(userId, { peers, asks: this.#asks, clock });
    this.#arriving.set(userId, arrival);
    this.#tasks.add("nobody knows where a person's call is", () => this.#locate(userId, arrival, brought));
  }

  dropped(userId: bigint): void {
    this.#happened(userId, { type: "dropped" });
  }

  resumed(userId: bigint): void {
    this.#happened(userId, { type: "resumed" });
  }

  gone(userId: bigint, how: Departure): void {
    this.#media.delete(userId);
    this.#seen.delete(userId);
    this.ownedHere(userId);
    const isLeaving = this.#leaving.end(userId) !== undefined;
    const isMoving = this.#moving.delete(userId) || how === "moved";
    const start = this.#starts.take(userId);
    if (start && isMoving && how !== "moved" && this.#isSearching(userId)) this.#startAt(personKey(userId), start);
    if (isMoving) {
      // The next home says where they are and what they do, also where that is this process again.
      this.#arriving.get(userId)?.end();
      this.#arriving.delete(userId);
      this.#lent.delete(userId);
      this.#events.forget(userId);
    }
    // Of who is leaving it was told when that began.
    if (isLeaving && !this.isElsewhere(userId)) return;
    if (!isMoving) return this.#happened(userId, { type: "gone", how });
    if (!this.#guests.has(userId)) this.#tell(userId, { type: "gone", how: "closed" });
  }

  roomMessage(userId: bigint, message: RoomMessage): void {
    this.#happened(userId, { type: "roomMessage", message });
  }

  searchMedia(userId: bigint, state: SearchMediaState): void {
    this.#media.set(userId, state);
    this.#happened(userId, { type: "searchMedia", state });
  }

  /**
   * Gives somebody of here away to another home; from the turn on in which `take` gives away their chat session nothing is
   * heard of them here.
   *
   * @returns null where what is half done of theirs takes too long, or `take` answers so; they stay.
   */
  async release<Taken>(
    userId: bigint,
    home: ProcessId,
    take: () => Taken | null,
  ): Promise<{ taken: Taken; doings: HandedDoings } | null> {
    const { clock } = this.#options;
    const untilMs = clock.monotonicMs() + releaseMs;
    await this.#arriving.get(userId)?.settled;
    const media = this.#media.get(userId) ?? null;
    const giveAway = (doings: Partial<HandedDoings>) => {
      // Nothing is known of them any more once their chat session is given away.
      const known = doings.call ? null : this.#searches?.knownLook(userId);
      const look = known ? carriedLook(known, clock.monotonicMs()) : null;
      const taken = take();
      const all = { call: null, search: null, rematch: null, sinceMs: null, media, look, ...doings };
      return taken && { taken, doings: all };
    };
    for (;;) {
      // Another process is about to be their home, and asks for what it has to know.
      if (this.#leaving.has(userId)) return null;
      const released = this.#events.has(userId) ? null : await this.#release(userId, home, giveAway);
      if (released || this.#asks.isOver || clock.monotonicMs() >= untilMs) return released;
      await this.#asks.pause();
    }
  }

  /** What hosts say of somebody who is just being asked for waits until it is known how they come. */
  async coming<Out>(userId: bigint, fetch: () => Promise<Out>): Promise<Out> {
    const fetching = fetch();
    const settled = fetching.catch(() => undefined);
    this.#coming.set(userId, settled);
    try {
      return await fetching;
    } finally {
      if (this.#coming.get(userId) === settled) this.#coming.delete(userId);
    }
  }

  /** With what somebody comes who arrives in this turn, as it was at `atMs` of the monotonic clock or later. */
  bring(userId: bigint, doings: HandedDoings, atMs: number): Disposable {
    this.#brought.set(userId, { ...doings, atMs });
    return { [Symbol.dispose]: () => void this.#brought.delete(userId) };
  }

  /**
   * Has the newer one of a pair here as a guest, with their search.
   *
   * @returns false where they do not wait any more, or their home does not answer: nothing was taken then.
   */
  borrow(pair: FoundPair, take: TakeSearch): Promise<boolean> {
    return this.#guests.borrow(pair, take);
  }

  /**
   * The guest's pair or call is over: they go home at the end of this turn, with the search or the place that was said
   * last in it. Of somebody else nobody waits for the return any more.
   */
  sendHome(userId: bigint, luggage?: { search?: NewSearch; sinceMs?: number; isApart?: boolean }): void {
    this.#guests.sendHome(userId, luggage);
  }

  /**
   * Finds one of the two in a call with which this process goes on, and has them here. Whoever is nowhere, or has begun a
   * chat session since their process died, is awaited: their page asks for the call.
   */
  async adopt(userId: bigint, { roomId, otherId }: { roomId: string; otherId: bigint }): Promise<AdoptedPlace> {
    const { peers, hub, clock } = this.#options;
    const lent = this.#lent.get(userId);
    const isLentOtherwise = lent && !(await this.#checks.isOfDead(lent, { roomId, otherId, host: peers.self }));
    if (isLentOtherwise || this.#lent.get(userId) !== lent) return "elsewhere";
    if (lent) this.#takeBack(userId, {});
    // Whose page is about to be at another process is asked for there.
    if (hub.isHere(userId) && !this.#leaving.has(userId)) return lent ? "stays" : "awaited";
    // Before their home is asked: whoever becomes it meanwhile asks here.
    await this.#awaited.add(userId);
    const loan = { userId, searchId: clock.nowMs() };
    const words = { loan, roomId, otherId, host: peers.self };
    const found = await this.#asks.within(adoptMs, () => peers.ask("adoptGuest", personKey(userId), words));
    if (!found) return "awaited";
    if (found.place === "elsewhere") return "elsewhere";
    await this.#moves.run(userId, () => this.#receiveAdopted({ loan, home: found.home }, otherId));
    return found.place === "stays" ? "stays" : "awaited";
  }

  /** Unless they have come by themselves meanwhile, or the call is over: then their home hears so when it asks. */
  async #receiveAdopted(guest: Pick<Guest, "loan" | "home">, otherId: bigint): Promise<void> {
    const { userId } = guest.loan;
    const isStill = () =>
      this.#searches?.otherIn(userId) === otherId && !this.#guests.has(userId) && !this.#options.hub.isHere(userId);
    if (!isStill()) return;
    const ownership = await this.#options.peers.own(callKey(userId));
    if (!isStill()) return ownership[Symbol.dispose]();
    this.#awaited.noMore(userId);
    this.#guests.receive({ ...guest, ownership });
  }

  /** Of the home; asked again it answers the same. */
  async #lendToAdopter(asked: Asked["adoptGuest"]["in"]): Promise<Asked["adoptGuest"]["out"]> {
    const { peers, hub, clock } = this.#options;
    const { loan, roomId, otherId, host } = asked;
    const { userId } = loan;
    const home = peers.self;
    await this.#arriving.get(userId)?.settled;
    const lent = this.#lent.get(userId);
    // The same process may have them for another pair.
    const isAdopted = lent?.host === host && lent.otherId === otherId;
    const isLentOtherwise = lent && !isAdopted && !(await this.#checks.isOfDead(lent, asked));
    if (isLentOtherwise || this.#lent.get(userId) !== lent) return { home, place: "elsewhere" };
    if (isAdopted) return { home, place: lent.stays ? "stays" : "returns" };
    const isAtHome = hub.isHere(userId) && !this.#leaving.has(userId) && !this.#guests.has(userId);
    // Where they have come to the very process that goes on with the call it lends nobody to itself.
    if (host === home || (!lent && !isAtHome)) throw new NobodyThereError("the person is not at home here");
    const wasHost = this.#searches?.otherIn(userId) === otherId;
    // This process is taken for dead, and goes on for as long as it does not know so.
    if (wasHost) this.#searches?.takenOver(userId, roomId);
    if (!lent && this.#searches?.isBusy(userId)) return { home, place: "elsewhere" };
    const stays = lent !== undefined || wasHost;
    const known = { isKept: true, isConnected: lent?.isConnected ?? true, stays };
    // What was on its way to the dead process is not known to have come there.
    this.#events.forget(userId);
    if (!lent) this.#tell(userId, { type: "gone", how: "closed" });
    this.#lent.set(userId, { loan, host, otherId, search: null, sinceMs: clock.monotonicMs(), ...known });
    return { home, place: stays ? "stays" : "returns" };
  }

  /** What is asked of the host of a lent person; null where the person is at home by now. */
  async atHost<Out>(userId: bigint, ask: () => Promise<Out>): Promise<Out | null> {
    await this.#arriving.get(userId)?.settled;
    while (this.#lent.has(userId)) {
      try {
        return await ask();
      } catch (error) {
        // They are on their way home, or the host is dead, which is found out.
        if (!(error instanceof NobodyThereError) || this.#asks.isOver) throw error;
        await this.#asks.pause();
      }
    }
    return null;
  }

  /** Brings home whoever goes home just now; from here on nobody is lent. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const part of this.#parts) part[Symbol.dispose]();
    this.#asks[Symbol.dispose]();
    for (const arrival of this.#arriving.values()) arrival.owned();
    this.#awaited[Symbol.dispose]();
    await Promise.all([this.#looking, this.#events, this.#tasks].map((part) => part[Symbol.asyncDispose]()));
    this.#guests[Symbol.dispose]();
  }

  #answer(peers: Peers): Disposable[] {
    const personOf = (key: PeerKey) => BigInt(key.slice(key.indexOf(":") + 1));
    return [
      peers.serve("lend", async ({ search, otherId, host }) => this.#lend(search, otherId, host)),
      peers.serve("keepGuests", async ({ loans, host }) => loans.map((loan) => this.#keep(loan, host))),
      peers.serve("hasPages", async ({ userIds }) => userIds.map((userId) => this.#options.hub.isHere(userId))),
      peers.serve("hasGuests", async ({ loans }) => loans.map((loan) => this.#guests.knows(loan))),
      peers.serve("takeBack", async ({ loan, host, search, rematch, sinceMs, look, isApart, isMoved }) => {
        // Asked as late as it may be, it is so old.
        const lookMs = this.#options.clock.monotonicMs() - peerAnswerMs;
        await this.#coming.get(loan.userId);
        // A host of the version before tells of another home; that one is found out here.
        if (!this.#isLentTo(loan, host) || isMoved) return null;
        this.#takeBack(loan.userId, { search: (rematch ?? search) as NewSearch | null, sinceMs, isApart });
        if (look) this.#searches?.bringLook(loan.userId, look, lookMs);
        return null;
      }),
      peers.serve("adoptGuest", async (asked) => this.#lendToAdopter(asked)),
      peers.serve("whereIsCall", async ({ home }, key) => this.#whereIsCall(personOf(key), home)),
      peers.serve("moveHome", async ({ loan, home }) => this.#moves.run(loan.userId, () => this.#moveHome(loan, home))),
      peers.serve("nextHome", async ({ loan, home }) => this.#guests.nextHome(loan, home)),
      peers.serve("callEvents", async ({ from, events }, key) =>
        events.map(({ number, message }) => this.#guests.hear(personOf(key), { from, number, ...message })),
      ),
    ];
  }

  #happened(userId: bigint, event: CallEvent): void {
    const arriving = this.#arriving.get(userId);
    if (arriving) return void arriving.events.push(event);
    if (this.#leaving.has(userId) && !this.#lent.has(userId)) return;
    // Their page is at another process by now, which tells what they do.
    if (this.#guests.has(userId)) return;
    const lent = this.#lent.get(userId);
    if (!lent && !this.#events.has(userId)) return this.#happenedHere(userId, event);
    if (lent && event.type !== "roomMessage" && event.type !== "searchMedia")
      lent.isConnected = event.type === "arrived" || event.type === "resumed";
    this.#events.add(userId, { loanId: lent?.loan.searchId ?? 0, event }, (isTaken) => {
      const isAtHome = this.#options.hub.isHere(userId) && !this.isElsewhere(userId) && !this.#leaving.has(userId);
      if (!isTaken && isAtHome) this.#happenedHere(userId, event);
    });
  }

  #happenedHere(userId: bigint, event: CallEvent): void {
    this.#tell(userId, event);
    if (event.type === "arrived") this.#awaited.noMore(userId);
    if (event.type === "resumed") this.#bringLook(userId);
    // Another page of theirs may come back to the call, wherever it opens its chat session.
    // Not where others may go on with the call: there this would take its key from them.
    const mayHaveCall = this.#searches?.otherIn(userId) != null && !this.#options.standstill.isInDoubt;
    if (event.type === "gone" && mayHaveCall) void this.#awaited.add(userId);
  }

  #tell(userId: bigint, event: CallEvent): void {
    for (const listener of this.#listeners) tellCallEvent(listener, userId, event);
  }

  async #locate(userId: bigint, arrival: Arrival, brought?: Brought): Promise<void> {
    using _settled = arrival;
    const found = await arrival.find();
    if (this.#arriving.get(userId) !== arrival) return;
    this.#arriving.delete(userId);
    this.#leaving.end(userId);
    if (found) this.#lent.set(userId, { ...found, search: null, sinceMs: 0, isKept: true, isConnected: true });
    else {
      this.#becomeHome(userId);
      this.#happenedHere(userId, { type: "arrived" });
      if (brought) this.#goOnHere(userId, brought);
    }
    for (const event of arrival.events) this.#happened(userId, event);
  }

  #bringLook(userId: bigint): void {
    const seen = this.#seen.get(userId);
    this.#seen.delete(userId);
    if (seen) this.#searches?.bringLook(userId, seen.look, seen.atMs);
  }

  #whereIsCall(userId: bigint, asking: ProcessId): ProcessId | null {
    const { self } = this.#options.peers;
    const lent = this.#lent.get(userId);
    if (!lent && (this.#guests.has(userId) || this.#searches?.otherIn(userId) != null)) return self;
    if (asking !== self) this.#leave(userId, asking);
    return lent?.host ?? null;
  }

  /** Another process is about to be the person's home: nothing begins for them here any more. */
  #leave(userId: bigint, nextHome: ProcessId): void {
    const wasHere = !this.#guests.has(userId) && this.isHere(userId);
    const start = wasHere && this.#isSearching(userId) ? this.#starts.take(userId) : null;
    const doings = wasHere ? (this.#searches?.pack(userId) ?? null) : null;
    this.#leaving.begin(userId, nextHome, doings);
    if (!wasHere) return;
    this.#tell(userId, { type: "gone", how: "closed" });
    if (start) this.#startAt(processKey(nextHome), start);
  }

  /** The other process did not become the person's home. */
  #stay(userId: bigint): void {
    const doings = this.#leaving.end(userId)?.doings;
    if (!this.isHere(userId) || this.#guests.has(userId)) return;
    this.#tell(userId, { type: "arrived" });
    if (doings) this.#goOnHere(userId, doings);
  }

  #isSearching(userId: bigint): boolean {
    return this.#searches?.otherIn(userId) === null && this.#searches.isBusy(userId);
  }

  /** Says a start again to the next home, which answers once it is that; a page that has gone by then wants nothing. */
  #startAt(nextHome: PeerKey, start: MatchCall): void {
    const { peers } = this.#options;
    this.#tasks.add("a start was not said to the next home", async () => {
      await this.#asks.within(locateMs, () => peers.ask("homeCall", nextHome, start));
    });
  }

  /** Of the host: whoever is in a call here has another home, with another page. */
  async #moveHome(loan: SearchRef, home: ProcessId): Promise<{ otherId: bigint } | null> {
    const { userId } = loan;
    const otherId = this.#searches?.otherIn(userId) ?? null;
    if (otherId === null) {
      this.#leave(userId, home);
      return null;
    }
    const before = this.#guests.get(userId);
    // What an earlier page of theirs asked there, and is late.
    if (before?.home === home && before.loan.searchId > loan.searchId) return null;
    if (before?.loan.searchId === loan.searchId) return { otherId };
    const ownership = await this.#options.peers.own(callKey(userId));
    if (this.#searches?.otherIn(userId) !== otherId || this.#guests.get(userId) !== before) {
      ownership[Symbol.dispose]();
      return null;
    }
    this.#awaited.noMore(userId);
    // The home before hears of the next where it loses the person, and claims the call anew where it does not.
    before?.ownership[Symbol.dispose]();
    this.#tell(userId, { type: "gone", how: "replaced" });
    this.#guests.receive({ loan, home, ownership });
    return { otherId };
  }

  /** One try; null where something of theirs is half done. */
  async #release<Released>(
    userId: bigint,
    home: ProcessId,
    giveAway: (doings: Partial<HandedDoings>) => Released | null,
  ): Promise<Released | null> {
    const { peers } = this.#options;
    const lent = this.#lent.get(userId);
    if (lent) {
      const { host, loan, otherId } = lent;
      if (!lent.isKept) return null;
      const told = await this.#asks.within(releaseMs, () => peers.ask("nextHome", processKey(host), { loan, home }));
      if (!told || this.#lent.get(userId) !== lent || this.#events.has(userId)) return null;
      return giveAway({ call: { host, loan, otherId } });
    }
    const otherId = this.#searches?.otherIn(userId) ?? null;
    if (otherId === null) return giveAway(this.#searches?.pack(userId) ?? {});
    return this.#moves.run(userId, () => this.#releaseFromCall(userId, home, { otherId, giveAway }));
  }

  /** Their call stays here, and they are its guest from now on; null where they are somebody's already. */
  async #releaseFromCall<Released>(
    userId: bigint,
    home: ProcessId,
    { otherId, giveAway }: { otherId: bigint; giveAway: (doings: Partial<HandedDoings>) => Released | null },
  ): Promise<Released | null> {
    const { peers, clock } = this.#options;
    const isAtHome = () =>
      this.#searches?.otherIn(userId) === otherId && !this.#guests.has(userId) && !this.#lent.has(userId);
    // The key of the call would be taken away from whoever they are the guest of.
    if (!isAtHome()) return null;
    const ownership = await peers.own(callKey(userId));
    const isSame = isAtHome();
    const loan = { userId, searchId: clock.nowMs() };
    // Before their chat session is, so that nothing here takes them for gone.
    if (isSame) this.#guests.add({ loan, home, ownership });
    const released = isSame ? giveAway({ call: { host: peers.self, loan, otherId } }) : null;
    if (released) return released;
    if (isSame) this.#guests.end(userId);
    else ownership[Symbol.dispose]();
    return null;
  }

  /** Of the next home: what they do goes on as if nothing had been. */
  #goOn(userId: bigint, call: NonNullable<HandedDoings["call"]>, { media }: HandedDoings): void {
    this.#leaving.end(userId);
    if (media) this.#media.set(userId, media);
    if (this.#guests.get(userId)?.loan.searchId !== call.loan.searchId)
      return void this.#lent.set(userId, { ...call, search: null, sinceMs: 0, isKept: true, isConnected: true });
    // Their call is here already.
    this.#guests.end(userId);
  }

  /** A guest whose page is here from now on is none any more. */
  #becomeHome(userId: bigint): void {
    if (!this.#guests.has(userId)) return;
    this.#guests.end(userId);
    this.#tell(userId, { type: "gone", how: "replaced" });
  }

  /** Of the home: they are the host's from here on. Asked again it answers the same. */
  #lend(ref: SearchRef, otherId: bigint, host: ProcessId): Loan | null {
    const { userId } = ref;
    const media = this.#media.get(userId) ?? null;
    const lent = this.#lent.get(userId);
    const isSame = lent?.otherId === otherId && this.#isLentTo(ref, host) && !lent.isKept;
    if (lent) return isSame ? { search: lent.search, media } : null;
    if (this.#events.has(userId) || !this.isHere(userId)) return null;
    const search = this.#searches?.lend(ref, otherId) ?? null;
    if (!search) return null;
    const sinceMs = this.#options.clock.monotonicMs();
    this.#lent.set(userId, { loan: ref, host, otherId, search, sinceMs, isKept: false, isConnected: true });
    this.#tell(userId, { type: "gone", how: "closed" });
    return { search, media };
  }

  #isLentTo({ userId, searchId }: SearchRef, host: ProcessId): boolean {
    const lent = this.#lent.get(userId);
    return lent?.host === host && lent.loan.searchId === searchId;
  }

  #keep(loan: SearchRef, host: ProcessId): boolean {
    // Their page is just coming here, and the host of their call may have heard so before this process knows of it.
    if (this.#coming.has(loan.userId) || this.#arriving.has(loan.userId)) return true;
    const lent = this.#lent.get(loan.userId);
    if (!lent || !this.#isLentTo(loan, host)) return false;
    lent.isKept = true;
    return true;
  }

  #takeBack(userId: bigint, { search = null, sinceMs = null, isApart = false }: Luggage): void {
    const lent = this.#lent.get(userId);
    this.#lent.delete(userId);
    if (lent && isApart) this.#searches?.separate(userId, lent.otherId);
    if (!lent || !this.isHere(userId)) return;
    this.#tell(userId, { type: "arrived" });
    this.#goOnHere(userId, { search, sinceMs, rematch: null });
    if (!lent.isConnected) this.#tell(userId, { type: "dropped" });
  }

  #goOnHere(userId: bigint, { search, sinceMs, rematch }: Pick<HandedDoings, "search" | "sinceMs" | "rematch">): void {
    const searches = this.#searches;
    if (!searches) return;
    const media = this.#media.get(userId);
    if (media) this.#tell(userId, { type: "searchMedia", state: media });
    if (sinceMs !== null) searches.keepPlace(userId, sinceMs);
    const failed = "a search did not go on at home";
    if (search) this.#tasks.add(failed, () => searches.continueSearch(search as NewSearch));
    if (rematch) this.#tasks.add(failed, () => searches.continueRematch(rematch));
  }

  /** Takes back whom no host has; and calls of guests whose home has not lent them wait for them. */
  async #look(): Promise<void> {
    const nowMs = this.#options.clock.monotonicMs();
    for (const userId of await this.#leaving.over()) this.#stay(userId);
    for (const { loan, isKept, sinceMs, search } of this.#lent.values())
      if (!isKept && nowMs - sinceMs >= unkeptMs) this.#takeBack(loan.userId, { search });
    const isLent = (lent: Lent) => this.#lent.get(lent.loan.userId) === lent;
    const kept = [...this.#lent.values()].filter(({ isKept }) => isKept);
    for (const lent of await this.#checks.over(kept, isLent)) if (isLent(lent)) this.#takeBack(lent.loan.userId, {});
    // While this server stops, a guest's next home may take the call before this server learns of it.
    const unlent = this.#isLeaving ? [] : await this.#checks.unlent(this.#guests.all());
    for (const guest of unlent) this.#guests.missing(guest);
    this.#guests.claimAgain();
  }
}
