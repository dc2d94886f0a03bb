/** A visible character. U+2800 is the Braille pattern without dots; the Hangul fillers are default-ignorable. */
const visibleSign = /(?!\p{Default_Ignorable_Code_Point}|\u2800)[\p{L}\p{N}\p{P}\p{S}]/u;

/** Whether a text has a visible letter, number, punctuation mark or symbol. */
export function hasVisibleSign(text: string): boolean {
  return visibleSign.test(text);
}

/** Maximum of combining marks on one base character: higher stacks cover the lines around them. */
const marksMax = 4;
/** Maximum for scripts whose spelling needs more, such as Hebrew with cantillation or Burmese. */
const nativeMarksMax = 8;

// Characters without width do not start a new base: marks after them stack on.
const markRun = /\p{M}(?:\p{M}|\p{Default_Ignorable_Code_Point})*/gu;
const mark = /^\p{M}$/u;
// Hebrew, Arabic, Syriac, Thaana, Indic scripts, Sinhala; Tibetan, Burmese; Khmer; Vedic and Devanagari extensions.
const nativeMark = /^(?:[\u0590-\u0dff]|[\u0f00-\u109f]|[\u1780-\u17ff]|[\u1cd0-\u1cff]|[\ua8e0-\ua8ff])$/;

// No script needs these. They display letters in another order than the text rules read them.
const directionOverrides = /[\u202d\u202e]/g;

/**
 * Limits combining marks to four a base character, eight in scripts that stack marks, and removes direction overrides.
 * It trims instead of rejecting, so that a user who pastes a decorated text loses nothing readable.
 */
export function limitMarks(text: string): string {
  return text.replace(directionOverrides, "").replace(markRun, trimRun);
}

function trimRun(run: string): string {
  // A variation selector belongs to an emoji; some emojis have one and a keycap.
  if (run.length <= marksMax) return run;
  let marks = 0;
  let nativeMarks = 0;
  let kept = "";
  for (const sign of run) {
    if (!mark.test(sign)) kept += sign;
    else if (nativeMark.test(sign) ? ++nativeMarks <= nativeMarksMax : ++marks <= marksMax) kept += sign;
  }
  return kept;
}
