import { digitOf, isSpokenNumber } from "@fava/wire/personal-data-spoken.ts";
import { Gap, type Token, tokensOf } from "./text-tokens.ts";
import { plainForm } from "./word-forms.ts";

const gapMax = 3;
/** Words between the groups of a number. */
const between = new Set("then and dash hyphen space minus plus area code next um uh pause again".split(" "));
const betweenMax = 3;
/** A number that is partly in words needs more digits than one in digits only. */
const mixed = { digitsMin: 9, wordsMin: 2 } as const;
const timesOf: Readonly<Record<string, number>> = { double: 2, triple: 3 };

export class SpokenNumbers {
  readonly #digits = new Map<string, string>();

  constructor() {
    this.add(Object.fromEntries(digitOf));
  }

  add(digits: Readonly<Record<string, string>>): void {
    for (const [word, digit] of Object.entries(digits))
      if (digit.length === 1 && !word.includes(" ")) this.#digits.set(keyOf(tokensOf(word)[0]!), digit);
  }

  find(text: string): { start: number; end: number }[] {
    const found: { start: number; end: number }[] = [];
    let run = { digits: "", words: 0, start: 0, end: -gapMax - 1, times: 1 };
    let place = -gapMax - 1;
    let skipped = 0;
    const close = () => {
      if (isSpokenNumber(run) || isMixedNumber(run)) found.push({ start: run.start, end: run.end });
    };
    for (const token of tokensOf(text)) {
      if (run.digits !== "" && skipped < betweenMax && token.start - place <= gapMax && between.has(keyOf(token))) {
        place = token.end;
        skipped += 1;
        continue;
      }
      const times = run.times === 1 ? timesOf[keyOf(token)] : undefined;
      const digits = times === undefined ? this.#digitsOf(token) : "";
      const continues = token.start - place <= gapMax && (token.gap !== Gap.sentence || text[place] !== "?");
      skipped = 0;
      if (digits === undefined || !continues) {
        close();
        run = {
          digits: "",
          words: 0,
          start: token.start,
          end: digits === undefined ? -gapMax - 1 : token.start,
          times: 1,
        };
      }
      place = digits === undefined ? -gapMax - 1 : token.end;
      if (digits === undefined) continue;
      const isWord = digits !== "" && !/^\d/.test(token.text);
      run = {
        digits: run.digits + digits.repeat(run.times),
        words: run.words + (isWord ? 1 : 0),
        start: run.digits === "" && run.times === 1 ? token.start : run.start,
        end: token.end,
        times: times ?? 1,
      };
    }
    close();
    return found;
  }

  #digitsOf({ text, isSign }: Token): string | undefined {
    const plain = keyOf({ text, isSign });
    return this.#digits.get(plain) ?? (/^\d{1,15}$/.test(plain) ? plain : undefined);
  }
}

function isMixedNumber({ digits, words }: { digits: string; words: number }): boolean {
  return digits.length >= mixed.digitsMin && words >= mixed.wordsMin && isSpokenNumber({ digits, words: Infinity });
}

function keyOf({ text, isSign }: Pick<Token, "text" | "isSign">): string {
  if (isSign) return text;
  return /^[a-z]+$/i.test(text) ? text.toLowerCase() : plainForm(text);
}
