import { Printer } from "lucide-react";
import { type ReactNode, use, useEffect, useState } from "react";
import { formatDay } from "#lib/format-date.ts";
import { formatNumber } from "#lib/format.ts";
import { useLanguage, useT } from "#lib/i18n.ts";
import { directionOf } from "#lib/languages.ts";
import { useMediaQuery } from "#lib/use-media-query.ts";
import { Note } from "#ui/Note.tsx";
import { FilledText } from "./FilledText.tsx";
import { PageBlock } from "./PageBlock.tsx";
import { PageFrame } from "./PageFrame.tsx";
import { ContentLanguage } from "./content-language.ts";
import type { IndexedPath } from "./indexed-pages.ts";
import type { PageContent } from "./page-content.ts";
import { type LegalDocument, pageText } from "./page-texts.ts";
import { usePageHead } from "./use-page-head.ts";
import bulletStyles from "./Bullets.module.css";
import styles from "./LegalPage.module.css";

const shortId = "in-short";
const paths = {
  privacy: "/privacyPolicy",
  terms: "/userAgreement",
  rules: "/communityRules",
  accessibility: "/accessibility",
} as const satisfies Record<LegalDocument, IndexedPath>;

/** Privacy policy, terms, community rules and accessibility statement: one component with different texts. */
export function LegalPage({ document }: { document: LegalDocument }): ReactNode {
  const t = useT();
  const wanted = useLanguage();
  const { content, language } = use(pageText(document, wanted));
  usePageHead(paths[document]);
  useEffect(() => {
    // The browser looked for the anchor before the text was loaded.
    const anchor = decodeURIComponent(window.location.hash.slice(1));
    if (anchor !== "") window.document.querySelector(`#${CSS.escape(anchor)}`)?.scrollIntoView();
  }, [document]);
  // An English text on a page of another language has its own direction and language.
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
            {language !== wanted && <Note className={styles.fallback}>{t("page.onlyEnglish")}</Note>}
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

interface ContentsEntry {
  id: string;
  text: string;
}

/** The contents of a page: beside the text with the current part marked; on narrow screens a closed list above it. */
function Contents({ entries, own }: { entries: readonly ContentsEntry[]; own: object }): ReactNode {
  const t = useT();
  const beside = useMediaQuery("(min-width: 961px)");
  const current = usePartInView(entries);
  return (
    <nav className={styles.contents} aria-labelledby="contents-title">
      <details key={String(beside)} open={beside}>
        <summary id="contents-title">{t("page.contents")}</summary>
        <ol>
          {entries.map((entry, index) => (
            <li key={entry.id}>
              <a
                href={`#${entry.id}`}
                aria-current={entry.id === current ? "location" : undefined}
                {...(index > 0 && own)}
              >
                {entry.text}
              </a>
            </li>
          ))}
        </ol>
      </details>
    </nav>
  );
}

/** The last part whose heading has passed the upper third of the window. */
function usePartInView(entries: readonly ContentsEntry[]): string | undefined {
  const [current, setCurrent] = useState(entries[0]?.id);
  useEffect(() => {
    const parts = entries.flatMap((entry) => document.querySelector(`#${CSS.escape(entry.id)}`) ?? []);
    const look = () => {
      const line = window.innerHeight / 3;
      const passed = parts.findLast((part) => part.getBoundingClientRect().top <= line);
      setCurrent((passed ?? parts[0])?.id);
    };
    look();
    window.addEventListener("scroll", look, { passive: true });
    window.addEventListener("resize", look);
    return () => {
      window.removeEventListener("scroll", look);
      window.removeEventListener("resize", look);
    };
  }, [entries]);
  return current;
}

const wordsPerMinute = 220;
/** Chinese is counted in characters, because it has no spaces between words. */
const charactersPerMinute = 400;

/** The reading time of a page in whole minutes, at least 1. */
export function readingMinutes(page: PageContent): number {
  const texts = [
    ...page.short,
    ...page.sections.flatMap((section) => [
      section.heading,
      ...section.blocks.flatMap((block) => {
        if (block.kind === "paragraph") return [block.text];
        return block.kind === "list" ? block.items : [...block.head, ...block.rows.flat()];
      }),
    ]),
  ];
  const whole = texts.join(" ");
  const characters = whole.match(/\p{Script=Han}/gu)?.length ?? 0;
  const words = whole.replaceAll(/\p{Script=Han}/gu, " ").match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  return Math.max(1, Math.round(words / wordsPerMinute + characters / charactersPerMinute));
}
