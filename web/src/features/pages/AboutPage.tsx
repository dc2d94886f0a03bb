import { ArrowUpRight, Building2, Mail, MapPin, Phone, ShieldCheck, Timer, Video, X } from "lucide-react";
import { type ReactNode, use, useEffect, useRef, useState } from "react";
import { formatBeans, formatMoney, formatNumber } from "#lib/format.ts";
import { useLanguage, useT } from "#lib/i18n.ts";
import { directionOf } from "#lib/languages.ts";
import { isTopLayer } from "#lib/layers.ts";
import { type PublicSettings, useSettings } from "#lib/settings.ts";
import { Bean } from "#ui/Bean.tsx";
import { buttonClass } from "#ui/Button.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Link } from "#ui/Link.tsx";
import { Note } from "#ui/Note.tsx";
import { Portrait } from "#ui/Portrait.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import mira from "#ui/portraits/mira.svg?raw";
import sam from "#ui/portraits/sam.svg?raw";
import theo from "#ui/portraits/theo-wide.svg?raw";
import { useLayer } from "#ui/use-layer.ts";
import { FilledText } from "./FilledText.tsx";
import { PageBlock } from "./PageBlock.tsx";
import { PageFrame } from "./PageFrame.tsx";
import { ContentLanguage } from "./content-language.ts";
import { pageText } from "./page-texts.ts";
import { usePageHead } from "./use-page-head.ts";
import styles from "./AboutPage.module.css";

/** Two portraits side by side; decorative, hidden from screen readers. */
function MeetPicture(): ReactNode {
  return (
    <div className={styles.meet} aria-hidden="true">
      <span>
        <Portrait svg={mira} />
      </span>
      <span>
        <Portrait svg={sam} />
      </span>
    </div>
  );
}

function SafePicture(): ReactNode {
  const t = useT();
  return (
    <div className={styles.safe} aria-hidden="true">
      <span>
        <Portrait svg={theo} />
      </span>
      <b>
        <ShieldCheck size={20} />
        {t("shield.checking")}
      </b>
    </div>
  );
}

/** A sample call of 2 min 14 s at 1,600 beans a minute, of which the first 10 s are free: 3,307 beans, 3.30 USD. */
function MeterPicture(): ReactNode {
  const t = useT();
  return (
    <div className={styles.meter} aria-hidden="true">
      <p>
        <span>{t("page.picture.call")}</span>
        <b>{t("page.picture.time", { minutes: formatNumber(2), seconds: formatNumber(14) })}</b>
      </p>
      <p>
        <span>
          <Bean size={18} />
          {t("page.picture.beans")}
        </span>
        <b>{formatBeans(3_307)}</b>
      </p>
      <p>
        <span>{t("page.picture.money")}</span>
        <b>{formatMoney(330, "USD")}</b>
      </p>
      <div>
        <i />
      </div>
      <small>{t("page.picture.price", { beans: formatBeans(1_600), seconds: formatNumber(10) })}</small>
    </div>
  );
}

const features = [
  { icon: <Video size={22} aria-hidden="true" />, picture: <MeetPicture /> },
  { icon: <ShieldCheck size={22} aria-hidden="true" />, picture: <SafePicture /> },
  { icon: <Timer size={22} aria-hidden="true" />, picture: <MeterPicture /> },
] as const;

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
          {language !== wanted && <Note className={styles.fallback}>{t("page.onlyEnglish")}</Note>}
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

const linkClass = buttonClass({ size: "small" });

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
          className={linkClass}
          aria-haspopup="dialog"
          aria-expanded={cooperation}
          onClick={() => setCooperation(true)}
        >
          {t("page.contact")}
          <Building2 size={20} aria-hidden="true" />
        </button>
        <a className={linkClass} href="/userAgreement" target="_blank" rel="noopener">
          {t("page.terms")}
          <VisuallyHidden>({t("common.newWindow")})</VisuallyHidden>
          {arrow}
        </a>
        <Link className={linkClass} to="/communityRules">
          {t("page.rules")}
          {arrow}
        </Link>
      </nav>
      {cooperation && <Cooperation onClose={close} />}
    </div>
  );
}

/** The business-cooperation panel; its button, Escape and a click anywhere close it. */
function Cooperation({ onClose }: { onClose: () => void }): ReactNode {
  const t = useT();
  const contact = useSettings()?.contact;
  const heading = useRef<HTMLHeadingElement>(null);
  const layer = useLayer(true);
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key === "Escape" && isTopLayer(layer)) onClose();
    };
    document.addEventListener("keydown", pressed);
    // Subscribes in the next task, because the click that opened the panel is still bubbling.
    const timer = setTimeout(() => document.addEventListener("click", onClose));
    return () => {
      clearTimeout(timer);
      document.removeEventListener("keydown", pressed);
      document.removeEventListener("click", onClose);
    };
  }, [layer, onClose]);
  return (
    <dialog open className={styles.panel} aria-labelledby="cooperation-title">
      <IconButton className={styles.close} label={t("common.close")} icon={<X size={22} />} onClick={onClose} />
      <h2 id="cooperation-title" ref={heading} tabIndex={-1}>
        {t("page.cooperation")}
      </h2>
      {contact ? <ContactFacts contact={contact} /> : <Skeleton height="180px" />}
      <small>{t("page.staffHours")}</small>
    </dialog>
  );
}

function ContactFacts({ contact }: { contact: PublicSettings["contact"] }): ReactNode {
  return (
    <>
      <p dir="auto">{contact.company}</p>
      <ul>
        <li>
          <MapPin size={20} aria-hidden="true" />
          <span dir="auto" className={styles.address}>
            {contact.address}
          </span>
        </li>
        <li>
          <Mail size={20} aria-hidden="true" />
          <span>
            {[contact.email, contact.business_email].map((address) => (
              <a key={address} href={`mailto:${address}`} dir="ltr">
                {address}
              </a>
            ))}
          </span>
        </li>
        <li>
          <Phone size={20} aria-hidden="true" />
          <span>
            <a href={`tel:${contact.phone.replaceAll(/[^+\d]/g, "")}`} dir="ltr">
              {contact.phone}
            </a>
          </span>
        </li>
      </ul>
    </>
  );
}
