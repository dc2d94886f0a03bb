import { Unplug } from "lucide-react";
import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import styles from "./Panels.module.css";

/** Nobody is looked for while Fava cannot be reached, and nobody knows who is free (rule REACH-3). */
export function AwayPanel(): ReactNode {
  const t = useT();
  return (
    <div className={styles.centre}>
      <span className={styles.lost} aria-hidden="true">
        <Unplug size={30} />
      </span>
      <h1>{t("search.away")}</h1>
    </div>
  );
}
