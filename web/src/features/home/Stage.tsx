import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { Flag } from "#ui/Flag.tsx";
import { Portrait } from "#ui/Portrait.tsx";
import styles from "./Stage.module.css";

/** Two drawn people talking: decoration for visitors, never photographs. */
export function Stage(): ReactNode {
  const t = useT();
  return (
    <section className={styles.stage} aria-hidden="true">
      <figure className={`${styles.tile} ${styles.remote}`}>
        <Portrait person="ana" wide />
        <figcaption>
          <Flag src="/flags/BR.svg" widthPx={21} />
          {t("home.sample.name")}
        </figcaption>
      </figure>
      <figure className={`${styles.tile} ${styles.self}`}>
        <Portrait person="theo" />
        <figcaption>{t("home.sample.you")}</figcaption>
      </figure>
      <ul className={styles.bubbles}>
        <li>{t("home.sample.1")}</li>
        <li>{t("home.sample.2")}</li>
        <li>{t("home.sample.3")}</li>
      </ul>
    </section>
  );
}
