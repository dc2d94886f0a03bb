/** How many partners are remembered for each person. */
export const partnersRememberedMax = 8;
/** A pair that met is kept apart while others wait: this long for each of them, up to the longest time. */
export const partnerGapPerPersonMs = 15_000;
export const partnerGapMaxMs = 600_000;
/** After both have waited this long, having met before no longer matters. */
export const partnerPatienceMs = 5_000;

/**
 * The last eight partners of every record, in fixed memory; the one of longest ago makes room. An entry is the partner's
 * id and a moment: when they met, or negative until when they stay apart because their connection failed.
 */
export class RecentPartners {
  readonly #ids: Float64Array;
  readonly #moments: Float64Array;

  constructor(recordsMax: number) {
    this.#ids = new Float64Array((recordsMax + 1) * partnersRememberedMax);
    this.#moments = new Float64Array((recordsMax + 1) * partnersRememberedMax);
  }

  /** Positive: when `person` last met the partner. Negative: until when they stay apart. 0: not remembered. */
  moment(person: number, partnerId: number): number {
    const start = person * partnersRememberedMax;
    for (let at = start; at < start + partnersRememberedMax; at += 1)
      if (this.#ids[at] === partnerId) return this.#moments[at]!;
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
    const start = person * partnersRememberedMax;
    this.#ids.fill(0, start, start + partnersRememberedMax);
    this.#moments.fill(0, start, start + partnersRememberedMax);
  }

  #write(person: number, partnerId: number, moment: number): void {
    const start = person * partnersRememberedMax;
    let place = start;
    for (let at = start; at < start + partnersRememberedMax; at += 1) {
      if (this.#ids[at] === partnerId) {
        place = at;
        break;
      }
      if (Math.abs(this.#moments[at]!) < Math.abs(this.#moments[place]!)) place = at;
    }
    this.#ids[place] = partnerId;
    this.#moments[place] = moment;
  }
}
