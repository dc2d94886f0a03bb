import { LinkedLists } from "./matcher-lists.ts";
import { linkFields } from "./matcher-records.ts";
import type { PersonRecords } from "./matcher-records.ts";

/** Every delay after which somebody is looked for again. */
const retryDelaysMs = [125, 250, 300, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000] as const;
export type RetryDelayMs = (typeof retryDelaysMs)[number];

/**
 * Who is looked for again, and when: one queue for each delay. Since a delay is constant within its queue, the queue is
 * sorted by itself and nothing costs more than constant time.
 */
export class DueQueues {
  readonly #records: PersonRecords;
  readonly #lists: LinkedLists;
  /** When the first of each queue is due; Infinity where it is empty. */
  readonly #firstDueMs = new Float64Array(retryDelaysMs.length).fill(Infinity);

  constructor(records: PersonRecords) {
    this.#records = records;
    this.#lists = new LinkedLists(records.links, linkFields.due, retryDelaysMs.length);
  }

  schedule(person: number, delayMs: RetryDelayMs, nowMs: number): void {
    const queue = retryDelaysMs.indexOf(delayMs);
    this.#records.setQueue(person, queue + 1);
    this.#records.setDueMs(person, nowMs + delayMs);
    if (this.#lists.first(queue) === 0) this.#firstDueMs[queue] = nowMs + delayMs;
    this.#lists.append(queue, person);
  }

  /** Does nothing for somebody who is in no queue. */
  unschedule(person: number): void {
    const queue = this.#records.queue(person) - 1;
    if (queue < 0) return;
    const wasFirst = this.#lists.first(queue) === person;
    this.#lists.remove(queue, person);
    this.#records.setQueue(person, 0);
    if (!wasFirst) return;
    const first = this.#lists.first(queue);
    this.#firstDueMs[queue] = first === 0 ? Infinity : this.#records.dueMs(first);
  }

  /** When the earliest is due; Infinity when nobody is. */
  earliestMs(): number {
    return this.#firstDueMs[this.#earliestQueue()]!;
  }

  /** Takes out whoever has been due the longest; 0 when nobody is due yet. */
  take(nowMs: number): number {
    const queue = this.#earliestQueue();
    if (this.#firstDueMs[queue]! > nowMs) return 0;
    const person = this.#lists.first(queue);
    this.unschedule(person);
    return person;
  }

  #earliestQueue(): number {
    let earliest = 0;
    for (let queue = 1; queue < retryDelaysMs.length; queue += 1)
      if (this.#firstDueMs[queue]! < this.#firstDueMs[earliest]!) earliest = queue;
    return earliest;
  }
}
