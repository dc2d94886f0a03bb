const knuth = 0x9e3779b1;

/**
 * Open-addressing table from user id to record number, sized once. A `Map` rebuilds itself as people come and go, which
 * at a million people stops the process for a tenth of a second; this table never does.
 */
export class IdTable {
  /** Id and record by turns, so that one look finds both; id 0 marks a free slot. */
  readonly #slots: Float64Array;
  readonly #mask: number;
  readonly #shift: number;

  /** At least half of the slots stay free with `entriesMax` entries, which keeps probes short. */
  constructor(entriesMax: number) {
    const bits = Math.max(4, Math.ceil(Math.log2(entriesMax * 2)));
    this.#slots = new Float64Array(2 ** bits * 2);
    this.#mask = 2 ** bits - 1;
    this.#shift = 32 - bits;
  }

  /** The record of an id, or 0. */
  get(id: number): number {
    const slot = this.#slotOf(id);
    return this.#slots[slot * 2] === 0 ? 0 : this.#slots[slot * 2 + 1]!;
  }

  set(id: number, record: number): void {
    const slot = this.#slotOf(id);
    this.#slots[slot * 2] = id;
    this.#slots[slot * 2 + 1] = record;
  }

  delete(id: number): void {
    let hole = this.#slotOf(id);
    if (this.#slots[hole * 2] === 0) return;
    // Entries behind the hole move up to it unless their own chain starts after it; no tombstones are left.
    for (let slot = (hole + 1) & this.#mask; this.#slots[slot * 2] !== 0; slot = (slot + 1) & this.#mask) {
      const home = this.#homeOf(this.#slots[slot * 2]!);
      if (((slot - home) & this.#mask) < ((slot - hole) & this.#mask)) continue;
      this.#slots[hole * 2] = this.#slots[slot * 2]!;
      this.#slots[hole * 2 + 1] = this.#slots[slot * 2 + 1]!;
      hole = slot;
    }
    this.#slots[hole * 2] = 0;
  }

  #slotOf(id: number): number {
    let slot = this.#homeOf(id);
    while (this.#slots[slot * 2] !== id && this.#slots[slot * 2] !== 0) slot = (slot + 1) & this.#mask;
    return slot;
  }

  #homeOf(id: number): number {
    return Math.imul((id | 0) ^ (id / 4_294_967_296), knuth) >>> this.#shift;
  }
}
