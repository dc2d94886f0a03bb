import { Languages } from "lucide-react";
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { type Translate, useLanguage, useT } from "#lib/i18n.ts";
import { directionOf, type Language } from "#lib/languages.ts";
import { leaveFocusToLog } from "#lib/log-focus.ts";
import type { Reader } from "#lib/translation/browser-translator.ts";
import { useReader } from "#lib/translation/reader.ts";
import { failureText, nameOf, offerText, originText, workingText } from "#lib/translation/translation-texts.ts";
import { type TranslatedPart, useTranslation } from "#lib/translation/use-translation.ts";
import { HiddenSign, HiddenText } from "#ui/CoveredText.tsx";
import type { TranslatableTextProps } from "#ui/TranslatableText.tsx";
import styles from "#ui/TranslatedText.module.css";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";

/** Another user's text, replaced by its translation once the browser has one; a press returns to the original. */
export function TranslatedText(props: TranslatableTextProps): ReactNode {
  const reader = useReader();
  if (!reader) return <Original {...props} language={null} />;
  return (
    <OneTranslation key={`${reader.language} ${[...reader.speaks].join()} ${props.text}`} {...props} reader={reader} />
  );
}

function OneTranslation({ reader, ...source }: TranslatableTextProps & { reader: Reader }): ReactNode {
  const t = useT();
  const language = useLanguage();
  const { phase, start, cancel } = useTranslation(source, { reader, isAutomatic: true });
  const [isOriginal, setOriginal] = useState(false);
  const whole = useRef<HTMLSpanElement>(null);
  useKeptPlace(whole);
  const from = "from" in phase ? phase.from : null;
  const button = buttonOf(t, phase, isOriginal);
  const press = () => {
    if (phase.is === "shown") setOriginal(!isOriginal);
    else if (phase.is === "working") cancel();
    else start();
  };
  return (
    <span ref={whole}>
      {phase.is === "shown" && !isOriginal ? (
        <Shown parts={phase.parts} language={language} />
      ) : (
        <Original {...source} language={from} />
      )}
      {button !== null && (
        <span className={styles.note} translate="no">
          <Note phase={phase} />
          {/* One button for all states keeps the focus. */}
          <button ref={leaveFocusToLog} type="button" onClick={press}>
            {button}
          </button>
        </span>
      )}
    </span>
  );
}

type Phase = ReturnType<typeof useTranslation>["phase"];

/** The name of the button; null where nothing is offered. */
function buttonOf(t: Translate, phase: Phase, isOriginal: boolean): string | null {
  switch (phase.is) {
    case "none":
      return null;
    case "offered":
      return offerText(t, phase.from);
    case "working":
      return t("common.cancel");
    case "shown":
      return t(isOriginal ? "translate.again" : "translate.original");
    case "failed":
      return t("common.retry");
  }
}

/** What happens, or the language of the original. */
function Note({ phase }: { phase: Phase }): ReactNode {
  const t = useT();
  if (phase.is === "failed") return <span>{failureText(t, phase.by)}</span>;
  // Screen readers announce the log's changes, but not each percent.
  if (phase.is === "working")
    return <span aria-live={phase.share === null ? undefined : "off"}>{workingText(t, phase.share)}</span>;
  if (phase.is !== "shown") return null;
  const says = originText(t, phase);
  return (
    <span className={styles.mark} title={says}>
      <Languages size={15} aria-hidden="true" />
      <span aria-hidden="true">{[nameOf(phase.from), ...(phase.by === null ? [] : [phase.by])].join(" · ")}</span>
      <VisuallyHidden>{says}</VisuallyHidden>
    </span>
  );
}

/** `language`: that of the text; null: unknown. */
function Original(props: Pick<TranslatableTextProps, "text" | "hidden"> & { language: string | null }): ReactNode {
  const { text, hidden, language } = props;
  return (
    <span className={styles.text} dir="auto" lang={language ?? undefined}>
      <HiddenText text={text} hidden={hidden} />
    </span>
  );
}

function Shown({ parts, language }: { parts: readonly TranslatedPart[]; language: Language }): ReactNode {
  return (
    <span className={styles.text} dir={directionOf(language)} lang={language} translate="no">
      {parts.map((part, index) => (part.isHidden ? <HiddenSign key={index} /> : part.text))}
    </span>
  );
}

/** Within this distance from the end, a log follows a text that grows. */
const nearEndPx = 48;

/** Keeps what is being read in its place while a text in a log changes its height. */
function useKeptPlace(element: RefObject<HTMLElement | null>): void {
  const heightPx = useRef<number | null>(null);
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- measures each rendering
  useLayoutEffect(() => {
    const own = element.current;
    const log = own?.closest("[role=log]");
    if (!own || !log) return;
    const beforePx = heightPx.current ?? own.offsetHeight;
    heightPx.current = own.offsetHeight;
    const grownPx = own.offsetHeight - beforePx;
    if (grownPx === 0) return;
    const { scrollTop, scrollHeight, clientHeight } = log;
    if (scrollHeight - grownPx - scrollTop - clientHeight <= nearEndPx) log.scrollTop = scrollHeight;
    // Elsewhere the browser does this itself.
    else if (getComputedStyle(log).overflowAnchor === "none" && isAbove(own, log)) log.scrollTop = scrollTop + grownPx;
  });
}

function isAbove(element: Element, log: Element): boolean {
  return element.getBoundingClientRect().top < log.getBoundingClientRect().top;
}
