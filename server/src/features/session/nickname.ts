import { nicknameLengthMax } from "@fava/wire/limits.ts";

// Controls, line and paragraph separators, and the marks that turn the direction of the text around them: a name with
// those can rewrite the line it stands in.
const unsafe = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** What remains of a name that somebody else wrote: at most 40 characters, maybe none (rule SIGNIN-66). */
export function cleanNickname(text: string): string {
  const clean = text.normalize("NFC").replace(/\s+/gu, " ").replace(unsafe, "").replace(/ {2,}/g, " ").trim();
  return Array.from(clean).slice(0, nicknameLengthMax).join("").trim();
}
