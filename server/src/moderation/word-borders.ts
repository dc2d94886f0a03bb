/** Signs that the segmenter gets at once. Blocks keep the time linear in the length of the text. */
const blockSigns = 240;
/** Signs of context that the segmenter gets on both sides of a block. */
const signsAround = 24;

interface Sign {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly isSign: boolean;
}

/** Signs that the segmenter joins with a neighbour although each is a word: "去死吧", "我看". */
export const joinedSigns = /^[的了吧吗嘛呢啊呀哦着过我你妳您他她想要都就给来去把也很]*$/u;

/** Word borders in scripts without spaces. Segments each block on first use. */
export class WordBorders {
  readonly #tokens: readonly Sign[];
  /** For each token inside a word: the word's letters before the token and from it on. Null at the start of a word. */
  readonly #cuts: (readonly [before: string, after: string] | null | undefined)[] = [];

  constructor(tokens: readonly Sign[]) {
    this.#tokens = tokens;
  }

  /** Whether a word border is before the token `start` and before the token `end`. */
  surround(start: number, end: number): boolean {
    const [before] = this.#cutAt(start) ?? [""];
    const [, after] = this.#cutAt(end) ?? ["", ""];
    return joinedSigns.test(before) && joinedSigns.test(after);
  }

  #cutAt(at: number): readonly [string, string] | null {
    if (!this.#isJoined(at)) return null;
    if (this.#cuts[at] === undefined) this.#cutBlock(at);
    return this.#cuts[at]!;
  }

  #cutBlock(at: number): void {
    const block = Math.floor(at / blockSigns) * blockSigns;
    let first = at;
    while (first > Math.max(0, block - signsAround) && this.#isJoined(first)) first -= 1;
    let last = at;
    while (last + 1 < block + blockSigns + signsAround && this.#isJoined(last + 1)) last += 1;
    const run = this.#tokens.slice(first, last + 1).map(({ text }) => text);
    let place = first;
    for (const { segment } of segmenterFor(run[0]!).segment(run.join(""))) {
      for (let cut = 0; cut < segment.length; place += 1) {
        if (place >= block && place < block + blockSigns)
          this.#cuts[place] = cut === 0 ? null : [segment.slice(0, cut), segment.slice(cut)];
        cut += this.#tokens[place]!.text.length;
      }
    }
  }

  /** Whether the token directly follows the one before it, both in a script without spaces. */
  #isJoined(at: number): boolean {
    const [before, here] = [this.#tokens[at - 1], this.#tokens[at]];
    return Boolean(before?.isSign && here?.isSign) && here!.start === before!.end;
  }
}

const segmenters = new Map<string, Intl.Segmenter>();

export function segmenterFor(sign: string): Intl.Segmenter {
  const language = /\p{Script=Thai}/u.test(sign)
    ? "th"
    : /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(sign)
      ? "ja"
      : "zh";
  let segmenter = segmenters.get(language);
  if (!segmenter) segmenters.set(language, (segmenter = new Intl.Segmenter(language, { granularity: "word" })));
  return segmenter;
}
