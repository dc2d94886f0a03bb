import type { PeerRetries } from "#lib/peer-retries.ts";
import type { Tasks } from "#lib/tasks.ts";
import { TakenNumbers } from "#lib/outboxes.ts";
import type { Clock } from "#ports/clock.ts";
import type { FoundPair, SearchRef } from "#ports/match-pool.ts";
import { type CallEvent, callKey, NobodyThereError, type Peers, processKey } from "#ports/peers.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import type { AwaitedCalls, Leavings } from "./arrival.ts";
import type { GuestSearches } from "./guest-searches.ts";
import type { Guest, Heard, LoanCheckOptions, Luggage } from "./loans.ts";
import type { NewSearch } from "./match-eligibility.ts";
import { carriedLook } from "./search-inspection.ts";

/** How long the process of whoever waited longer tries to have the newer one of a pair. */
const borrowMs = 1_500;

interface HostedGuestsOptions extends Pick<LoanCheckOptions, "standstill"> {
  peers: Peers;
  /** Whose chat sessions this process has. */
  hub: { isHere(userId: bigint): boolean };
  clock: Pick<Clock, "monotonicMs">;
  tasks: Tasks;
  asks: PeerRetries;
  awaited: Pick<AwaitedCalls, "noMore">;
  leaving: Pick<Leavings, "isToOther">;
  /** Has the people here do what a guest does. */
  readonly tell: (userId: bigint, event: CallEvent) => void;
  /** Null before anybody comes. */
  searches(): GuestSearches | null;
}

type TwoSearches = Pick<FoundPair, "newer" | "longer">;

/** Goes on with the search of a guest, in the turn in which they become one. */
export type TakeSearch = (search: NewSearch) => void;

/** The guests of this process, their host: people whose home is another one, and whose search or call is here (decision 034). */
export class HostedGuests implements Disposable {
  readonly #options: HostedGuestsOptions;
  readonly #taken = new TakenNumbers();
  readonly #guests = new Map<bigint, Guest>();
  /** Whom this process is trying to have. */
  readonly #borrowing = new Set<bigint>();
  /** Who is on the way home. */
  readonly #returning = new Set<bigint>();
  /** Whose key this process is asking for again. */
  readonly #claiming = new Set<bigint>();

  constructor(options: HostedGuestsOptions) {
    this.#options = options;
  }

  get(userId: bigint): Guest | undefined {
    return this.#guests.get(userId);
  }

  has(userId: bigint): boolean {
    return this.#guests.has(userId);
  }

  all(): readonly Guest[] {
    return [...this.#guests.values()];
  }

  /** Whether somebody is a guest by this loan, or may be one, or is on the way home. */
  knows({ userId, searchId }: SearchRef): boolean {
    return (
      this.#guests.get(userId)?.loan.searchId === searchId || this.#borrowing.has(userId) || this.#returning.has(userId)
    );
  }

  /** Somebody of whom the people here know already. */
  add(guest: Pick<Guest, "loan" | "home" | "ownership">): void {
    this.#guests.set(guest.loan.userId, { ...guest, isHere: true, luggage: null });
  }

  receive(guest: Pick<Guest, "loan" | "home" | "ownership">): void {
    this.add(guest);
    this.#options.tell(guest.loan.userId, { type: "arrived" });
  }

  /** They are no guest any more: their home is here. */
  end(userId: bigint): void {
    this.#forget(userId)?.ownership[Symbol.dispose]();
  }

  /** As `Guests.borrow`. */
  async borrow({ longer, newer, newerAt }: FoundPair, take: TakeSearch): Promise<boolean> {
    if (newerAt === null) throw new Error("the newer one is here");
    // A matcher that has just begun may find somebody twice.
    if (this.#borrowing.has(newer.userId) || this.#guests.has(newer.userId)) return false;
    this.#borrowing.add(newer.userId);
    try {
      return await this.#borrowFrom(newerAt, { newer, longer }, take);
    } finally {
      this.#borrowing.delete(newer.userId);
    }
  }

  async #borrowFrom(newerAt: ProcessId, { newer, longer }: TwoSearches, take: TakeSearch): Promise<boolean> {
    const { peers, hub, tasks, asks, leaving, tell } = this.#options;
    const home = processKey(newerAt);
    const words = { search: newer, otherId: longer.userId, host: peers.self };
    const loan = await asks.within(borrowMs, () => peers.ask("lend", home, words));
    if (!loan) return false;
    const ownership = await peers.own(callKey(newer.userId));
    const loans = { loans: [newer], host: peers.self };
    const kept = await asks.within(borrowMs, () => peers.ask("keepGuests", home, loans));
    const search = loan.search as NewSearch;
    const searches = this.#options.searches();
    // Their page may have come here, or be going from here to another process than the one that lends them.
    const isOwn = hub.isHere(newer.userId) || leaving.isToOther(newer.userId, newerAt);
    if (!kept?.[0] || !searches || isOwn) {
      // It may have heard, and keep them for this process.
      tasks.add("a loan could not be given back", () =>
        this.#giveBack({ loan: newer, home: newerAt, ownership }, { search }),
      );
      return false;
    }
    // A call of theirs that is kept here, and that their home did not hear of: nobody goes home from it.
    this.end(newer.userId);
    tell(newer.userId, { type: "gone", how: "closed" });
    this.receive({ loan: newer, home: newerAt, ownership });
    if (loan.media) tell(newer.userId, { type: "searchMedia", state: loan.media });
    // Nothing is waited for in between: whatever they do as a guest is about this search (rule MATCH-122).
    take(search);
    return true;
  }

  /** As `Guests.sendHome`. */
  sendHome(userId: bigint, luggage: Luggage = {}): void {
    this.#options.awaited.noMore(userId);
    const guest = this.#guests.get(userId);
    if (!guest) return;
    const isFirst = guest.luggage === null;
    guest.luggage = { search: null, sinceMs: null, ...guest.luggage, ...luggage };
    if (isFirst) this.#options.tasks.add("a guest could not go home", () => this.#bringHome(userId));
  }

  /** Who is on the way to the home before is awaited at this one. */
  nextHome(loan: SearchRef, home: ProcessId): boolean {
    const guest = this.#guests.get(loan.userId);
    if (guest?.loan.searchId !== loan.searchId || guest.luggage) return false;
    guest.home = home;
    return true;
  }

  /** @returns whether the loan is still the one of which it was said. */
  hear(userId: bigint, { from, number, loanId, event }: Heard): boolean {
    const guest = this.#guests.get(userId);
    if (!guest) throw new NobodyThereError("the person is no guest here");
    if (guest.loan.searchId !== loanId) return false;
    if (!this.#taken.take(userId, from, number)) return true;
    if (event.type === "arrived") guest.isHere = true;
    if (event.type === "gone") guest.isHere = false;
    this.#options.tell(userId, event);
    if (event.type === "gone") this.#sendHomeUnlessInCall(userId);
    return true;
  }

  /** Their home does not know of the loan: they may be on their way to another one. */
  missing(guest: Guest): void {
    const { userId } = guest.loan;
    if (this.#guests.get(userId) !== guest || !guest.isHere) return;
    guest.isHere = false;
    this.#options.tell(userId, { type: "gone", how: "home_lost" });
    this.#sendHomeUnlessInCall(userId);
  }

  /**
   * Asks again for the keys of those whose home has lent them here, where another process has taken them: one that goes on
   * with an older call of theirs does, and lets go of it as soon as it hears that they are elsewhere.
   */
  claimAgain(): void {
    for (const guest of this.#guests.values()) {
      const { userId } = guest.loan;
      if (!guest.ownership.lost.aborted || this.#claiming.has(userId)) continue;
      this.#claiming.add(userId);
      this.#options.tasks.add("a guest cannot be reached", () =>
        this.#claim(guest).finally(() => this.#claiming.delete(userId)),
      );
    }
  }

  /** Lets go of everybody's key. */
  [Symbol.dispose](): void {
    for (const { ownership } of this.#guests.values()) ownership[Symbol.dispose]();
  }

  async #claim(guest: Guest): Promise<void> {
    const { peers, standstill } = this.#options;
    const { loan, home } = guest;
    const words = { loans: [loan], host: peers.self };
    // A home that does not answer is asked at the next look.
    const kept = await peers.ask("keepGuests", processKey(home), words).catch(() => null);
    // Others may go on with what is here: this would take it from them.
    if (!kept?.[0] || standstill.isInDoubt || this.#guests.get(loan.userId) !== guest) return;
    const ownership = await peers.own(callKey(loan.userId));
    if (this.#guests.get(loan.userId) === guest) guest.ownership = ownership;
    else ownership[Symbol.dispose]();
  }

  #sendHomeUnlessInCall(userId: bigint): void {
    if (this.#options.searches()?.otherIn(userId) == null) this.sendHome(userId);
  }

  #forget(userId: bigint): Guest | undefined {
    const guest = this.#guests.get(userId);
    this.#guests.delete(userId);
    this.#taken.forget(userId);
    return guest;
  }

  async #bringHome(userId: bigint): Promise<void> {
    // With what the turn in which it was asked for says of them.
    await Promise.resolve();
    const guest = this.#forget(userId);
    if (!guest) return;
    const look = this.#options.searches()?.knownLook(userId) ?? null;
    this.#options.tell(userId, { type: "gone", how: "closed" });
    await this.#giveBack(guest, { ...guest.luggage, look });
  }

  async #giveBack(
    { loan, home, ownership }: Pick<Guest, "loan" | "home" | "ownership">,
    { search = null, sinceMs = null, look = null, isApart = false }: Luggage,
  ): Promise<void> {
    const { peers, standstill, clock, asks } = this.#options;
    const doing = search?.withUserId === undefined ? { search } : { search: null, rematch: search };
    const rest = { loan, host: peers.self, ...doing, sinceMs, isApart, isMoved: false };
    const all = () => ({ ...rest, look: look && carriedLook(look, clock.monotonicMs()) });
    ownership[Symbol.dispose]();
    this.#returning.add(loan.userId);
    try {
      await asks.whileAlive(home, () => standstill.say(() => peers.ask("takeBack", processKey(home), all())));
    } finally {
      this.#returning.delete(loan.userId);
    }
  }
}
