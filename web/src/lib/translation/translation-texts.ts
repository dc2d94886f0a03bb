import { formatPercent } from "#lib/format-units.ts";
import { isolate } from "#lib/format.ts";
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

/** Who translated, and from which language. `by`: the operator's translator; null: the browser. */
export function originText(t: Translate, { from, by }: { from: string; by: string | null }): string {
  const language = nameOf(from);
  return by === null ? t("translate.by", { language }) : t("translate.byServer", { language, name: isolate(by) });
}

/** `by` as in `originText`. */
export function failureText(t: Translate, by: string | null): string {
  return t(by === null ? "translate.failed" : "translate.failedServer");
}

export function nameOf(language: string): string {
  return languageName(currentLanguage(), language);
}
