import { blend, type Picture, read, type Small, soften } from "./planes.ts";
import { newSegmenter, type Segmenter } from "./segmenter.ts";
import type { Model } from "./tflite.ts";

/** The sides of the picture in which the person is found: of the shape of most cameras, and multiples of 16. */
const longPx = 128;
const shortPx = 96;

/** Blurs all of a picture but the person. */
export class Blurrer {
  readonly #model: Model;
  #scale: Scale | null = null;

  constructor(model: Model) {
    this.#model = model;
  }

  /** Changes the picture in place. */
  blur(picture: Picture): void {
    const { segmenter, small } = this.#scaleFor(picture.width >= picture.height);
    read(picture, small, segmenter.picture);
    segmenter.run();
    for (const plane of small.planes) soften(plane, small);
    blend(picture, small, segmenter.mask);
  }

  /** A phone that is turned sends upright frames. */
  #scaleFor(isWide: boolean): Scale {
    if (this.#scale?.isWide === isWide) return this.#scale;
    const size = isWide ? { width: longPx, height: shortPx } : { width: shortPx, height: longPx };
    const plane = () => new Float64Array(size.width * size.height);
    const small: Small = { ...size, planes: [plane(), plane(), plane()] };
    this.#scale = { isWide, small, segmenter: newSegmenter(this.#model, size) };
    return this.#scale;
  }
}

interface Scale {
  readonly isWide: boolean;
  readonly segmenter: Segmenter;
  readonly small: Small;
}
