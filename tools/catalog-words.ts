/** Faults of a text that are visible without knowing its language. */

/** Whether a text has nothing to translate, only placeholders, signs, digits and the name of the product. */
export function isWordless(text: string): boolean {
  return !/\p{L}/u.test(text.replaceAll(/\{\w+\}/g, "").replaceAll("Fava", ""));
}

/** Signs that no text of the interface may have (docs/i18n/glossary.md), each with its fault. */
const wrongSigns: readonly (readonly [sign: RegExp, fault: string])[] = [
  [/'/, "has a straight apostrophe instead of ’"],
  [/"/, "has straight quotation marks"],
  [/[!¡！]/, "has an exclamation mark"],
  [/\.\.\./, "has three dots instead of …"],
  [/ {2}/, "has two spaces in a row"],
  [/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u0e50-\u0e59]/, "has other than Western digits"],
];

export function signFaults(text: string): readonly string[] {
  return wrongSigns.filter(([sign]) => sign.test(text)).map(([, fault]) => fault);
}

/** Words that the English texts do not use (docs/i18n/glossary.md, Tone). */
const stiffWords =
  /\b(?:somebody|anybody|everybody|whoever|whom|meanwhile|anew|any more|by itself|by themselves|go on|goes on)\b/i;

/** A fault of an English text that is not in the voice of the interface. */
export function voiceFaults(text: string): readonly string[] {
  const word = stiffWords.exec(text)?.[0];
  return word === undefined ? [] : [`says "${word}", which no English text does`];
}

/**
 * Width of a line in letters: Chinese letters count twice, combining marks not at all; a plural counts by its widest
 * form.
 */
export function shownWidth(text: string): number {
  const plain = text.replaceAll(/\{\w+\}/g, "00");
  const forms = Array.from(plain.matchAll(/(?:=\d+|\w+) \{([^{}]*)\}/g), ([, form = ""]) => form);
  return Math.max(...(forms.length > 0 ? forms : [plain]).map(lineWidth));
}

function lineWidth(line: string): number {
  const letters = line.match(/[^\p{M}\p{Cf}]/gu) ?? [];
  const isWide = (letter: string) => /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uff00-\uff60]/.test(letter);
  return letters.reduce((sum, letter) => sum + (isWide(letter) ? 2 : 1), 0);
}

/** How wide the text of a button may be, by the English one: generous, since buttons grow with their text. */
export function buttonWidthMax(original: string): number {
  const width = shownWidth(original);
  return Math.max(width * 1.75, width + 14);
}

/** Keys of the texts between `<Button ...>` and `</Button>`. */
export function buttonKeys(code: string): readonly string[] {
  const buttons = code.matchAll(/<Button\b[^]*?<\/Button>/g);
  return [...buttons].flatMap(([button]) => {
    const inside = button.slice(button.search(/>\s*\n|>\{|>$/));
    return Array.from(inside.matchAll(/\bt\(\s*"([^"]+)"/g), ([, key = ""]) => key);
  });
}

/** Literal words in an attribute of a component, which belong into a catalog. */
export function wordsInAttributes(code: string): readonly string[] {
  const names = "aria-label|aria-description|aria-roledescription|aria-valuetext|alt|title|placeholder|label|lead|text";
  const attributes = code.matchAll(new RegExp(String.raw`\s(?:${names})="[^"]*\p{L}{2}[^"]*"`, "gu"));
  return Array.from(attributes, ([attribute]) => attribute.trim());
}
