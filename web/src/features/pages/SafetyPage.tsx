import { use, useEffect, useRef, type ReactNode } from "react";
import { goTo } from "#lib/address.ts";
import { useLanguage, useT } from "#lib/i18n.ts";
import { directionOf } from "#lib/languages.ts";
import { hasOpenLayer } from "#lib/layers.ts";
import { usePageHead } from "#lib/use-page-head.ts";
import { ContentLanguage } from "./content-language.ts";
import { PageFrame } from "./PageFrame.tsx";
import { pageText } from "./page-texts.ts";
import { SafetyActions } from "./SafetyActions.tsx";
import { SafetyHelp } from "./SafetyHelp.tsx";
import { Cards, Steps, Talk, type TextMark } from "./SafetyParts.tsx";
import { SafetyReport } from "./SafetyReport.tsx";
import styles from "./SafetyPage.module.css";

/**
 * `/safety`: help against blackmail first, then what protects (rules PAGE-45 to PAGE-53). It needs no session, and who
 * leaves leaves no way back to it in this tab.
 */
export function SafetyPage(): ReactNode {
  const t = useT();
  const wanted = useLanguage();
  const { content, language } = use(pageText("safety", wanted));
  const reportTitle = useRef<HTMLHeadingElement>(null);
  usePageHead("/safety");
  useLeaveKey();
  const own: TextMark = language === wanted ? {} : { lang: language, dir: directionOf(language) };
  return (
    <PageFrame>
      <ContentLanguage value={language}>
        <main className={styles.main}>
          {language !== wanted && <p className={styles.fallback}>{t("page.onlyEnglish")}</p>}
          <section className={styles.help} aria-labelledby="threatened">
            <div className={styles.copy}>
              <div {...own}>
                <h1 id="threatened">{content.title}</h1>
                <p>{content.lead}</p>
              </div>
              <SafetyActions
                template={content.template}
                onReport={() => reportTitle.current?.focus()}
                onLeave={leave}
              />
            </div>
            <Steps content={content} own={own} />
          </section>
          <SafetyReport template={content.template} own={own} titleRef={reportTitle} />
          <Talk content={content} own={own} />
          <Cards content={content} own={own} />
          <SafetyHelp content={content} own={own} />
        </main>
      </ContentLanguage>
    </PageFrame>
  );
}

/** To the start page, which says nothing of why somebody was here. */
function leave(): void {
  goTo("/", { replace: true });
}

function useLeaveKey(): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented && !event.isComposing && !hasOpenLayer()) leave();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);
}
