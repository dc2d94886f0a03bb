import { doublesStride, partnersField } from "./matcher-records.ts";
import type { PersonRecords } from "./matcher-records.ts";

/** How many partners are remembered for each person. */
export const partnersRememberedMax = 8;
/** A pair that met is kept apart while others wait: this long for each of them, up to the longest time. */
export const partnerGapPerPersonMs = 15_000;
export const partnerGapMaxMs = 600_000;
/** After both have waited this long, having met before no longer matters. */
export const partnerPatienceMs = 5_000;

/**
 * The last eight partners of every record, in its own memory; the one of longest ago makes room. An entry is the partner's
 * id and a moment: when they met, or negative until when they stay apart because their connection failed.
 */
export class RecentPartners {
  readonly #doubles: Float64Array;

  constructor({ doubles }: PersonRecords) {
    this.#doubles = doubles;
  }

  /** Positive: when `person` last met the partner. Negative: until when they stay apart. 0: not remembered. */
  moment(person: number, partnerId: number): number {
    const start = person * doublesStride + partnersField;
    for (let at = start; at < start + partnersRememberedMax; at += 1)
      if (this.#doubles[at] === partnerId) return this.#doubles[at + partnersRememberedMax]!;
    return 0;
  }

  rememberMeeting(person: number, partnerId: number, nowMs: number): void {
    this.#write(person, partnerId, nowMs);
  }

  /** Replaces a meeting of the two: who never saw each other has not met. */
  keepApart(person: number, partnerId: number, untilMs: number): void {
    this.#write(person, partnerId, -untilMs);
  }

  forget(person: number): void {
    const start = person * doublesStride + partnersField;
    for (let at = start; at < start + 2 * partnersRememberedMax; at += 1) this.#doubles[at] = 0;
  }

  #write(person: number, partnerId: number, moment: number): void {
    const start = person * doublesStride + partnersField;
    let place = start;
    for (let at = start; at < start + partnersRememberedMax; at += 1) {
      if (this.#doubles[at] === partnerId) {
        place = at;
        break;
      }
      if (this.#timeOf(at) < this.#timeOf(place)) place = at;
    }
    this.#doubles[place] = partnerId;
    this.#doubles[place + partnersRememberedMax] = moment;
  }

  #timeOf(at: number): number {
    return Math.abs(this.#doubles[at + partnersRememberedMax]!);
  }
}
