import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { Flag } from "#ui/Flag.tsx";
import { Portrait } from "#ui/Portrait.tsx";
import ana from "#ui/portraits/ana-wide.svg?raw";
import theo from "#ui/portraits/theo.svg?raw";
import styles from "./Home.module.css";

/** Two drawn people talking: decoration for visitors, never photographs. */
export function DrawnStage(): ReactNode {
  const t = useT();
  return (
    <section className={styles.stage} aria-hidden="true">
      <div className={styles.drawing}>
        <figure className={`${styles.tile} ${styles.remote}`}>
          <Portrait svg={ana} />
          <figcaption>
            <Flag src="/flags/BR.svg" widthPx={21} />
            {t("home.sample.name")}
          </figcaption>
        </figure>
        <figure className={`${styles.tile} ${styles.self}`}>
          <Portrait svg={theo} />
          <figcaption>{t("home.sample.you")}</figcaption>
        </figure>
        <ul className={styles.bubbles}>
          <li>{t("home.sample.1")}</li>
          <li>{t("home.sample.2")}</li>
          <li>{t("home.sample.3")}</li>
        </ul>
      </div>
    </section>
  );
}
