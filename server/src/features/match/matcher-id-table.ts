const knuth = 0x9e3779b1;

/**
 * Open-addressing table from user id to record number, sized once. A `Map` rebuilds itself as people come and go, which
 * at a million people stops the process for a tenth of a second; this table never does.
 */
export class IdTable {
  /** 0 marks a free slot, so 0 is no id. */
  readonly #ids: Float64Array;
  readonly #records: Int32Array;
  readonly #mask: number;
  readonly #shift: number;

  /** At least half of the slots stay free with `entriesMax` entries, which keeps probes short. */
  constructor(entriesMax: number) {
    const bits = Math.max(4, Math.ceil(Math.log2(entriesMax * 2)));
    this.#ids = new Float64Array(2 ** bits);
    this.#records = new Int32Array(2 ** bits);
    this.#mask = 2 ** bits - 1;
    this.#shift = 32 - bits;
  }

  /** The record of an id, or 0. */
  get(id: number): number {
    const slot = this.#slotOf(id);
    return this.#ids[slot] === 0 ? 0 : this.#records[slot]!;
  }

  set(id: number, record: number): void {
    const slot = this.#slotOf(id);
    this.#ids[slot] = id;
    this.#records[slot] = record;
  }

  delete(id: number): void {
    let hole = this.#slotOf(id);
    if (this.#ids[hole] === 0) return;
    // Entries behind the hole move up to it unless their own chain starts after it; no tombstones are left.
    for (let slot = (hole + 1) & this.#mask; this.#ids[slot] !== 0; slot = (slot + 1) & this.#mask) {
      const home = this.#homeOf(this.#ids[slot]!);
      if (((slot - home) & this.#mask) < ((slot - hole) & this.#mask)) continue;
      this.#ids[hole] = this.#ids[slot]!;
      this.#records[hole] = this.#records[slot]!;
      hole = slot;
    }
    this.#ids[hole] = 0;
  }

  #slotOf(id: number): number {
    let slot = this.#homeOf(id);
    while (this.#ids[slot] !== id && this.#ids[slot] !== 0) slot = (slot + 1) & this.#mask;
    return slot;
  }

  #homeOf(id: number): number {
    return Math.imul((id | 0) ^ (id / 4_294_967_296), knuth) >>> this.#shift;
  }
}
