import { MachineRunner, type Untimed } from "#lib/machine.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { FrameClassifier } from "#ports/frame-classifier.ts";
import type { Peers } from "#ports/peers.ts";
import { type Random, randomId } from "#ports/random.ts";
import { evidenceOf, type InspectedRoom, type InspectedSide, otherSideOf, type Ticket } from "./inspected-room.ts";
import { inspectionDueMs, stepInspection } from "./inspection-machine.ts";
import type { InspectionSettings } from "./inspection-settings.ts";
import {
  type InspectedRestrictions,
  type InspectionEffect,
  type InspectionEvent,
  shownKindOf,
  shownToOther,
  toldToOwner,
  type View,
} from "./inspection-state.ts";
import type { ModerationNotifier } from "./moderation-notifier.ts";
import type { CallService } from "./room-service.ts";

export interface InspectionRunnerOptions {
  bus: Pick<Bus, "pass" | "isHere">;
  /** The other processes of the site; left out where there are none. */
  peers?: Pick<Peers, "isAway">;
  calls: Pick<CallService, "cut" | "setShown">;
  /** Null: switched off on purpose. */
  classifier: FrameClassifier | null;
  settings: InspectionSettings;
  clock: Clock;
  random: Random;
}

/** Carries out what `stepInspection` decides about the pictures of a room, and keeps their time. */
export class InspectionRunner {
  readonly #options: InspectionRunnerOptions;
  readonly #notifier: ModerationNotifier;
  readonly #machine: MachineRunner<InspectedSide, InspectionEvent, InspectionEffect>;
  #missed = 0;

  constructor(options: InspectionRunnerOptions, notifier: ModerationNotifier) {
    this.#options = options;
    this.#notifier = notifier;
    this.#machine = new MachineRunner({
      clock: options.clock,
      step: (picture, event) => stepInspection(picture, event, options.settings),
      dueMs: inspectionDueMs,
      run: (side, effect) => this.#run(side, effect),
      due: (side) => this.#tick(side),
    });
  }

  /** Pictures that did not come. */
  get missed(): number {
    return this.#missed;
  }

  /** Both were told of the room: what did not open clear is shown once its first picture is judged. */
  begin(room: InspectedRoom): void {
    const { classifier } = this.#options;
    if (classifier) for (const side of room.sides) this.#tellShown(side);
    for (const side of room.sides) this.tellShield(side);
    if (!classifier) return;
    for (const side of room.sides) {
      this.#machine.arm(side);
      // The first picture of what is covered is asked for in the turn of the match.
      this.#machine.catchUp(side);
    }
  }

  /** What kind of person this is has been read anew. */
  know(side: InspectedSide, restrictions: InspectedRestrictions): void {
    this.dispatch(side, { type: "restrictions", restrictions });
  }

  /** Something happened to the picture of this side. */
  dispatch(side: InspectedSide, event: Untimed<InspectionEvent>): void {
    const { clock, classifier } = this.#options;
    const { room } = side;
    if (!classifier && event.type !== "over") return;
    const nowMs = Math.floor(clock.monotonicMs());
    this.#machine.dispatch(side, { ...event, nowMs } as InspectionEvent);
    const { state } = side;
    const tickets = state.kind === "watched" ? state.tickets : { own: null, received: null };
    if (tickets.own === null) side.tickets.own = null;
    if (tickets.received === null) side.tickets.received = null;
    if (room.isOver) return;
    this.#tellShown(side);
    for (const each of room.sides) this.tellShield(each);
  }

  /** What came for this ticket is no picture: it opens for another one, unless its time is over or a newer one is out. */
  reopen(side: InspectedSide, { view, ticket }: { view: View; ticket: Ticket }): void {
    side.tickets[view] ??= ticket;
    this.dispatch(side, { type: "unreadable", view, untilMs: ticket.untilMs });
  }

  /** Tells this side what to show, where that changed or has to be said `again`. */
  tellShield(side: InspectedSide, { again } = { again: false }): void {
    const { bus, classifier, settings } = this.#options;
    const { room } = side;
    const other = otherSideOf(side);
    if (room.isOver || side.state.kind !== "watched" || other.state.kind !== "watched") return;
    const shield = classifier
      ? { other: shownToOther(other.state), own: toldToOwner(side.state, settings.missedHides) }
      : ({ other: "clear", own: "clear" } as const);
    const told = `${shield.other} ${shield.own}`;
    if (told === side.shield && !again) return;
    side.shield = told;
    bus.pass(side.userId, { type: "shield", roomId: room.id, ...shield });
  }

  #tick(side: InspectedSide): void {
    const { bus, peers, classifier, random, settings } = this.#options;
    this.dispatch(side, {
      type: "tick",
      isReady: classifier?.isReady() ?? false,
      isCutOff: (peers?.isAway ?? false) && !bus.isHere(side.userId),
      jitterMs: random.integer(-settings.jitterMs, settings.jitterMs),
    });
  }

  #run(side: InspectedSide, effect: InspectionEffect): void {
    const { calls } = this.#options;
    const { room, userId } = side;
    switch (effect.type) {
      case "ask":
        return this.#ask(side, effect);
      case "missed":
        this.#missed += 1;
        return;
      case "passed":
        // Of whom enough is known nothing is counted any more.
        return side.state.kind === "watched" && side.state.restrictions.startsCovered
          ? this.#notifier.passed(userId)
          : undefined;
      case "note":
        return this.#notifier.note(userId, effect.rule, { callId: room.id });
      case "code":
        return this.#notifier.code(this.#signalOf(side));
      case "case": {
        const { rule, explicit, isShadow: shadow } = effect;
        const signal = { ...this.#signalOf(side), rule, judgement: { ...this.#by(explicit), shadow } };
        if (rule === "views_differ") return this.#notifier.openByView(signal, otherSideOf(side).userId);
        return this.#notifier.open(signal);
      }
      case "suspend": {
        const judgement = { ...this.#by(effect.explicit), shadow: false };
        this.#notifier.suspend({ ...this.#signalOf(side), rule: "explicit_picture_sure", judgement });
        // At once, however long moderation takes.
        return void calls.cut(userId, "violation");
      }
      case "end":
        return void calls.cut(userId, "unchecked");
    }
  }

  #ask(side: InspectedSide, ask: Extract<InspectionEffect, { type: "ask" }>): void {
    const { bus, clock, random } = this.#options;
    const { view, pair, question, dueInMs, untilMs } = ask;
    const ticket = randomId(random);
    side.tickets[view] = { id: ticket, askedMs: Math.floor(clock.monotonicMs()), untilMs, pair, question };
    const from = view === "own" ? side : otherSideOf(side);
    bus.pass(from.userId, { type: "inspect", roomId: side.room.id, ticket, view, dueInMs });
  }

  #signalOf(side: InspectedSide) {
    const evidence = evidenceOf(side, this.#options.clock.nowMs());
    return { subjectId: side.userId, callId: side.room.id, evidence };
  }

  #by(explicit: number): { explicit: number; model: string } {
    return { explicit, model: this.#options.classifier?.model ?? "" };
  }

  /** Meters stand while a picture is kept from the other. */
  #tellShown(side: InspectedSide): void {
    const shown = shownKindOf(side.state);
    if (shown === side.shown) return;
    side.shown = shown;
    this.#options.calls.setShown(side.userId, side.room.id, shown);
  }
}
