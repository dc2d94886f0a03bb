import type { ReactNode } from "react";
import { useLanguage, useT } from "#lib/i18n.ts";
import { directionOf, type Language } from "#lib/languages.ts";
import { readerOf } from "#lib/translation/reader.ts";
import { failureText, offerText, originText, workingText } from "#lib/translation/translation-texts.ts";
import { useTranslation } from "#lib/translation/use-translation.ts";
import styles from "./Translation.module.css";

/** Offers a translation of a text below it, where the browser can translate; the original stays. */
export function Translation({ text }: { text: string }): ReactNode {
  const language = useLanguage();
  return <OneTranslation key={`${language} ${text}`} text={text} language={language} />;
}

function OneTranslation({ text, language }: { text: string; language: Language }): ReactNode {
  const t = useT();
  const { phase, start, cancel } = useTranslation(
    { text, place: { of: "desk" } },
    { reader: readerOf(language), isAutomatic: false },
  );
  switch (phase.is) {
    case "none":
      return null;
    case "offered":
      return (
        <button type="button" className={styles.action} onClick={start}>
          {offerText(t, phase.from)}
        </button>
      );
    case "working":
      return (
        <p className={styles.state} role="status">
          {workingText(t, phase.share)}
          <button type="button" className={styles.action} onClick={cancel}>
            {t("common.cancel")}
          </button>
        </p>
      );
    case "shown":
      return (
        <div className={styles.shown} role="status">
          <p lang={language} dir={directionOf(language)} translate="no">
            {phase.parts.map((part) => part.text)}
          </p>
          <small>{originText(t, phase)}</small>
          <button type="button" className={styles.action} onClick={cancel}>
            {t("desk.hide")}
          </button>
        </div>
      );
    case "failed":
      return (
        <p className={styles.state} role="status">
          {failureText(t, phase.by)}
          <button type="button" className={styles.action} onClick={start}>
            {t("desk.again")}
          </button>
        </p>
      );
  }
}
