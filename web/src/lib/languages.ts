/** The interface languages on offer, each with its own name (specification section 1). */
export const languages = [
  { value: "en", text: "English" },
  { value: "zh-CN", text: "简体中文" },
  { value: "ar", text: "العربية" },
  { value: "tr", text: "Türkçe" },
  { value: "id", text: "Bahasa Indonesia" },
] as const;

export type Language = (typeof languages)[number]["value"];

const rightToLeft: ReadonlySet<string> = new Set(["ar", "ur"]);

export function isLanguage(value: string): value is Language {
  return languages.some((language) => language.value === value);
}

export function directionOf(language: string): "ltr" | "rtl" {
  return rightToLeft.has(language) ? "rtl" : "ltr";
}

/**
 * The first of the browser's languages that is on offer, otherwise English (rule I18N-1). Any Chinese is read as
 * zh-CN, because the offer has no nearer one.
 */
export function pickLanguage(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    if (isLanguage(tag)) return tag;
    const base = tag.split("-")[0]?.toLowerCase() ?? "";
    if (base === "zh") return "zh-CN";
    // "in" is the old code of Indonesian, which some Android versions still send.
    if (base === "in") return "id";
    if (isLanguage(base)) return base;
  }
  return "en";
}
