import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import type { TextSpan } from "@fava/wire/messages.ts";
import type { TextPlace } from "#lib/translation/server-translator.ts";
import { canTranslate, useIsTranslating } from "#lib/translation/translation-setting.ts";
import { HiddenText } from "#ui/CoveredText.tsx";
import { loadWithTimeout } from "#ui/lazy-with-timeout.ts";

export interface TranslatableTextProps {
  readonly text: string;
  readonly place: TextPlace;
  readonly writerId: number | undefined;
  readonly sharesLanguage: boolean;
  readonly hidden: readonly TextSpan[];
  /** Hides contact details that only the translation has. */
  readonly hidesContacts: boolean;
}

let loaded: ComponentType<TranslatableTextProps> | null = null;

/** Another user's text, and its translation where the user wants one. Without the part that translates, the text stays. */
export function TranslatableText(props: TranslatableTextProps): ReactNode {
  const isWanted = useIsTranslating() && canTranslate();
  const [Translated, setTranslated] = useState(() => loaded);
  useEffect(() => {
    if (!isWanted || Translated) return;
    loadWithTimeout(() => import("#ui/TranslatedText.tsx")).then(
      (part) => {
        loaded = part.TranslatedText;
        setTranslated(() => part.TranslatedText);
      },
      (error: unknown) => console.info("texts are not translated", error),
    );
  }, [isWanted, Translated]);
  if (isWanted && Translated) return <Translated {...props} />;
  return (
    <span dir="auto">
      <HiddenText text={props.text} hidden={props.hidden} />
    </span>
  );
}
