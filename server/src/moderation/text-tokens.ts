import { latinLookalike, substituteSigns } from "./word-forms.ts";

/** What separates a token from the previous one: nothing, a space, a sign inside a sentence, or a sentence's end. */
export const Gap = { none: 0, space: 1, comma: 2, sentence: 3 } as const;
export type Gap = (typeof Gap)[keyof typeof Gap];

/** A word, or one sign of a script without spaces; positions in UTF-16 units, the end excluded. */
export interface Token {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly isSign: boolean;
  readonly gap: Gap;
}

const Kind = {
  unknown: 0,
  letter: 1,
  sign: 2,
  hidden: 3,
  space: 4,
  comma: 5,
  sentence: 6,
  joint: 7,
  standIn: 8,
} as const;
type Kind = (typeof Kind)[keyof typeof Kind];
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const kinds = new Uint8Array(0x1_0000);
const firstSurrogate = 0xd800;
const lastSurrogate = 0xdfff;

function kindOf(text: string, at: number): Kind {
  const code = text.charCodeAt(at);
  // Surrogate pairs are not cached: the first half alone does not tell the kind.
  if (code >= firstSurrogate && code <= lastSurrogate) return learn(String.fromCodePoint(text.codePointAt(at)!));
  return (kinds[code] ||= learn(String.fromCharCode(code))) as Kind;
}

function learn(sign: string): Kind {
  if (/[\p{Default_Ignorable_Code_Point}\p{Cf}\ufe0f]/u.test(sign)) return Kind.hidden;
  if (/[々ー〇]/u.test(sign) || (unspaced.test(sign) && /[\p{L}\p{M}]/u.test(sign))) return Kind.sign;
  if (/[\p{L}\p{M}\p{N}]/u.test(sign)) return Kind.letter;
  if (/['’ʼʻ]/u.test(sign)) return Kind.joint;
  if (substituteSigns.includes(sign)) return Kind.standIn;
  if (/[.?;…\n\r。？！；؟۔]/u.test(sign)) return Kind.sentence;
  if (/[\p{P}\p{Cc}]/u.test(sign) && sign !== "\t") return /[-_/*~"“”«»]/.test(sign) ? Kind.space : Kind.comma;
  return latinLookalike(sign) === sign ? Kind.space : Kind.letter;
}

/**
 * Linear in the length. Hidden signs, apostrophes and letter substitutes ("b!tch") belong to a word between letters.
 */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let gap: Gap = Gap.sentence;
  let at = 0;
  while (at < text.length) {
    const kind = kindOf(text, at);
    if (kind === Kind.letter || kind === Kind.sign || (kind === Kind.standIn && isLetterAt(text, at + 1))) {
      const end = kind === Kind.sign ? at + width(text, at) : wordEnd(text, at);
      tokens.push({ start: at, end, text: text.slice(at, end), isSign: kind === Kind.sign, gap });
      gap = Gap.none;
      at = end;
      continue;
    }
    if (kind !== Kind.hidden) {
      const isEnd = kind === Kind.sentence || kind === Kind.standIn;
      gap = Math.max(gap, isEnd ? Gap.sentence : kind === Kind.comma ? Gap.comma : Gap.space) as Gap;
    }
    at += width(text, at);
  }
  return tokens;
}

/**
 * Calls back with each token until the callback returns true.
 * @returns whether it did.
 */
export function someToken(text: string, tells: (start: number, end: number, isSign: boolean) => boolean): boolean {
  let at = 0;
  while (at < text.length) {
    const kind = kinds[text.charCodeAt(at)] || kindOf(text, at);
    if (kind === Kind.letter || kind === Kind.sign || (kind === Kind.standIn && isLetterAt(text, at + 1))) {
      const end = kind === Kind.sign ? at + width(text, at) : wordEnd(text, at);
      if (tells(at, end, kind === Kind.sign)) return true;
      at = end;
    } else at += width(text, at);
  }
  return false;
}

function wordEnd(text: string, start: number): number {
  let end = start;
  let at = start;
  while (at < text.length) {
    const kind = kinds[text.charCodeAt(at)] || kindOf(text, at);
    if (kind === Kind.space) break;
    const isInside = kind === Kind.hidden || kind === Kind.joint || kind === Kind.standIn;
    if (kind !== Kind.letter && !isInside) break;
    at += width(text, at);
    if (kind === Kind.letter) end = at;
  }
  return end;
}

function isLetterAt(text: string, at: number): boolean {
  return at < text.length && kindOf(text, at) === Kind.letter;
}

function width(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < firstSurrogate || code > lastSurrogate || (text.codePointAt(at) ?? 0) <= 0xffff ? 1 : 2;
}
