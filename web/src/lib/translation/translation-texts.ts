import { formatPercent } from "#lib/format-units.ts";
import { currentLanguage, type Translate } from "#lib/i18n.ts";
import { languageName } from "#lib/intl.ts";

/** The name of the button that translates. `from`: the language of the text; null: unknown. */
export function offerText(t: Translate, from: string | null): string {
  return from === null ? t("translate.offer") : t("translate.from", { language: nameOf(from) });
}

/** `share` of a download, 0 to 1; null without one. */
export function workingText(t: Translate, share: number | null): string {
  return share === null ? t("translate.working") : t("translate.loading", { share: formatPercent(share * 100) });
}

/** Who translated, and from which language. */
export function originText(t: Translate, from: string): string {
  return t("translate.by", { language: nameOf(from) });
}

export function nameOf(language: string): string {
  return languageName(currentLanguage(), language);
}
