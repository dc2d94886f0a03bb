import { foldText } from "@fava/wire/text-folding.ts";

const folds: string[] = [];

function foldSign(sign: string): string {
  // Folding the Turkish capital dotted i leaves a combining dot.
  return foldText(sign).replace("\u0307", "");
}

/** A rewritten text. Each of its UTF-16 units maps to a position in the original. */
export class MappedText {
  readonly text: string;
  readonly #places: readonly number[];

  private constructor(text: string, places: readonly number[]) {
    this.text = text;
    this.#places = places;
  }

  static folded(original: string): MappedText {
    let text = "";
    const places: number[] = [];
    let place = 0;
    for (const sign of original) {
      const plain = sign.length > 1 ? foldSign(sign) : (folds[sign.charCodeAt(0)] ??= foldSign(sign));
      for (let unit = 0; unit < plain.length; unit += 1) places.push(place);
      text += plain;
      place += sign.length;
    }
    places.push(place);
    return new MappedText(text, places);
  }

  /** Replaces each match; the replacement maps to the start of its match. */
  replace(pattern: RegExp, by: string): MappedText {
    let text = "";
    const places: number[] = [];
    let done = 0;
    const copy = (end: number) => {
      text += this.text.slice(done, end);
      for (let at = done; at < end; at += 1) places.push(this.#places[at]!);
    };
    for (const { 0: found, index } of this.text.matchAll(pattern)) {
      copy(index);
      text += by;
      for (let unit = 0; unit < by.length; unit += 1) places.push(this.#places[index]!);
      done = index + found.length;
    }
    if (done === 0) return this;
    copy(this.text.length);
    places.push(this.#places.at(-1)!);
    return new MappedText(text, places);
  }

  original({ start, end }: { start: number; end: number }): { start: number; end: number } {
    return { start: this.#places[start] ?? 0, end: end > start ? this.#endOf(end - 1) : (this.#places[end] ?? 0) };
  }

  #endOf(last: number): number {
    const place = this.#places[last]!;
    for (let at = last + 1; at < this.#places.length; at += 1) if (this.#places[at]! > place) return this.#places[at]!;
    return this.#places.at(-1)!;
  }
}
