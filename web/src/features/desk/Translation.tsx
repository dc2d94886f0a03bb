import { type ReactNode, useEffect, useRef, useState } from "react";
import { formatPercent } from "#lib/format-units.ts";
import { useLanguage, useT } from "#lib/i18n.ts";
import { languageName } from "#lib/intl.ts";
import { offerOf, type Translated, translate, type TranslatingBrowser } from "./browser-translator.ts";
import styles from "./Translation.module.css";

type Phase =
  | { readonly is: "none" | "failed" }
  | { readonly is: "offered"; readonly from: string | null }
  /** `share` of the download, 0 to 1; null without one. */
  | { readonly is: "working"; readonly share: number | null }
  | ({ readonly is: "shown" } & Translated);

/** Offers a translation of a text below it, where the browser can translate; the original stays. */
export function Translation({ text }: { text: string }): ReactNode {
  const language = useLanguage();
  return <OneTranslation key={`${language} ${text}`} text={text} reader={language} />;
}

function OneTranslation({ text, reader }: { text: string; reader: ReturnType<typeof useLanguage> }): ReactNode {
  const t = useT();
  const { phase, start, cancel, hide } = useBrowserTranslation(text, reader);
  switch (phase.is) {
    case "none":
      return null;
    case "offered": {
      const { from } = phase;
      const name =
        from === null ? t("desk.translate") : t("desk.translate.from", { language: languageName(reader, from) });
      return (
        <button type="button" className={styles.action} onClick={start}>
          {name}
        </button>
      );
    }
    case "working":
      return (
        <p className={styles.state} role="status">
          {phase.share === null
            ? t("desk.translate.working")
            : t("desk.translate.loading", { share: formatPercent(phase.share * 100) })}
          <button type="button" className={styles.action} onClick={cancel}>
            {t("common.cancel")}
          </button>
        </p>
      );
    case "shown":
      return (
        <div className={styles.shown} role="status">
          <p lang={reader} dir="auto" translate="no">
            {phase.text}
          </p>
          <small>{t("desk.translate.by", { language: languageName(reader, phase.from) })}</small>
          <button type="button" className={styles.action} onClick={hide}>
            {t("desk.hide")}
          </button>
        </div>
      );
    case "failed":
      return (
        <p className={styles.state} role="status">
          {t("desk.translate.failed")}
          <button type="button" className={styles.action} onClick={start}>
            {t("desk.again")}
          </button>
        </p>
      );
  }
}

function useBrowserTranslation(text: string, reader: string) {
  const browser = globalThis as TranslatingBrowser;
  const [phase, setPhase] = useState<Phase>({ is: "none" });
  const running = useRef<AbortController>(null);
  const begin = () => {
    running.current?.abort();
    running.current = new AbortController();
    return running.current.signal;
  };
  const offer = (signal: AbortSignal) =>
    offerOf(browser, text, { reader, signal }).then(
      (found) => !signal.aborted && setPhase(found ? { is: "offered", ...found } : { is: "none" }),
      (error: unknown) => console.info("no translation is offered", error),
    );
  useEffect(() => {
    void offer(begin());
    return () => running.current?.abort();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once: another text is another component
  }, []);

  async function start(): Promise<void> {
    const signal = begin();
    setPhase({ is: "working", share: null });
    const onProgress = (share: number) => !signal.aborted && setPhase({ is: "working", share });
    try {
      const translated = await translate(browser, text, { reader, signal, onProgress });
      if (!signal.aborted) setPhase(translated ? { is: "shown", ...translated } : { is: "failed" });
    } catch (error) {
      if (signal.aborted) return;
      console.info("translating failed", error);
      setPhase({ is: "failed" });
    }
  }
  const offerAgain = () => void offer(begin());
  return { phase, start: () => void start(), cancel: offerAgain, hide: offerAgain };
}
