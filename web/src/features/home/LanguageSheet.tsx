import { type ReactNode, useState } from "react";
import { activateLanguage, useLanguage, useT } from "#lib/i18n.ts";
import { type Language, languageChoices } from "#lib/languages.ts";
import { reportFailedChunk } from "#lib/failed-chunk.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { Button } from "#ui/Button.tsx";
import { RadioCards } from "#ui/RadioCards.tsx";
import { Sheet } from "#ui/Sheet.tsx";

/** The languages of Fava, for users whose browser translates it. The page reloads in the chosen one. */
export function LanguageSheet(): ReactNode {
  const t = useT();
  const language = useLanguage();
  const [chosen, setChosen] = useState<Language>(language);
  const [isLoading, setLoading] = useState(false);
  async function save(): Promise<void> {
    if (chosen === language) return closeOverlay("language");
    setLoading(true);
    try {
      await activateLanguage(chosen);
      // Without a reload, the browser's translator would keep translating from the previous language.
      location.reload();
    } catch {
      reportFailedChunk();
      setLoading(false);
    }
  }
  return (
    <Sheet
      widthPx={440}
      title={t("home.language")}
      lead={t("translated.text")}
      onClose={() => closeOverlay("language")}
      foot={
        <Button kind="go" block loading={isLoading} onClick={() => void save()}>
          {t("common.save")}
        </Button>
      }
    >
      <RadioCards
        legend={t("home.language")}
        hideLegend
        options={languageChoices().map(({ value, text, lang }) => ({
          value,
          label: (
            <span lang={lang} translate="no">
              {text}
            </span>
          ),
        }))}
        value={chosen}
        onChange={setChosen}
      />
    </Sheet>
  );
}
