import type { Logger } from "pino";
import { type UncheckedCause, uncheckedCauses } from "@fava/wire/pushes.ts";
import type { Shield } from "@fava/wire/socket.ts";
import { MachineRunner, type Untimed } from "#lib/machine.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { FrameClassifier } from "#ports/frame-classifier.ts";
import type { Peers } from "#ports/peers.ts";
import { type Random, randomId } from "#ports/random.ts";
import type { FrameIntake } from "./frame-intake.ts";
import { evidenceOf, type InspectedRoom, type InspectedSide, otherSideOf, type Ticket } from "./inspected-room.ts";
import { endsInMs } from "./inspection-clocks.ts";
import { inspectionDueMs, stepInspection } from "./inspection-machine.ts";
import type { InspectionSettings } from "./inspection-settings.ts";
import {
  type InspectedRestrictions,
  type InspectionEffect,
  type InspectionEvent,
  shownKindOf,
  shownToOther,
  toldToOwner,
  unlookedWhy,
  type View,
} from "./inspection-state.ts";
import type { MeterService } from "./meter-service.ts";
import type { ModerationNotifier } from "./moderation-notifier.ts";
import type { CallService } from "./room-service.ts";

export interface InspectionRunnerOptions {
  bus: Pick<Bus, "pass" | "isHere">;
  /** The other processes of the site; left out where there are none. */
  peers?: Pick<Peers, "isAway">;
  calls: Pick<CallService, "cut" | "cutUnchecked" | "looked" | "setShown">;
  meters: Pick<MeterService, "endUnchecked">;
  /** Null: switched off on purpose. */
  classifier: FrameClassifier | null;
  settings: InspectionSettings;
  clock: Clock;
  random: Random;
  logger: Logger;
}

/** How long a ticket is remembered, so that a frame that comes much too late is told from one that nobody asked for. */
const expiredKeptMs = 60_000;

/** Carries out what `stepInspection` decides about the pictures of a room, and keeps their time. */
export class InspectionRunner {
  readonly #options: InspectionRunnerOptions;
  readonly #notifier: ModerationNotifier;
  readonly #intake: Pick<FrameIntake, "isOverloaded" | "hasFailedSince">;
  readonly #machine: MachineRunner<InspectedSide, InspectionEvent, InspectionEffect>;
  readonly counts = { missed: 0, putOff: 0 };
  /** Calls that were ended for want of frames that could be checked, by their cause. */
  readonly ended = Object.fromEntries(uncheckedCauses.map((cause) => [cause, 0])) as Record<UncheckedCause, number>;

  constructor(
    options: InspectionRunnerOptions,
    {
      notifier,
      intake,
    }: { notifier: ModerationNotifier; intake: Pick<FrameIntake, "isOverloaded" | "hasFailedSince"> },
  ) {
    this.#options = options;
    this.#notifier = notifier;
    this.#intake = intake;
    this.#machine = new MachineRunner({
      clock: options.clock,
      step: (picture, event) => stepInspection(picture, event, options.settings),
      dueMs: (picture) => inspectionDueMs(picture, options.settings),
      run: (side, effect) => this.#run(side, effect),
      due: (side) => this.#tick(side),
    });
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
    for (const view of ["own", "received"] as const) if (tickets[view] === null) expire(side, view, nowMs);
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
    const { room } = side;
    const shield = this.#shieldOf(side);
    if (!shield) return;
    const { ends, ...shown } = shield;
    const told = JSON.stringify([shown, ends?.whose]);
    if (told === side.shield && !again) return;
    side.shield = told;
    this.#options.bus.pass(side.userId, { type: "shield", roomId: room.id, ...shield });
  }

  #shieldOf(side: InspectedSide): Shield | null {
    const { classifier, clock, settings } = this.#options;
    const { state: own } = side;
    const { state: other } = otherSideOf(side);
    if (side.room.isOver || own.kind !== "watched" || other.kind !== "watched") return null;
    if (!classifier) return { other: "clear", own: "clear" };
    const [otherWhy, ownWhy] = [unlookedWhy(other), unlookedWhy(own)];
    const nowMs = Math.floor(clock.monotonicMs());
    const ends = [
      { whose: "own" as const, in_ms: endsInMs(own, nowMs, settings) },
      { whose: "other" as const, in_ms: endsInMs(other, nowMs, settings) },
    ].flatMap(({ whose, in_ms }) => (in_ms === null ? [] : { whose, in_ms }));
    const [first] = ends.toSorted((one, two) => one.in_ms - two.in_ms);
    return {
      other: shownToOther(other),
      own: toldToOwner(own, settings.darkMs),
      ...(otherWhy && { other_why: otherWhy }),
      ...(ownWhy && { own_why: ownWhy }),
      ...(first && { ends: first }),
    };
  }

  #tick(side: InspectedSide): void {
    const { bus, peers, classifier, random, settings } = this.#options;
    this.dispatch(side, {
      type: "tick",
      isReady: classifier?.isReady() ?? false,
      isCutOff: (peers?.isAway ?? false) && !bus.isHere(side.userId),
      isOverloaded: this.#intake.isOverloaded(),
      isFailing: this.#intake.hasFailedSince(side.tickets.own?.askedMs ?? Infinity),
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
        this.counts.missed += 1;
        return;
      case "put_off":
        this.counts.putOff += 1;
        return;
      case "looked":
        side.frames.looked += 1;
        return calls.looked(userId, room.id);
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
        return void calls.cut(userId);
      }
      case "end":
        return this.#end(side, effect.cause);
    }
  }

  /** The meters end first, so that both are told the beans that truly come back. */
  #end({ room, userId, frames }: InspectedSide, cause: UncheckedCause): void {
    const { calls, logger, meters } = this.#options;
    this.ended[cause] += 1;
    const about = { callId: room.id, userId: String(userId), cause, ...frames };
    logger.info(about, "ended a call because no frame of a user could be checked");
    const back = meters.endUnchecked(room.id, { missingId: userId, cause });
    calls.cutUnchecked(userId, { cause, back });
  }

  #ask(side: InspectedSide, ask: Extract<InspectionEffect, { type: "ask" }>): void {
    const { bus, clock, random } = this.#options;
    const { view, pair, question, dueInMs, untilMs } = ask;
    const ticket = randomId(random);
    side.tickets[view] = { id: ticket, askedMs: Math.floor(clock.monotonicMs()), untilMs, pair, question };
    if (view === "own") side.frames.asked += 1;
    const from = view === "own" ? side : otherSideOf(side);
    bus.pass(from.userId, { type: "inspect", roomId: side.room.id, ticket, view, dueInMs });
  }

  #signalOf(side: InspectedSide) {
    const evidence = evidenceOf(side, { nowMs: this.#options.clock.nowMs() });
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

/** A frame may still come for a ticket that was given up. */
function expire(side: InspectedSide, view: View, nowMs: number): void {
  const ticket = side.tickets[view];
  if (!ticket) return;
  side.tickets[view] = null;
  side.expired[view] = [...side.expired[view].filter(({ askedMs }) => nowMs - askedMs < expiredKeptMs), ticket];
}
