import { anyOf } from "./account-patterns.ts";
import { accountWords, latinServices, services } from "./account-words.ts";

const names = new Set(latinServices);
const everyday = new Set(services.flatMap((service) => service.everyday));
const notServices = new Set(accountWords.notServices);
const endings = new Set(accountWords.endings);
const endingLengthMax = Math.max(...accountWords.endings.map(({ length }) => length));
const placeEnding = new RegExp(`(?<=.{2})['’]?${anyOf(accountWords.names.places.tr)}$`, "u");
const lettersMin = 4;
/** Names of at least this length are recognized with one edit: a letter wrong, missing or extra. */
const misspeltMin = 6;
const longNames = new Map<number, string[]>();
for (const name of names)
  if (name.length >= misspeltMin) longNames.set(name.length, [...(longNames.get(name.length) ?? []), name]);
const lookAlikes: Readonly<Record<string, string>> = {
  "@": "a",
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  $: "s",
  "!": "i",
  "7": "t",
};

const namesWithPeople = new Set(
  services.filter(({ foundBy }) => foundBy === "name").flatMap(({ latin, everyday: short }) => [...latin, ...short]),
);

/** Pattern source for Arabic names of services, with their prefixes and endings. */
export const arabicService: string = [
  "(?<!\\p{L})",
  anyOf(["", ...accountWords.arabicPrefixes]),
  anyOf(services.flatMap(({ arabic }) => arabic)),
  anyOf(["", ...accountWords.arabicEndings]),
  "(?!\\p{L})",
].join("");

/** Whether a folded word is a Latin name of a service, in any spelling. */
export function isService(word: string): boolean {
  const name = lettersOf(word);
  if (name.length < lettersMin || notServices.has(name)) return false;
  return names.has(name) || hasEnding(name) || isMisspelt(name);
}

/** "telegramim", "instaku": whether the word is a service's name with an ending. */
function hasEnding(name: string): boolean {
  for (let length = Math.max(lettersMin, name.length - endingLengthMax); length < name.length; length += 1)
    if (names.has(name.slice(0, length)) && endings.has(name.slice(length))) return true;
  return false;
}

function isMisspelt(name: string): boolean {
  for (let length = name.length - 1; length <= name.length + 1; length += 1)
    if (longNames.get(length)?.some((service) => isOneEditAway(name, service))) return true;
  return false;
}

export function isEverydayService(word: string): boolean {
  return everyday.has(lettersOf(word).replace(/(?<=^(?:snap|insta|tele|kik))(?:me|us)$/, ""));
}

/** Whether a word is a service's name, or the short name of a service that finds people by full name. */
export function findsByName(word: string): boolean {
  const name = lettersOf(word.toLowerCase());
  return isService(name) || namesWithPeople.has(name) || namesWithPeople.has(name.replace(placeEnding, ""));
}

/** The letters of a folded word; digits and signs count as the letters that they resemble. */
function lettersOf(word: string): string {
  // The name has no ASCII sign, so there is nothing to replace.
  if (!/[!-~]/.test(word)) return word;
  return Array.from(word.replaceAll("ı", "i"), (sign) => lookAlikes[sign] ?? sign)
    .join("")
    .replaceAll(/[^\p{L}]/gu, "");
}

/** Whether one letter is wrong, missing or extra, or two neighbours are swapped. */
function isOneEditAway(one: string, other: string): boolean {
  // One edit leaves one of the first two letters in place or next to it.
  if (one[0] !== other[0] && one[1] !== other[1] && one[0] !== other[1] && one[1] !== other[0]) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const [rest, otherRest] = [one.slice(start), other.slice(start)];
  return (
    rest.slice(1) === otherRest.slice(1) ||
    rest.slice(1) === otherRest ||
    rest === otherRest.slice(1) ||
    (rest.slice(2) === otherRest.slice(2) && rest[0] === otherRest[1] && rest[1] === otherRest[0])
  );
}
