const start = "(?<![\\p{L}\\p{N}])";
const end = "(?![\\p{L}\\p{N}])";
/** What a space of a phrase stands for, and one that may be missing (" ?"). */
const between = "[\\s,.!*_~-]";
const turkishLetters: Readonly<Record<string, string>> = { ş: "[şs]", ç: "[çc]", ğ: "[ğg]", ö: "[öo]", ü: "[üu]" };
const lookAlikes: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  "’": "'",
  ı: "i",
  أ: "ا",
  إ: "ا",
  آ: "ا",
  ى: "ي",
  ة: "ه",
};
const lookAlike = /(?<=\p{Script=Latin})[013457@]|[013457@](?=\p{Script=Latin})|[’ıأإآىة]/gu;

/**
 * What finds phrases in folded text: `spaced` between other words, `unspaced` anywhere. The phrases are patterns in
 * which every repetition has its limit, so that time grows with the length of the text.
 */
export function phraseFinder(
  spaced: readonly string[],
  unspaced: readonly string[],
): (folded: string) => RegExpMatchArray[] {
  const words = spaced.map((phrase) => withLetters(withGaps(plainLetters(phrase)))).join("|");
  const pattern = new RegExp(`${start}(?:${words})${end}|${unspaced.join("|")}`, "gu");
  return (folded) => Array.from(plainLetters(folded).matchAll(pattern));
}

function withGaps(phrase: string): string {
  return phrase.replaceAll(/ \??/g, (space) => `${between}{${space === " " ? 1 : 0},3}`);
}

/** One sign for another, so that every place in the text stays where it is. */
function plainLetters(text: string): string {
  return text.replace(lookAlike, (sign) => lookAlikes[sign] ?? sign);
}

/** Turkish is also written without its marks; a Kurd would be a wolf then. */
function withLetters(phrase: string): string {
  return phrase.replaceAll(/[şçğö]|ü(?!rt)/g, (letter) => turkishLetters[letter] ?? letter);
}
