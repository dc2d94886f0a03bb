import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { FrameClassifier } from "#ports/frame-classifier.ts";
import type { Standing } from "#ports/moderation.ts";
import { type Random, randomId } from "#ports/random.ts";
import { evidenceOf, type InspectedRoom, type InspectedSide, sidesOf, type Ticket } from "./inspected-room.ts";
import { pictureDueMs, stepPicture } from "./inspection-machine.ts";
import type { InspectionSettings } from "./inspection-settings.ts";
import type { ModerationTeller } from "./moderation-teller.ts";
import {
  type PictureEffect,
  type PictureEvent,
  shownFactOf,
  shownToOther,
  toldToOwner,
  type View,
} from "./picture-state.ts";
import type { CallService } from "./room-service.ts";

export interface PictureWatchOptions {
  bus: Pick<Bus, "pass">;
  calls: Pick<CallService, "cut" | "setShown">;
  /** Null: switched off on purpose. */
  classifier: FrameClassifier | null;
  settings: InspectionSettings;
  clock: Clock;
  random: Random;
}

type Told<Event> = Event extends unknown ? Omit<Event, "nowMs"> : never;

/** Carries out what `stepPicture` decides about the pictures of a room, and keeps their time. */
export class PictureWatch {
  readonly #options: PictureWatchOptions;
  readonly #teller: ModerationTeller;
  #missed = 0;

  constructor(options: PictureWatchOptions, teller: ModerationTeller) {
    this.#options = options;
    this.#teller = teller;
  }

  /** Pictures that did not come. */
  get missed(): number {
    return this.#missed;
  }

  /** Both were told of the room: nothing is shown before the first pictures are judged. */
  begin(room: InspectedRoom): void {
    const { classifier } = this.#options;
    if (classifier) for (const side of room.sides) this.#tellShown(room, side);
    for (const side of room.sides) this.tellShield(room, side);
    if (classifier) for (const side of room.sides) this.#arm(room, side);
  }

  /** What kind of person this is is known now: the first picture is asked for. */
  know(room: InspectedRoom, side: InspectedSide, standing: Pick<Standing, "isNew" | "isWatched">): void {
    this.dispatch(room, side, { type: "standing", standing });
    if (side.dueMs !== null && side.dueMs <= this.#options.clock.monotonicMs()) this.#tick(room, side);
  }

  /** Something happened to the picture of this side. */
  dispatch(room: InspectedRoom, side: InspectedSide, event: Told<PictureEvent>): void {
    const { clock, classifier, settings } = this.#options;
    if (!classifier && event.type !== "over") return;
    const nowMs = Math.floor(clock.monotonicMs());
    const { state, effects } = stepPicture(side.picture, { ...event, nowMs } as PictureEvent, settings);
    side.picture = state;
    const tickets = state.kind === "watched" ? state.tickets : { own: null, received: null };
    if (tickets.own === null) side.tickets.own = null;
    if (tickets.received === null) side.tickets.received = null;
    for (const effect of effects) this.#run(room, side, effect);
    this.#arm(room, side);
    if (room.isOver) return;
    this.#tellShown(room, side);
    for (const each of room.sides) this.tellShield(room, each);
  }

  /** What came for this ticket is no picture: it opens for another one, unless its time is over or a newer one is out. */
  reopen(room: InspectedRoom, side: InspectedSide, { view, ticket }: { view: View; ticket: Ticket }): void {
    side.tickets[view] ??= ticket;
    this.dispatch(room, side, { type: "unreadable", view, untilMs: ticket.untilMs });
  }

  /** Tells this side what to show, where that changed or has to be said `again`. */
  tellShield(room: InspectedRoom, side: InspectedSide, { again } = { again: false }): void {
    const { bus, classifier, settings } = this.#options;
    const [self, other] = sidesOf(room, side.userId) ?? [];
    if (room.isOver || self?.picture.kind !== "watched" || other?.picture.kind !== "watched") return;
    const shield = classifier
      ? { other: shownToOther(other.picture), own: toldToOwner(self.picture, settings.missedHides) }
      : ({ other: "clear", own: "clear" } as const);
    const told = `${shield.other} ${shield.own}`;
    if (told === side.shield && !again) return;
    side.shield = told;
    bus.pass(side.userId, { type: "shield", roomId: room.id, ...shield });
  }

  #tick(room: InspectedRoom, side: InspectedSide): void {
    const { classifier, random, settings } = this.#options;
    side.timer?.[Symbol.dispose]();
    side.timer = null;
    side.dueMs = null;
    this.dispatch(room, side, {
      type: "tick",
      isReady: classifier?.isReady() ?? false,
      jitterMs: random.integer(-settings.jitterMs, settings.jitterMs),
    });
  }

  #run(room: InspectedRoom, side: InspectedSide, effect: PictureEffect): void {
    const { calls } = this.#options;
    const { userId } = side;
    switch (effect.type) {
      case "ask":
        return this.#ask(room, side, effect);
      case "missed":
        this.#missed += 1;
        return;
      case "note":
        return this.#teller.note(userId, effect.rule, { callId: room.id });
      case "code":
        return this.#teller.code(this.#signalOf(room, side));
      case "case": {
        const { rule, explicit, isShadow: shadow } = effect;
        const signal = { ...this.#signalOf(room, side), rule, judgement: { ...this.#by(explicit), shadow } };
        const sender = room.sides.find((each) => each !== side);
        if (rule === "views_differ" && sender) return this.#teller.openByView(signal, sender.userId);
        return this.#teller.open(signal);
      }
      case "suspend": {
        const judgement = { ...this.#by(effect.explicit), shadow: false };
        this.#teller.suspend({ ...this.#signalOf(room, side), rule: "explicit_picture_sure", judgement });
        // At once, however long moderation takes.
        return void calls.cut(userId, "violation");
      }
      case "end":
        return void calls.cut(userId, "unchecked");
    }
  }

  #ask(room: InspectedRoom, side: InspectedSide, ask: Extract<PictureEffect, { type: "ask" }>): void {
    const { bus, random } = this.#options;
    const { view, pair, question, dueInMs, untilMs } = ask;
    const ticket = randomId(random);
    side.tickets[view] = { id: ticket, untilMs, pair, question };
    const from = view === "own" ? side : room.sides.find((each) => each !== side);
    if (from) bus.pass(from.userId, { type: "inspect", roomId: room.id, ticket, view, dueInMs });
  }

  #signalOf(room: InspectedRoom, side: InspectedSide) {
    const evidence = evidenceOf(room, side, this.#options.clock.nowMs());
    return { subjectId: side.userId, callId: room.id, evidence };
  }

  #by(explicit: number): { explicit: number; model: string } {
    return { explicit, model: this.#options.classifier?.model ?? "" };
  }

  /** Meters stand while a picture is kept from the other. */
  #tellShown(room: InspectedRoom, side: InspectedSide): void {
    const shown = shownFactOf(side.picture);
    if (shown === side.shown) return;
    side.shown = shown;
    this.#options.calls.setShown(side.userId, room.id, shown);
  }

  #arm(room: InspectedRoom, side: InspectedSide): void {
    const { clock } = this.#options;
    const dueMs = pictureDueMs(side.picture);
    if (dueMs === side.dueMs) return;
    side.timer?.[Symbol.dispose]();
    side.dueMs = dueMs;
    const delayMs = dueMs === null ? 0 : Math.max(0, dueMs - clock.monotonicMs());
    side.timer = dueMs === null ? null : clock.after(delayMs, () => this.#tick(room, side));
  }
}
