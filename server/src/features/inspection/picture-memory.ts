import type { FrameVerdict } from "#ports/frame-classifier.ts";
import type { View } from "./picture-state.ts";

/** A picture of a call that was judged, in memory only. */
export interface KeptPicture {
  readonly view: View;
  readonly atMs: number;
  readonly bytes: Buffer;
  readonly verdict: FrameVerdict;
}

/** The last pictures of one view of one person, the oldest first. */
export type PictureRing = KeptPicture[];

const picturesPerRing = 3;

/** The last pictures of all rooms, within a bound: the oldest of all go first (rule SAFE-26). */
export class PictureMemory {
  readonly #bytesMax: number;
  /** Where each picture is, the oldest first. */
  readonly #rings = new Map<KeptPicture, PictureRing>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  keep(ring: PictureRing, picture: KeptPicture): void {
    ring.push(picture);
    this.#rings.set(picture, ring);
    this.#bytes += picture.bytes.length;
    if (ring.length > picturesPerRing) this.#drop(ring[0]);
    while (this.#bytes > this.#bytesMax) {
      const [oldest] = this.#rings.keys();
      this.#drop(oldest);
    }
  }

  forget(ring: PictureRing): void {
    while (ring.length > 0) this.#drop(ring[0]);
  }

  #drop(picture: KeptPicture | undefined): void {
    const ring = picture && this.#rings.get(picture);
    if (!ring) return;
    ring.splice(ring.indexOf(picture), 1);
    this.#rings.delete(picture);
    this.#bytes -= picture.bytes.length;
  }
}
