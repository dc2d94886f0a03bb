/**
 * Every language with a catalog, under its own name. `reviewed`: a native speaker has read the catalog; the authors
 * have read the first five, screen by screen (docs/i18n/README.md).
 */
export const interfaceLanguages = [
  { value: "zh-CN", text: "简体中文", reviewed: true },
  { value: "en", text: "English", reviewed: true },
  { value: "ar", text: "العربية", reviewed: true },
  { value: "tr", text: "Türkçe", reviewed: true },
  { value: "id", text: "Bahasa Indonesia", reviewed: true },
  { value: "de", text: "Deutsch", reviewed: false },
  { value: "ru", text: "Русский", reviewed: false },
  { value: "fr", text: "Français", reviewed: false },
  { value: "fil", text: "Filipino", reviewed: false },
  { value: "ko", text: "한국어", reviewed: false },
  { value: "nl", text: "Nederlands", reviewed: false },
  { value: "ms", text: "Bahasa Melayu", reviewed: false },
  { value: "pt", text: "Português (Brasil)", reviewed: false },
  { value: "ja", text: "日本語", reviewed: false },
  { value: "th", text: "ไทย", reviewed: false },
  { value: "ur", text: "اردو", reviewed: false },
  { value: "uk", text: "Українська", reviewed: false },
  { value: "uz", text: "Oʻzbekcha", reviewed: false },
  { value: "el", text: "Ελληνικά", reviewed: false },
  { value: "it", text: "Italiano", reviewed: false },
  { value: "hi", text: "हिन्दी", reviewed: false },
  { value: "vi", text: "Tiếng Việt", reviewed: false },
  { value: "az", text: "Azərbaycanca", reviewed: false },
  { value: "ga", text: "Gaeilge", reviewed: false },
  { value: "is", text: "Íslenska", reviewed: false },
  { value: "pl", text: "Polski", reviewed: false },
  { value: "da", text: "Dansk", reviewed: false },
] as const;

export type InterfaceLanguage = (typeof interfaceLanguages)[number]["value"];

const rightToLeft: ReadonlySet<string> = new Set(["ar", "ur"]);

export function directionOf(language: string): "ltr" | "rtl" {
  return rightToLeft.has(language) ? "rtl" : "ltr";
}

/** Offered unless the setting names others. */
export const offeredLanguagesDefault = ["zh-CN", "en", "ar", "tr", "id"] as const satisfies InterfaceLanguage[];

export function isInterfaceLanguage(value: string): value is InterfaceLanguage {
  return interfaceLanguages.some((language) => language.value === value);
}

/**
 * The first preferred language that is offered, otherwise English (rule I18N-1). Any Chinese maps to zh-CN, the nearest
 * text.
 *
 * @param preferred language tags as browsers send them, most preferred first
 */
export function pickOffered<Offered extends string>(
  preferred: readonly string[],
  offered: readonly Offered[],
): Offered | "en" {
  const find = (tag: string) => offered.find((language) => language.toLowerCase() === tag);
  for (const tag of preferred.map((given) => given.toLowerCase())) {
    const base = tag.split("-", 1)[0] ?? "";
    const found = find(tag) ?? find(aliases[base] ?? base);
    if (found !== undefined) return found;
  }
  return "en";
}

/** "in" is the old code of Indonesian, which some Android versions still send; "tl" is Tagalog, for Filipino. */
const aliases: Readonly<Record<string, string>> = { zh: "zh-cn", in: "id", tl: "fil" };

/** Query parameter of the language in a page's address. */
export const languageParameter = "lang";

/** Address of a page in one language; English has no parameter. */
export function languageAddress(path: string, language: string): string {
  return language === "en" ? path : `${path}?${languageParameter}=${language}`;
}
