import { Printer } from "lucide-react";
import { use, useEffect, type ReactNode } from "react";
import type { FoundPath } from "#lib/found-pages.ts";
import { formatNumber } from "#lib/format.ts";
import { formatDay } from "#lib/format-date.ts";
import { useLanguage, useT } from "#lib/i18n.ts";
import { directionOf } from "#lib/languages.ts";
import { usePageHead } from "#lib/use-page-head.ts";
import { ContentLanguage } from "./content-language.ts";
import { Contents } from "./Contents.tsx";
import { FilledText } from "./FilledText.tsx";
import { PageBlock } from "./PageBlock.tsx";
import { PageFrame } from "./PageFrame.tsx";
import { pageText, type LegalDocument } from "./page-texts.ts";
import { readingMinutes } from "./reading-time.ts";
import bulletStyles from "./Bullets.module.css";
import styles from "./LegalPage.module.css";

const shortId = "in-short";
const paths = {
  privacy: "/privacyPolicy",
  terms: "/userAgreement",
  rules: "/communityRules",
  accessibility: "/accessibility",
} as const satisfies Record<LegalDocument, FoundPath>;

/** Privacy policy, terms, community rules and statement of accessibility: one page with another text (rule PAGE-2). */
export function LegalPage({ document }: { document: LegalDocument }): ReactNode {
  const t = useT();
  const wanted = useLanguage();
  const { content, language } = use(pageText(document, wanted));
  usePageHead(paths[document]);
  useEffect(() => {
    // The browser looked for the anchor before the text had come.
    const anchor = decodeURIComponent(window.location.hash.slice(1));
    if (anchor !== "") window.document.querySelector(`#${CSS.escape(anchor)}`)?.scrollIntoView();
  }, [document]);
  // Where the text is English on a page of another language, it also runs and is read as English.
  const own = language === wanted ? {} : { lang: language, dir: directionOf(language) };
  const minutes = readingMinutes(content);
  return (
    <PageFrame>
      <ContentLanguage value={language}>
        <main className={styles.main}>
          <header className={styles.head}>
            <h1 {...own}>{content.title}</h1>
            <p className={styles.facts}>
              <span>
                {t(document === "accessibility" ? "page.prepared" : "page.inForce", {
                  date: formatDay(content.effective),
                })}
              </span>
              <span aria-hidden="true">·</span>
              <span>{t("page.minutes", { count: minutes, minutes: formatNumber(minutes) })}</span>
              <button type="button" onClick={() => window.print()}>
                <Printer size={17} aria-hidden="true" />
                {t("page.print")}
              </button>
            </p>
            {language !== wanted && <p className={styles.fallback}>{t("page.onlyEnglish")}</p>}
          </header>
          <Contents
            entries={[
              { id: shortId, text: t("page.inShort") },
              ...content.sections.map((section) => ({ id: section.id, text: section.heading })),
            ]}
            own={own}
          />
          <article className={styles.text} {...own}>
            <section id={shortId} className={styles.short}>
              <h2 lang={wanted} dir="auto">
                {t("page.inShort")}
              </h2>
              <ul className={bulletStyles.large}>
                {content.short.map((sentence) => (
                  <li key={sentence}>
                    <FilledText text={sentence} />
                  </li>
                ))}
              </ul>
            </section>
            {content.sections.map((section) => (
              <section key={section.id} id={section.id}>
                <h2>{section.heading}</h2>
                {section.blocks.map((block, index) => (
                  <PageBlock key={index} block={block} caption={section.heading} />
                ))}
              </section>
            ))}
          </article>
        </main>
      </ContentLanguage>
    </PageFrame>
  );
}
