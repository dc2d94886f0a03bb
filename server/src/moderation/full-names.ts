import {
  anyOf,
  ends,
  everywhere,
  firstOf,
  pattern,
  starts,
  type TextRange,
  rangeOf,
  wholeWord,
} from "./account-patterns.ts";
import { accountWords } from "./account-words.ts";
import { arabicService, findsByName } from "./service-names.ts";

const { names } = accountWords;
const finders = wholeWord(names.finders);
/** Two to four words that begin with a capital, as in a full name. */
const fullName = "\\p{Lu}[\\p{Ll}\\p{M}'’]{1,20}(?: \\p{Lu}[\\p{Ll}\\p{M}'’]{1,20}){1,3}";
const service = "(?<service>\\p{L}{2,14})";
const capitalised = (words: readonly string[]) =>
  words.flatMap((word) => [word, word[0]!.toUpperCase() + word.slice(1)]);
/** "look up Ana Lima on Facebook". */
const lookedUp = everywhere(
  starts,
  anyOf(capitalised(names.leads)),
  ` ${fullName} ${anyOf(accountWords.prepositions)} ${service}`,
);
/** "fb: Ana Lima". */
const announced = everywhere(starts, service, `(?: ${anyOf(names.owners)}){0,2}\\s?[:=]\\s?${fullName}`);
/** "fb ku Ana Lima, add ya", "facebookta Ana Lima, mesaj at". */
const ownedName = everywhere(
  starts,
  service,
  `(?:['’]${anyOf(names.places.tr)}|(?<=${anyOf(names.places.tr)})| ${anyOf(names.owners)})(?: \\p{Ll}{2,9})? ${fullName}`,
);
/** "cari di fb Ana Lima". */
const soughtName = everywhere(
  starts,
  anyOf(capitalised(names.finders)),
  `(?: \\p{Ll}{2,5})? ${anyOf(names.places.id)} ${service} ${fullName}`,
);
/** "facede ana lima diye bul beni". */
const soughtAs = everywhere(
  starts,
  "(?<service>\\p{L}{2,14})['’]?\\p{L}{0,3}",
  `(?: \\p{L}{2,20}){1,4} ${anyOf(names.as.tr)} ${anyOf(names.seekMe)}`,
  ends,
);

/** "Facebook by the name of Ana Lima", in Arabic, which has no capitals. */
const arabicName = pattern(arabicService, `(?: ?:| ${anyOf(names.as.ar)}) ?\\p{L}{3,20} \\p{L}{3,20}`);

/** Finds a full name to look up on a service. The text is unfolded: capitals distinguish names from other words. */
export function fullNameIn(text: string): TextRange | undefined {
  const isFound = (found: RegExpExecArray) => findsByName(found.groups!["service"]!);
  const led = [lookedUp, announced, soughtName].map((shape) => firstOf(shape, text, isFound)).find(Boolean);
  if (led) return rangeOf(led);
  return finders.test(text.toLowerCase()) ? rangeOf(firstOf(ownedName, text, isFound)) : undefined;
}

/** Finds such a name without capitals, where other words mark the name. The text is folded. */
export function uncapitalisedNameIn(folded: string): TextRange | undefined {
  const sought = firstOf(soughtAs, folded.replaceAll("ı", "i"), (found) => findsByName(found.groups!["service"]!));
  return rangeOf(sought ?? (finders.test(folded) ? arabicName.exec(folded) : null));
}
