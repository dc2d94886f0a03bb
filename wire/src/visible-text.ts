/** A sign that a person can see. U+2800 is the Braille pattern without dots; the Hangul fillers are default-ignorable. */
const visibleSign = /(?!\p{Default_Ignorable_Code_Point}|\u2800)[\p{L}\p{N}\p{P}\p{S}]/u;

/** Whether a text has at least one letter, number, punctuation mark or symbol that takes up ink. */
export function hasVisibleSign(text: string): boolean {
  return visibleSign.test(text);
}

/** Combining marks that one base keeps: stacks of more cover the lines around them. */
const marksMax = 4;
/** The same for scripts whose spelling needs more, such as Hebrew with cantillation or Burmese. */
const nativeMarksMax = 8;

// What is drawn without a width does not begin a new base: marks behind it stack on.
const markRun = /\p{M}(?:\p{M}|\p{Default_Ignorable_Code_Point})*/gu;
const mark = /^\p{M}$/u;
// Hebrew, Arabic, Syriac, Thaana, Indic scripts, Sinhala; Tibetan, Burmese; Khmer; Vedic and Devanagari extensions.
const nativeMark = /^(?:[\u0590-\u0dff]|[\u0f00-\u109f]|[\u1780-\u17ff]|[\u1cd0-\u1cff]|[\ua8e0-\ua8ff])$/;

// No script needs these: they show letters in another order than they are written, and the text rules read the latter.
const directionOverrides = /[\u202d\u202e]/g;

/**
 * The text with at most four combining marks a base, eight where they belong to a script that stacks its own, and without
 * marks that override the direction of letters. Trimmed rather than refused: a person who pasted a decorated name or line
 * loses nothing that can be read.
 */
export function limitMarks(text: string): string {
  return text.replace(directionOverrides, "").replace(markRun, trimRun);
}

function trimRun(run: string): string {
  // A variation selector belongs to an emoji, of which some have one and a keycap.
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
