// Controls, lone surrogates and the marks that turn the direction of the text around them: a line with those can
// rewrite the line it stands in. Line breaks are handled before.
const unsafe = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;
const blankLines = /\n{3,}/g;

/** One line of text: composed, without controls, single spaces. */
export function cleanLine(text: string): string {
  return text.normalize("NFC").replace(/\s+/gu, " ").replace(unsafe, "").replace(/ {2,}/g, " ").trim();
}

/** A text with line breaks, of which at most one line stays empty between two. */
export function cleanParagraph(text: string): string {
  const lines = text.replace(/\r\n?|[\u2028\u2029]/g, "\n").split("\n");
  return lines.map(cleanLine).join("\n").replace(blankLines, "\n\n").trim();
}
