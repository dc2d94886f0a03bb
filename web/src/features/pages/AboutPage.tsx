import { ArrowUpRight, Building2, ShieldCheck, Timer, Video } from "lucide-react";
import { use, useRef, useState, type ReactNode } from "react";
import { useLanguage, useT } from "#lib/i18n.ts";
import { directionOf } from "#lib/languages.ts";
import { usePageHead } from "#lib/use-page-head.ts";
import { Link } from "#ui/Link.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { MeetPicture, MeterPicture, SafePicture } from "./AboutPictures.tsx";
import { ContentLanguage } from "./content-language.ts";
import { Cooperation } from "./Cooperation.tsx";
import { FilledText } from "./FilledText.tsx";
import { PageBlock } from "./PageBlock.tsx";
import { PageFrame } from "./PageFrame.tsx";
import { pageText } from "./page-texts.ts";
import styles from "./AboutPage.module.css";

const features = [
  { icon: <Video size={22} aria-hidden="true" />, picture: <MeetPicture /> },
  { icon: <ShieldCheck size={22} aria-hidden="true" />, picture: <SafePicture /> },
  { icon: <Timer size={22} aria-hidden="true" />, picture: <MeterPicture /> },
] as const;

/** About us (specification section 2, rule PAGE-3). */
export function AboutPage(): ReactNode {
  const t = useT();
  const wanted = useLanguage();
  const { content, language } = use(pageText("about", wanted));
  usePageHead("/aboutUs");
  const own = language === wanted ? {} : { lang: language, dir: directionOf(language) };
  return (
    <PageFrame>
      <main className={styles.main}>
        <ContentLanguage value={language}>
          {language !== wanted && <p className={styles.fallback}>{t("page.onlyEnglish")}</p>}
          <div {...own}>
            <header className={styles.hero}>
              <h1>{content.title}</h1>
              <p>{content.lead}</p>
            </header>
            <section className={styles.features} aria-label={t("page.aboutFeatures")}>
              {content.features.map((feature, index) => (
                <article key={feature.heading}>
                  <div className={styles.picture}>{features[index]?.picture}</div>
                  <h2>
                    {features[index]?.icon}
                    {feature.heading}
                  </h2>
                  <p>
                    <FilledText text={feature.text} />
                  </p>
                </article>
              ))}
            </section>
            <section className={styles.info} aria-labelledby="how-we-run-it">
              <h2 id="how-we-run-it">{t("page.aboutInfo")}</h2>
              <div>
                {content.sections.map((section) => (
                  <article key={section.id} id={section.id}>
                    <h3>{section.heading}</h3>
                    {section.blocks.map((block, index) => (
                      <PageBlock key={index} block={block} caption={section.heading} />
                    ))}
                  </article>
                ))}
              </div>
            </section>
            <p className={styles.copyright}>
              <FilledText text={content.copyright} />
            </p>
          </div>
        </ContentLanguage>
        <AboutLinks />
      </main>
    </PageFrame>
  );
}

function AboutLinks(): ReactNode {
  const t = useT();
  const [cooperation, setCooperation] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setCooperation(false);
    opener.current?.focus();
  };
  const arrow = <ArrowUpRight size={20} className="flip" aria-hidden="true" />;
  return (
    <div className={styles.end}>
      <nav className={styles.links} aria-label={t("page.aboutLinks")}>
        <button
          ref={opener}
          type="button"
          aria-haspopup="dialog"
          aria-expanded={cooperation}
          onClick={() => setCooperation(true)}
        >
          {t("page.contact")}
          <Building2 size={20} aria-hidden="true" />
        </button>
        <a href="/userAgreement" target="_blank" rel="noopener">
          {t("page.terms")}
          <VisuallyHidden>({t("common.newWindow")})</VisuallyHidden>
          {arrow}
        </a>
        <Link to="/communityRules">
          {t("page.rules")}
          {arrow}
        </Link>
      </nav>
      {cooperation && <Cooperation onClose={close} />}
    </div>
  );
}
