import { useEffect, useState } from "react";
import { createStore, useStore } from "zustand";
import type { Endpoint, InputOf } from "@fava/wire/endpoint.ts";
import { undoMs } from "@fava/wire/limits.ts";
import { type PreparedRequest, prepareRequest } from "#lib/api/prepared-request.ts";
import { request } from "#lib/api/request.ts";
import { connection, isReachable } from "#lib/socket/connection.ts";
import { showDeskFailure } from "./desk-format.ts";
import { refreshDeskInfo } from "./desk-info.ts";

/** A request to the server that is sent now, or signed ahead for the moment when the page closes. */
export interface DeskRequest {
  readonly send: (options: { keepalive: boolean }) => Promise<unknown>;
  readonly prepare: () => Promise<PreparedRequest>;
}

export function requestOf<E extends Endpoint>(endpoint: E, input: InputOf<E>): DeskRequest {
  return { send: (options) => request(endpoint, input, options), prepare: () => prepareRequest(endpoint, input) };
}

/** A decision on a case, an appeal, or several images. */
export interface Decision {
  /** The ids of its items; each is decided once. */
  readonly ids: readonly string[];
  /** Sent one after the other, because the server counts them. */
  readonly requests: readonly DeskRequest[];
  /** The toast: what was done and to whom, and what follows. */
  readonly text: string;
  readonly hint?: string;
}

export interface DecisionsState<D extends Decision> {
  /** All decisions of this page, sent or not, so that an older response does not bring an item back. */
  readonly decided: ReadonlyMap<string, D>;
  /** The decision that can still be undone. */
  readonly pending: D | null;
  /** The pending decision can no longer be undone, and waits for the network. */
  readonly isHeld: boolean;
}

interface DecisionPorts {
  readonly isReachable: () => boolean;
  readonly onSent: () => void;
}

/** The server rejected the decision, which is thereby withdrawn. */
type HearRefusal<D> = (decision: D, error: unknown) => void;

/**
 * The decisions of one visit. Each applies at once and is sent when its time to undo is over, when the next one is
 * made, or when the moderator leaves the tab or the page.
 */
export class UndoableDecisions<D extends Decision> {
  readonly store = createStore<DecisionsState<D>>(() => ({ decided: new Map(), pending: null, isHeld: false }));
  readonly #ports: DecisionPorts;
  #refused: HearRefusal<D> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The requests of the pending decision, signed ahead. */
  #prepared: readonly PreparedRequest[] | null = null;

  constructor(ports: DecisionPorts) {
    this.#ports = ports;
  }

  /** Sets the listener for rejected decisions. */
  hearRefusals(listener: HearRefusal<D>): void {
    this.#refused = listener;
  }

  /** Makes a decision, unless some of its items are decided already; returns whether it did. */
  take(decision: D): boolean {
    const { decided, pending } = this.store.getState();
    if (decision.ids.some((id) => decided.has(id))) return false;
    if (pending) this.#send(pending);
    const all = new Map(decided);
    for (const id of decision.ids) all.set(id, decision);
    this.store.setState({ decided: all, pending: decision, isHeld: false });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), undoMs);
    this.#prepared = null;
    void this.#prepare(decision);
    return true;
  }

  /** Withdraws the pending decision and returns it; nothing of it is sent. */
  undo(): D | null {
    const pending = this.#takePending();
    if (pending) this.#forget(pending);
    return pending;
  }

  /** Sends the pending decision; without a network it waits for one. */
  flush(): void {
    if (!this.store.getState().pending) return;
    if (!this.#ports.isReachable()) return this.store.setState({ isHeld: true });
    const pending = this.#takePending();
    if (pending) this.#send(pending);
  }

  /** Sends the waiting decision once the server can be reached again. */
  noteReach(): void {
    if (this.store.getState().isHeld && this.#ports.isReachable()) this.flush();
  }

  /** The page closes: sends the pending decision in this turn, by keepalive requests whose responses are not read. */
  leave(): void {
    const prepared = this.#prepared;
    const pending = this.#takePending();
    if (!pending) return;
    if (!prepared) return this.#send(pending, { keepalive: true });
    Promise.all(prepared.map((send) => send())).then(this.#ports.onSent, (error: unknown) =>
      console.info("sending while leaving failed", error),
    );
  }

  #takePending(): D | null {
    const { pending } = this.store.getState();
    clearTimeout(this.#timer);
    this.#prepared = null;
    this.store.setState({ pending: null, isHeld: false });
    return pending;
  }

  #send(decision: D, options = { keepalive: false }): void {
    const sendAll = async () => {
      for (const { send } of decision.requests) await send(options);
    };
    sendAll().then(this.#ports.onSent, (error: unknown) => {
      this.#forget(decision);
      this.#refused?.(decision, error);
    });
  }

  #forget({ ids }: D): void {
    const decided = new Map(this.store.getState().decided);
    for (const id of ids) decided.delete(id);
    this.store.setState({ decided });
  }

  async #prepare(decision: D): Promise<void> {
    try {
      const prepared = await Promise.all(decision.requests.map(({ prepare }) => prepare()));
      if (this.store.getState().pending === decision) this.#prepared = prepared;
    } catch (error) {
      console.info("signing ahead failed", error);
    }
  }
}

/**
 * The decisions of one visit to a tab. Leaving the tab sends the pending one, if necessary once there is a network;
 * rejections are still reported.
 */
export function useDecisions<D extends Decision>(
  onRefused: (decision: D) => void,
): DecisionsState<D> & { readonly decisions: UndoableDecisions<D> } {
  const [decisions] = useState(() => new UndoableDecisions<D>({ isReachable, onSent: refreshDeskInfo }));
  useEffect(() =>
    decisions.hearRefusals((decision, error) => {
      onRefused(decision);
      showDeskFailure(error);
    }),
  );
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    window.addEventListener("pagehide", () => decisions.leave(), { signal });
    signal.addEventListener(
      "abort",
      connection.subscribe(() => decisions.noteReach()),
    );
    return () => {
      decisions.flush();
      if (!decisions.store.getState().pending) return listening.abort();
      // The decision waits for the network, so rejections are still reported after the moderator has left the tab.
      signal.addEventListener(
        "abort",
        decisions.store.subscribe(({ pending }) => !pending && listening.abort()),
      );
    };
  }, [decisions]);
  return { decisions, ...useStore(decisions.store) };
}
