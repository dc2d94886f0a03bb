import { Phone } from "lucide-react";
import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import type { SafetyContent } from "#lib/page-content.ts";
import { useSettings } from "#lib/settings.ts";
import { FilledText } from "./FilledText.tsx";
import type { TextMark } from "./SafetyParts.tsx";
import styles from "./SafetyCards.module.css";

/** Whom else to turn to, and what stays of a visit. Help lines come from settings; without any the list is left out. */
export function SafetyHelp({ content, own }: { content: SafetyContent; own: TextMark }): ReactNode {
  const t = useT();
  const lines = useSettings()?.help_lines ?? [];
  return (
    <div className={styles.two}>
      <section aria-labelledby="danger">
        <div {...own}>
          <h2 id="danger">{content.danger.heading}</h2>
          <p>
            <FilledText text={content.danger.text} />
          </p>
        </div>
        {lines.length > 0 && (
          <>
            <h3>{t("safety.helpLines")}</h3>
            <ul className={styles.lines}>
              {lines.map(({ name, phone, url }) => (
                <li key={`${name} ${phone}`}>
                  <span dir="auto">{name}</span>
                  {phone !== "" && (
                    <a href={`tel:${phone.replaceAll(/[^+\d]/g, "")}`} aria-label={`${name}: ${phone}`}>
                      <Phone size={18} aria-hidden="true" />
                      <bdi dir="ltr">{phone}</bdi>
                    </a>
                  )}
                  {url !== "" && (
                    <a href={url} rel="noopener noreferrer" dir="ltr" aria-label={`${name}: ${new URL(url).host}`}>
                      {new URL(url).host}
                    </a>
                  )}
                </li>
              ))}
            </ul>
          </>
        )}
      </section>
      <section aria-labelledby="visit" {...own}>
        <h2 id="visit">{content.visit.heading}</h2>
        <p>
          <FilledText text={content.visit.text} />
        </p>
      </section>
    </div>
  );
}
