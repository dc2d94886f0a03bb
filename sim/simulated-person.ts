import type { MatchWorld } from "@fava/server/test/fixtures/match-world.ts";
import type { MatchFilters } from "@fava/wire/beans.ts";
import type { MatchedPush } from "@fava/wire/pushes.ts";

/** What a person's browser believes; the simulation compares it with the server's state. */
export type Belief =
  | { readonly kind: "away" }
  | { readonly kind: "idle" }
  | { readonly kind: "searching" }
  | { readonly kind: "in-room"; readonly match: MatchedPush; readonly joined: boolean; readonly playing: boolean };

/**
 * One browser that follows the protocol: receives pushes, searches again by itself, and presses what the simulation
 * tells it to.
 */
export class SimulatedPerson {
  readonly userId: bigint;
  belief: Belief = { kind: "away" };
  /** The filters of the newest accepted start. */
  filters: MatchFilters = { sex: 0, country: 0 };
  /** The person stopped and has not started again, so a match push that crosses the stop does not count. */
  #hasStopped = false;
  /** The room that this person's page returns to. */
  #returnsTo: string | null = null;
  readonly #world: MatchWorld;

  constructor(userId: bigint, world: MatchWorld) {
    this.userId = userId;
    this.#world = world;
  }

  get isConnected(): boolean {
    return this.#world.bus.isLive(this.userId);
  }

  /** Returns to the call of the previous page, or reports that it is over. */
  openPage({ returns } = { returns: true }): void {
    const { bus, calls, matches } = this.#world;
    bus.arrive(this.userId);
    this.belief = { kind: "idle" };
    this.#hasStopped = false;
    this.#returnsTo = null;
    const { match, return_ms } = matches.info(this.userId);
    if (!match || return_ms === null) return;
    if (!returns) return this.stop();
    this.#returnsTo = match.roomId;
    calls.join(this.userId, match.roomId);
  }

  closePage(): void {
    this.#world.bus.close(this.userId, 1001);
    this.belief = { kind: "away" };
  }

  loseSocket(): void {
    this.#world.bus.close(this.userId, 1006);
  }

  /** Reconnects the socket, or opens a new page if the session is gone. */
  reconnect(): void {
    if (this.#world.bus.isHere(this.userId)) this.#world.bus.resume(this.userId);
    else this.openPage();
  }

  /**
   * After the partner has left: an automatic start, so a refusal ends the search. The server may still search because
   * of a match that did not come about, so the browser sends a stop.
   */
  async searchAgain(): Promise<void> {
    this.belief = { kind: "idle" };
    await this.start(this.filters);
    if (this.belief.kind === "idle") this.stop();
  }

  /** Start, or next. A refusal changes nothing, as the server promises. */
  async start(filters: MatchFilters): Promise<void> {
    this.#hasStopped = false;
    this.#returnsTo = null;
    const request = { userId: this.userId, language: "en", filters, offer: null };
    const answer = await this.#world.matches.start(request).catch((error: unknown) => {
      if (error instanceof Error && error.name === "EndpointError") return null;
      throw error;
    });
    if (!answer) return;
    // The server treats a start that crossed with its match as automatic, not as next.
    if (answer.state === "not_searching") return;
    this.filters = filters;
    this.belief = { kind: answer.state === "searching" ? "searching" : "idle" };
  }

  stop(): void {
    this.#hasStopped = true;
    this.#returnsTo = null;
    this.#world.matches.stop(this.userId);
    if (this.belief.kind !== "away") this.belief = { kind: "idle" };
  }

  join(): void {
    if (this.belief.kind !== "in-room") return;
    this.#world.calls.join(this.userId, this.belief.match.roomId);
    this.belief = { ...this.belief, joined: true };
  }

  play(): void {
    if (this.belief.kind !== "in-room") return;
    const { roomId, token } = this.belief.match;
    this.#world.matches.roomMessage(this.userId, { type: "media", roomId, roomToken: token, state: "playing" });
    this.belief = { ...this.belief, joined: true, playing: true };
  }

  /** Handles the server's messages; returns true if the person now searches again by itself. */
  hear(): boolean {
    let searchesAgain = false;
    for (const got of this.#world.bus.take(this.userId)) {
      if (!("code" in got) || !("roomId" in got)) continue;
      if (got.code === 100_001 && !this.#takes(got)) continue;
      if (got.code === 100_001) {
        this.belief = { kind: "in-room", match: got, joined: false, playing: false };
        searchesAgain = false;
      } else if (got.code === 100_002 && this.belief.kind === "in-room" && this.belief.match.roomId === got.roomId) {
        this.belief = { kind: "idle" };
        searchesAgain = true;
      } else if (got.code === 100_006 && got.type === 2 && this.belief.kind === "searching") {
        // The push may be about a search that was replaced at that moment, so the browser sends a stop.
        this.stop();
      }
    }
    return searchesAgain;
  }

  /** A repeated match push counts only for a person who is in the room or returns to it. */
  #takes({ roomId, returned }: MatchedPush): boolean {
    if (this.#hasStopped) return false;
    if (!returned) return true;
    return roomId === this.#returnsTo || (this.belief.kind === "in-room" && this.belief.match.roomId === roomId);
  }
}
