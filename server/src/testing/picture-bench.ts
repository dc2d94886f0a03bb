import { pictureDueMs, stepPicture } from "#calls/inspection-machine.ts";
import { type InspectionSettings, inspectionSettingsDefault } from "#calls/inspection-settings.ts";
import {
  openPicture,
  type Picture,
  type PictureEffect,
  type PictureEvent,
  shownToOther,
  toldToOwner,
  type View,
} from "#calls/picture-state.ts";
import type { FrameQuestion, FrameVerdict } from "#ports/frame-classifier.ts";
import { seededRandom } from "./random.ts";

export type Shown = ReturnType<typeof shownToOther> | "ended";
type Ask = Extract<PictureEffect, { type: "ask" }>;
type Told<Event> = Event extends unknown ? Omit<Event, "nowMs"> : never;

/** A verdict about a good, clean picture that is like no other, but for what is said. */
export function verdictOf(said: Partial<FrameVerdict>, number: number): FrameVerdict {
  const explicit = said.explicit ?? 0.02;
  const phash = BigInt.asUintN(64, BigInt(number)).toString(16).padStart(16, "0");
  const scores = { mobilenet: { drawing: 0, hentai: 0, neutral: 1 - explicit, porn: explicit, sexy: 0 } };
  return { explicit, scores, luma: 120, sharpness: 200, phash, code: null, ...said };
}

/** One picture, with a browser and a classifier that do what the test says. */
export class PictureBench {
  nowMs = 0;
  state: Picture = openPicture(0);
  isReady = true;
  /** What the other saw after each event. */
  readonly history: Shown[] = [];
  readonly asked: Ask[] = [];
  readonly happened: PictureEffect[] = [];
  /** Own pictures that were judged: since the test last emptied it, and all of them. */
  readonly passed: FrameVerdict[] = [];
  readonly allPassed: FrameVerdict[] = [];
  onStep: (step: { before: Picture; effects: readonly PictureEffect[] }) => void = () => {};
  readonly #settings: InspectionSettings;
  readonly #random = seededRandom(7);
  #verdicts = 0;

  constructor(settings: Partial<InspectionSettings> = {}) {
    this.#settings = { ...inspectionSettingsDefault, ...settings };
  }

  get shown(): Shown {
    return this.state.kind === "ended" ? "ended" : shownToOther(this.state);
  }

  get own(): string {
    return this.state.kind === "ended" ? "ended" : toldToOwner(this.state, this.#settings.missedHides);
  }

  /** Until the next tick is due. */
  get dueInMs(): number | null {
    const dueMs = pictureDueMs(this.state);
    return dueMs === null ? null : dueMs - this.nowMs;
  }

  /** Of the last own picture that was asked for. */
  get question(): FrameQuestion {
    return this.#last("own").question;
  }

  effects<Type extends PictureEffect["type"]>(type: Type): Extract<PictureEffect, { type: Type }>[] {
    return this.happened.filter((effect): effect is Extract<PictureEffect, { type: Type }> => effect.type === type);
  }

  send(event: Told<PictureEvent>): void {
    const { state, effects } = stepPicture(this.state, { ...event, nowMs: this.nowMs } as PictureEvent, this.#settings);
    this.onStep({ before: this.state, effects });
    this.state = state;
    this.happened.push(...effects);
    this.asked.push(...effects.filter((effect) => effect.type === "ask"));
    this.history.push(this.shown);
  }

  tick(): void {
    const jitterMs = this.#random.integer(-this.#settings.jitterMs, this.#settings.jitterMs);
    this.send({ type: "tick", isReady: this.isReady, jitterMs });
  }

  /** Time passes, and nothing arrives. */
  run(ms: number): void {
    const untilMs = this.nowMs + ms;
    for (let due = pictureDueMs(this.state); due !== null && due <= untilMs; due = pictureDueMs(this.state)) {
      this.nowMs = Math.max(this.nowMs, due);
      this.tick();
    }
    this.nowMs = untilMs;
  }

  /** Time passes until the next own picture is asked for. */
  toNext(): void {
    const before = this.asked.filter(({ view }) => view === "own").length;
    if (this.state.kind === "watched" && this.state.tickets.own !== null) return;
    while (this.asked.filter(({ view }) => view === "own").length === before) {
      const due = pictureDueMs(this.state);
      if (due === null) throw new Error("no picture will be asked for");
      this.run(Math.max(0, due - this.nowMs));
    }
  }

  /** The next pictures that are asked for arrive and are judged; null: the other end sends nothing. */
  sendNext(own: Partial<FrameVerdict>, received: Partial<FrameVerdict> | null = own): void {
    this.toNext();
    const isPair = this.#last("own").pair === this.asked.findLast(({ view }) => view === "received")?.pair;
    if (isPair && received) this.#judge("received", received, this.#verdicts + 1);
    this.answer(own);
  }

  /** The own picture that was asked for arrives and is judged. */
  answer(said: Partial<FrameVerdict>): void {
    this.#verdicts += 1;
    this.#judge("own", said, this.#verdicts);
  }

  /** What arrives for the next own picture that is asked for cannot be read. */
  sendUnreadable(): void {
    this.toNext();
    this.send({ type: "arrived", view: "own" });
    this.send({ type: "unreadable", view: "own", untilMs: this.#last("own").untilMs });
  }

  /** The next own picture that is asked for never arrives. */
  missNext(): void {
    this.toNext();
    const runsOutMs = this.state.kind === "watched" ? this.state.tickets.own : null;
    if (runsOutMs !== null) this.run(runsOutMs - this.nowMs);
  }

  /** An event that belongs to a picture that was asked for, although none was. */
  sendAnyway(type: "arrived" | "verdict" | "unreadable" | "unjudged"): void {
    if (type === "arrived" || type === "unjudged") return this.send({ type, view: "own" });
    if (type === "unreadable") return this.send({ type, view: "own", untilMs: this.nowMs + 1_000 });
    this.send({ type, view: "own", pair: 1, codes: true, verdict: verdictOf({ explicit: 0.9 }, 1) });
  }

  #judge(view: View, said: Partial<FrameVerdict>, number: number): void {
    const { pair, question } = this.#last(view);
    this.send({ type: "arrived", view });
    const verdict = verdictOf(said, number);
    const code = question.codes ? verdict.code : null;
    const judged = { ...verdict, code };
    if (view === "own") {
      this.passed.push(judged);
      this.allPassed.push(judged);
    }
    this.send({ type: "verdict", view, pair, codes: question.codes, verdict: judged });
  }

  #last(view: View): Ask {
    const ask = this.asked.findLast((each) => each.view === view);
    if (!ask) throw new Error("nothing was asked for");
    return ask;
  }
}
